/**
 * A great many damaged recordings, each of which has to end in a valid result or a clear error. It
 * damages what real profilers recorded, and converts it in JVMs with little memory that are watched
 * for hanging.
 */
@NullMarked
package dev.sennit.bench.mutated;

import org.jspecify.annotations.NullMarked;
