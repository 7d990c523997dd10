/**
 * OpenTelemetry's own tools judge what the converter writes. They are programs in Go that {@code
 * interop/run} builds; without them there is nothing to run here but the tests of the comparison.
 */
@NullMarked
package dev.sennit.profiles.interop;

import org.jspecify.annotations.NullMarked;
