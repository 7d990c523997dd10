/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextPublisher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A JVM that publishes what it is told, one context for each line of {@code key=value}; a key that
 * begins with a dot is an attribute beside the resource.
 */
final class PublishingProcess {
  private PublishingProcess() {}

  public static void main(String[] arguments) throws IOException {
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ProcessContext.Builder context = ProcessContext.builder();
      for (String word : line.split(" ", -1)) {
        String[] pair = word.split("=", 2);
        if (pair[0].startsWith(".")) {
          context.attribute(pair[0].substring(1), AttributeValue.of(pair[1]));
        } else {
          context.resource(pair[0], pair[1]);
        }
      }
      ProcessContextPublisher.publish(context.build());
      System.out.println("published");
    }
  }
}
