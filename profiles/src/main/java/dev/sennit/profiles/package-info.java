/**
 * Profiles as OTLP has them: the model, the writer, the validator, and the conversion from JFR
 * recordings. It uses {@code otlp} and the JDK; it never holds an output in memory as a whole, and
 * what it writes has no duplicate and no orphan in its dictionary.
 */
@NullMarked
package dev.sennit.profiles;

import org.jspecify.annotations.NullMarked;
