/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.List;

/**
 * What a validation found: errors, which make a profile invalid, and warnings. Of very many
 * findings the first are kept and the others counted.
 */
public record ValidationResult(List<Finding> findings, long omitted) {
  /** How bad a finding is. */
  public enum Severity {
    /** A rule is broken. */
    ERROR,
    /** Valid, but not as it should be, or refused by some readers. */
    WARNING
  }

  /** One finding: where, as in {@code location_table[3]}, and what, with the values found. */
  public record Finding(Severity severity, String where, String problem) {
    @Override
    public String toString() {
      return (severity == Severity.ERROR ? "error: " : "warning: ") + where + ": " + problem;
    }
  }

  public ValidationResult {
    findings = List.copyOf(findings);
  }

  /** Whether there is no error; there may be warnings. */
  public boolean isValid() {
    return errors().isEmpty();
  }

  public List<Finding> errors() {
    return findings.stream().filter(f -> f.severity() == Severity.ERROR).toList();
  }

  public List<Finding> warnings() {
    return findings.stream().filter(f -> f.severity() == Severity.WARNING).toList();
  }
}
