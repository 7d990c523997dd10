/** The file itself: opening it, its tables, its size, and what to say when it cannot be used. */
@NullMarked
package dev.sennit.store.database;

import org.jspecify.annotations.NullMarked;
