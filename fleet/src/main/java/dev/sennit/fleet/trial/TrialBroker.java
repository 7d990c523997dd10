/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A real broker with a folder and a port of its own, in a child process. */
public final class TrialBroker implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Path folder;
  private final String classPath;
  private final int port;
  private final int securedPort;
  private Process process;

  private TrialBroker(Path folder, String classPath, int port, int securedPort, Process process) {
    this.folder = folder;
    this.classPath = classPath;
    this.port = port;
    this.securedPort = securedPort;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param folder a new folder that is the broker's alone, and goes with it
   * @param classPath that has Kafka's broker
   */
  public static TrialBroker start(Path folder, String classPath) throws IOException {
    return start(folder, classPath, Map.of());
  }

  /**
   * Starts one that also listens by TLS to those who can name themselves.
   *
   * @param secured what Kafka's broker is to know for that: keys, mechanisms and users
   */
  public static TrialBroker start(Path folder, String classPath, Map<String, String> secured)
      throws IOException {
    int port = freePort();
    int securedPort = freePort();
    Map<String, Object> properties = properties(folder, port, freePort());
    if (!secured.isEmpty()) {
      properties.put(
          "listeners", properties.get("listeners") + ",SASL_SSL://127.0.0.1:" + securedPort);
      properties.putAll(secured);
    }
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Files.writeString(folder.resolve("server.properties"), text);
    TrialBroker broker =
        new TrialBroker(folder, classPath, port, securedPort, launch(folder, classPath));
    try {
      broker.awaitAnswer();
    } catch (IOException e) {
      broker.close();
      throw e;
    }
    return broker;
  }

  private static Process launch(Path folder, String classPath) throws IOException {
    // Ctrl-C goes to all processes of a terminal; the broker is to outlive its starter and clean
    // up.
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "trap '' HUP INT TERM; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx768m", "-XX:+UseG1GC", "--enable-native-access=ALL-UNNAMED", "-cp", classPath));
    command.addAll(List.of(BrokerProcess.class.getName(), folder.toString()));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(folder.resolve("errors.txt").toFile())
        .start();
  }

  private static Map<String, Object> properties(Path folder, int port, int controllerPort) {
    return new TreeMap<>(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", 1),
            Map.entry("controller.quorum.bootstrap.servers", "127.0.0.1:" + controllerPort),
            Map.entry(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL"),
            Map.entry("inter.broker.listener.name", "PLAINTEXT"),
            Map.entry("log.dirs", folder.resolve("log")),
            Map.entry("auto.create.topics.enable", false),
            Map.entry("group.initial.rebalance.delay.ms", 0),
            Map.entry("offsets.topic.replication.factor", 1),
            Map.entry("offsets.topic.num.partitions", 4),
            Map.entry("transaction.state.log.replication.factor", 1),
            Map.entry("transaction.state.log.min.isr", 1),
            Map.entry("transaction.state.log.num.partitions", 4),
            Map.entry("share.coordinator.state.topic.replication.factor", 1),
            Map.entry("share.coordinator.state.topic.min.isr", 1)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** What clients are told. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  /** What clients are told that use TLS and name themselves. */
  public String securedBootstrap() {
    return "127.0.0.1:" + securedPort;
  }

  /** Makes a topic. */
  public void createTopic(String name, int partitions, Map<String, String> settings)
      throws IOException {
    try (Admin admin = Admin.create(clientProperties())) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(name, Optional.of(partitions), Optional.of((short) 1))
                      .configs(settings)))
          .all()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("topic " + name + " cannot be made: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Ends it in good order and starts it again with what it has stored. */
  public void restart() throws IOException {
    try (OutputStream input = process.getOutputStream()) {
      input.write('\n');
      input.flush();
      end();
    }
    process = launch(folder, classPath);
    awaitAnswer();
  }

  /** What it has used so far. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private Properties clientProperties() {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", bootstrap());
    return properties;
  }

  private void awaitAnswer() throws IOException {
    try (Admin admin = Admin.create(clientProperties())) {
      admin.describeCluster().nodes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "the broker does not answer: " + Files.readString(folder.resolve("errors.txt")), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void end() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it at once, and removes its folder. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    end();
    Folders.remove(folder);
  }
}
