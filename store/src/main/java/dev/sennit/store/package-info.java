/**
 * Traces, logs and profiles in one file that stays within its bounds and that people can ask by
 * SQL. It uses {@code intake}, from which telemetry comes, and DuckDB, which nobody outside of this
 * module sees. It must never hold up who sends: rows wait in a queue, and where that is full the
 * answer says so.
 */
@NullMarked
package dev.sennit.store;

import org.jspecify.annotations.NullMarked;
