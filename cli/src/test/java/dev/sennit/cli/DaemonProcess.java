/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.cli.metrics.PrometheusSamples;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code sennit daemon} that runs. */
final class DaemonProcess implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final Pattern METRICS = Pattern.compile("metrics at (http://[^ \n]+)");
  private static final Pattern PAGE = Pattern.compile("the page is at (http://[^ \n]+)");

  private final ChildProcess process;

  private DaemonProcess(ChildProcess process) {
    this.process = process;
  }

  /** A JVM that is started with a signal ignored, as by nohup or a script, goes on ignoring it. */
  static DaemonProcess start(Path file) {
    String store = "SENNIT_STORE=" + file.resolveSibling("store.duckdb");
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT", store));
    command.addAll(
        ChildProcess.javaCommand(
            List.of("-Dsennit.agent=../agent/target/sennit-agent.jar"),
            Main.class,
            "daemon",
            "--config",
            file.toString()));
    return new DaemonProcess(ChildProcess.start(command));
  }

  void signal(String name) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  /** Ends it by a signal, which is not a failure. */
  void end(String signal) throws IOException, InterruptedException {
    signal(signal);
    assertThat(process.waitFor()).as(process.errors()).isZero();
    assertThat(process.readAll()).isEmpty();
  }

  /** What it has said so far. */
  String said() {
    return process.errors();
  }

  /** The first line that starts so, when it has said it. */
  String awaitLine(String start) {
    await(
        "a line that starts with " + start + " in\n" + said(),
        () -> said().lines().anyMatch(line -> line.startsWith(start)));
    return said().lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  /** The samples of its metrics, by name and attributes. */
  Map<String, Double> metrics() {
    Matcher address = METRICS.matcher(said());
    assertThat(address.find()).as(said()).isTrue();
    return PrometheusSamples.parse(get(address.group(1)));
  }

  /** Whether its page says that a profile was received. */
  boolean hasProfile() {
    Matcher page = PAGE.matcher(said());
    return page.find()
        && get(page.group(1) + "api/receiver").matches("(?s).*\"profiles\",\"requests\":[1-9].*");
  }

  private static String get(String address) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for something that the daemon does by and by. */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
