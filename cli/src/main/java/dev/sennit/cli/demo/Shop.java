/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo;

import dev.sennit.cli.demo.shop.Gateway;
import dev.sennit.cli.demo.shop.Orders;
import dev.sennit.cli.demo.shop.StandInDatabase;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small shop: a gateway on platform threads, orders on virtual ones, prices in Python or Node,
 * and a database. Nothing in it is instrumented.
 */
public final class Shop implements AutoCloseable {
  /** Puts a command into observation; as it is, where there is none. */
  @FunctionalInterface
  public interface Wrapping {
    List<String> wrap(List<String> command);
  }

  private final List<Service> services = new ArrayList<>();
  private final List<String> absent = new ArrayList<>();
  private final Wrapping wrapping;
  private final Path folder;
  private final List<String> jvmOptions;
  private int port;

  private Shop(Wrapping wrapping, Path folder, List<String> jvmOptions) {
    this.wrapping = wrapping;
    this.folder = folder;
    this.jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * Opens the shop.
   *
   * @param folder for its files
   * @param jvmOptions for its JVMs
   * @throws IOException naming the service that does not start
   */
  public static Shop open(Wrapping wrapping, Path folder, List<String> jvmOptions)
      throws IOException {
    Shop shop = new Shop(wrapping, folder, jvmOptions);
    try {
      shop.start();
      return shop;
    } catch (IOException e) {
      shop.close();
      throw e;
    }
  }

  private void start() throws IOException {
    Service database = database();
    Service prices = prices();
    Service orders = java("orders", Orders.class, "" + prices.port(), "" + database.port());
    port = java("gateway", Gateway.class, "" + orders.port()).port();
  }

  private Service database() throws IOException {
    @Nullable String redis = find("redis-server");
    if (redis == null) {
      absent.add("redis-server is not installed: a stand-in answers for the database");
      return java("database", StandInDatabase.class);
    }
    int free = freePort();
    List<String> command =
        List.of(
            redis, "--port", "" + free, "--bind", "127.0.0.1", "--save", "", "--dir", "" + folder);
    Service service = start("database", command).listeningOn(free);
    awaitListening(free);
    return service;
  }

  private Service prices() throws IOException {
    @Nullable String python = find("python3");
    if (python != null) {
      return start("prices", List.of(python, "-u", script("prices.py")));
    }
    @Nullable String node = find("node");
    if (node == null) {
      throw new IOException("the prices of the shop need python3 or node; neither is installed");
    }
    return start("prices", List.of(node, script("prices.js")));
  }

  private Service java(String name, Class<?> type, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), type.getName()));
    command.addAll(List.of(arguments));
    return start(name, command);
  }

  private Service start(String name, List<String> command) throws IOException {
    Service service = Service.start(name, wrapping.wrap(Service.guarded(command)));
    services.add(service);
    return service;
  }

  private String script(String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in = Shop.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing");
      }
      Files.write(file, in.readAllBytes());
    }
    return file.toString();
  }

  /** The system's own first: others may be scripts that start many programs before the one. */
  private static @Nullable String find(String program) {
    return Stream.concat(
            Stream.of("/usr/bin"),
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)))
        .map(path -> Path.of(path, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(null);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitListening(int port) throws IOException {
    for (int i = 0; ; i++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        if (i == 200) {
          throw new IOException("the database of the shop does not listen", e);
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  /** Where customers come in. */
  int port() {
    return port;
  }

  /** What is not as it should be, for people. */
  public List<String> absent() {
    return List.copyOf(absent);
  }

  /** Closes it, those first who ask others. */
  @Override
  public void close() {
    services.reversed().forEach(Service::close);
  }
}
