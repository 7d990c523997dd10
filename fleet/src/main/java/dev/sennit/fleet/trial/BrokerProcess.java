/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * A broker that is its own controller, in the process that it runs in. When whoever started it is
 * gone, it goes too, and takes its folder with it.
 */
public final class BrokerProcess {
  private BrokerProcess() {}

  /** Runs with the file {@code server.properties} of a folder, the only argument. */
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    String file = folder.resolve("server.properties").toString();
    Thread.ofPlatform().daemon().name("starter-watch").start(() -> endWithStarter(folder));
    if (!Files.exists(folder.resolve("log").resolve("meta.properties"))) {
      PrintStream nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      int status =
          StorageTool.execute(
              new String[] {
                "format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", file
              },
              nowhere);
      if (status != 0) {
        System.err.println("the broker's folder cannot be made: " + folder);
        Runtime.getRuntime().halt(status);
      }
    }
    Kafka.main(new String[] {file});
  }

  /** A line of input is the order to end; the end of the input is the end of the starter. */
  private static void endWithStarter(Path folder) {
    try {
      if (System.in.read() >= 0) {
        System.exit(0);
      }
      removeAfterwards(folder);
    } catch (IOException e) {
      System.err.println("the broker's folder is still there: " + e.getMessage());
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /** A broker whose files go while it runs may end before they are gone. */
  private static void removeAfterwards(Path folder) throws IOException {
    String script = "while kill -0 \"$1\" 2>/dev/null; do sleep 0.1; done; exec rm -rf -- \"$2\"";
    String self = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("sh", "-c", script, "sh", self, folder.toString()).start();
  }
}
