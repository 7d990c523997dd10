/** The way in: requests become rows, rows wait, one thread writes them and removes the oldest. */
@NullMarked
package dev.sennit.store.write;

import org.jspecify.annotations.NullMarked;
