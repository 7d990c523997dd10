/**
 * Hunts for torn reads: a writer that never pauses, and readers that check every context they
 * accept. It uses the ring's own protocol for what must find none, and the flag alone for what must
 * find some, without which finding none would mean nothing.
 */
@NullMarked
package dev.sennit.bench.torn;

import org.jspecify.annotations.NullMarked;
