/**
 * The ground that the records stand on: absolute memory, the few Linux calls that publishing and
 * reading them needs, and what {@code /proc} says of a process. It uses {@code java.lang.foreign}
 * and nothing else; every restricted call of the module is made here. It never keeps state about a
 * context and never decides what is published.
 */
@NullMarked
package dev.sennit.context.memory;

import org.jspecify.annotations.NullMarked;
