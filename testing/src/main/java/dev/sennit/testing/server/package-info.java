/**
 * Real servers of the machine, each started for a test on a free port of loopback with its data in
 * a folder of its own, and ended by it.
 */
@NullMarked
package dev.sennit.testing.server;

import org.jspecify.annotations.NullMarked;
