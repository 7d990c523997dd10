/**
 * What the packages of this module share: the log. The records are in {@code process} and {@code
 * thread}, their readers in {@code reader}. Nothing here uses a logging framework, because the
 * module also works inside other people's processes before these have set up theirs.
 */
@NullMarked
package dev.sennit.context;

import org.jspecify.annotations.NullMarked;
