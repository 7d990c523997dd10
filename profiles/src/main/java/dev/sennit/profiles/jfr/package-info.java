/**
 * Reads flight recordings of any writer: HotSpot, async-profiler, the JMC writer. It may use the
 * JDK and knows nothing of what its readers make of the events. It keeps no object per event or
 * constant, and it never trusts a size in the file.
 */
@NullMarked
package dev.sennit.profiles.jfr;

import org.jspecify.annotations.NullMarked;
