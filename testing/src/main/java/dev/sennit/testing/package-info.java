/**
 * What the tests of every module share: conditions of the machine, child JVMs, programs in C. It
 * may use the test libraries and nothing of Sennit. Nothing of it is ever shipped.
 */
@NullMarked
package dev.sennit.testing;

import org.jspecify.annotations.NullMarked;
