/**
 * The {@code sennit} command: it parses what people type, wires the modules together and prints
 * what they answer, for people or as JSON. It may use every module. It never knows a byte layout,
 * and never prints what another process wrote without escaping it.
 */
@NullMarked
package dev.sennit.cli;

import org.jspecify.annotations.NullMarked;
