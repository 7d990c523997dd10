/**
 * The wire: protobuf and JSON as OTLP has them, the attribute values that both carry, and the
 * version by which senders name themselves. It uses the JDK alone and allocates nothing per field
 * written; it knows no message of any signal, and it never holds a whole output in memory.
 */
@NullMarked
package dev.sennit.otlp;

import org.jspecify.annotations.NullMarked;
