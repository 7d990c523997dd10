/**
 * What the .proto files of OTLP profiles say, as constants. Nothing but constants: reading and
 * writing are elsewhere.
 */
@NullMarked
package dev.sennit.profiles.proto;

import org.jspecify.annotations.NullMarked;
