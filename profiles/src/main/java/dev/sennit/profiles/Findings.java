/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.ValidationResult.Finding;
import dev.sennit.profiles.ValidationResult.Severity;
import java.util.ArrayList;
import java.util.List;

/** Collects findings, of each severity a bounded number, so that no error is lost for warnings. */
final class Findings {
  private static final int LIMIT = 500;

  private final List<Finding> findings = new ArrayList<>();
  private int errors;
  private int warnings;
  private long omitted;

  void error(String where, String problem) {
    if (errors++ < LIMIT) {
      findings.add(new Finding(Severity.ERROR, where, problem));
    } else {
      omitted++;
    }
  }

  void warning(String where, String problem) {
    if (warnings++ < LIMIT) {
      findings.add(new Finding(Severity.WARNING, where, problem));
    } else {
      omitted++;
    }
  }

  ValidationResult result() {
    return new ValidationResult(findings, omitted);
  }
}
