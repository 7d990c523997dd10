/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a test needs of the machine. Where it is missing the test is skipped and says why; with the
 * environment variable {@code SENNIT_REQUIRE_KERNEL=1}, which continuous integration sets, it fails
 * instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresCondition.class)
public @interface Requires {
  /** Linux, whatever else. */
  boolean linux() default true;

  /** The superuser. */
  boolean root() default false;

  /** Programs that must be on the path, by Debian's names of them. */
  String[] commands() default {};
}
