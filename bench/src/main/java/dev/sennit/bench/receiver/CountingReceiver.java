/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.receiver;

import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.query.SqlRows;
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.ReceiverSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receiver with a store behind it, in a JVM of its own. At the end of its input it prints how
 * many have come into the store, and what that cost.
 */
final class CountingReceiver {
  /** The attribute that numbers spans and log records. */
  static final String NUMBER = "number";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private CountingReceiver() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
        OtlpReceiver receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), store)) {
      System.out.println(
          "ports " + receiver.httpAddress().getPort() + " " + receiver.grpcAddress().getPort());
      var _ = System.in.readAllBytes();
      store.flush();
      long cost = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
      String memory = highestResidentKilobytes();
      System.out.println("spans " + count(store, "spans"));
      System.out.println("lines " + count(store, "logs"));
      System.out.println("cost " + cost + " " + memory);
    }
  }

  /** How many different ones there are, and how many beside these. */
  private static String count(TelemetryStore store, String table) {
    String sql =
        "SELECT count(DISTINCT attributes ->> '/"
            + NUMBER
            + "') AS different, count(*) - different FROM "
            + table;
    try (SqlRows rows = store.queries().sql().ask(sql, PATIENCE)) {
      @Nullable List<@Nullable Object> row = Objects.requireNonNull(rows.next());
      return row.get(0) + " " + row.get(1);
    }
  }

  private static String highestResidentKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .map(line -> line.replaceAll("\\D", ""))
        .findAny()
        .orElseThrow();
  }
}
