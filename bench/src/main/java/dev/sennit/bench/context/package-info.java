/**
 * What it costs to set, clear and read a thread's context, beside Datadog's java-profiler doing the
 * same in the same run. It uses the public API only, as an application would.
 */
@NullMarked
package dev.sennit.bench.context;

import org.jspecify.annotations.NullMarked;
