/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides for {@link Requires}. */
final class RequiresCondition implements ExecutionCondition {
  private static final String MUST = "SENNIT_REQUIRE_KERNEL";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    List<String> missing =
        AnnotationSupport.findAnnotation(context.getElement(), Requires.class)
            .map(RequiresCondition::missing)
            .orElse(List.of());
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("the machine has what the test needs");
    }
    String reason = "needs " + String.join(", ", missing);
    if ("1".equals(System.getenv(MUST))) {
      throw new ExtensionConfigurationException(reason + ", and " + MUST + "=1 forbids skipping");
    }
    return ConditionEvaluationResult.disabled(reason);
  }

  private static List<String> missing(Requires requires) {
    List<String> missing = new ArrayList<>();
    if (requires.linux() && !System.getProperty("os.name", "").equals("Linux")) {
      missing.add("Linux");
    }
    if (requires.root() && !isRoot()) {
      missing.add("root");
    }
    for (String command : requires.commands()) {
      if (!isOnPath(command)) {
        missing.add("the program " + command);
      }
    }
    return missing;
  }

  private static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static boolean isOnPath(String command) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(folder, command))) {
        return true;
      }
    }
    return false;
  }
}
