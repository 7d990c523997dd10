/**
 * What a great many threads leave behind that each had a context and ended: no slot, no memory. It
 * runs each mode in a process of its own and judges that process by what the kernel says of it.
 */
@NullMarked
package dev.sennit.bench.churn;

import org.jspecify.annotations.NullMarked;
