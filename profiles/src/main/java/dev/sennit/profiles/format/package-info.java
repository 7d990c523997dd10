/**
 * Profiles in the formats of other tools: collapsed stacks, pprof, speedscope, and a flame graph as
 * a page. It reads the model of {@code profiles} and changes nothing in it. Names in recordings are
 * anybody's: no format lets one of them be more than text.
 */
@NullMarked
package dev.sennit.profiles.format;

import org.jspecify.annotations.NullMarked;
