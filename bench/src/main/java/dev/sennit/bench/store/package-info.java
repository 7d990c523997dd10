/** What the store takes in, what that costs, and how fast it answers. */
@NullMarked
package dev.sennit.bench.store;

import org.jspecify.annotations.NullMarked;
