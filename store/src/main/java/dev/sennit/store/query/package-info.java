/**
 * The way out: what the page and the command line ask. What people typed reaches a statement as a
 * parameter, never as text.
 */
@NullMarked
package dev.sennit.store.query;

import org.jspecify.annotations.NullMarked;
