/**
 * The thread record: which trace and span each thread works on, in one of three layouts that are
 * chosen once, at start. Writing uses {@code memory}, announcing uses {@code process}. The
 * application's path through here never throws, never blocks and never allocates in the steady
 * state.
 */
@NullMarked
package dev.sennit.context.thread;

import org.jspecify.annotations.NullMarked;
