/**
 * The process record: who this process is, as OpenTelemetry resource attributes, in a named mapping
 * that any reader on the host finds (OTEP 4719 and its draft). Publishing needs the {@code memory}
 * package and nothing else; it never reads another process and never publishes the command line,
 * which may hold secrets.
 */
@NullMarked
package dev.sennit.context.process;

import org.jspecify.annotations.NullMarked;
