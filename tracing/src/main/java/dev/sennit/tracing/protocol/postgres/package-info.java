/** PostgreSQL, protocol 3: {@code docs/protocols/postgres.md}. */
@NullMarked
package dev.sennit.tracing.protocol.postgres;

import org.jspecify.annotations.NullMarked;
