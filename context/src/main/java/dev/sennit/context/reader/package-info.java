/**
 * The readers: process and thread records of any process on the host, from outside it. They use the
 * layouts that {@code process} and {@code thread} define and the calls of {@code memory}. What they
 * read comes from strangers, so every size is bounded, every loop ends, and bad input becomes a
 * result that says what is wrong, never an exception.
 */
@NullMarked
package dev.sennit.context.reader;

import org.jspecify.annotations.NullMarked;
