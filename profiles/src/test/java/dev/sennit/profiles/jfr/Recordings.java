/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes recordings of real programs for the tests. */
public final class Recordings {
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.ExecutionSample"><setting name="enabled">true</setting>
          <setting name="period">10 ms</setting></event>
        <event name="jdk.NativeMethodSample"><setting name="enabled">true</setting>
          <setting name="period">10 ms</setting></event>
        <event name="jdk.CPUTimeSample"><setting name="enabled">true</setting>
          <setting name="throttle">10 ms</setting></event>
        <event name="jdk.ObjectAllocationSample"><setting name="enabled">true</setting>
          <setting name="throttle">10000/s</setting></event>
        <event name="jdk.ObjectAllocationInNewTLAB"><setting name="enabled">true</setting></event>
        <event name="jdk.ObjectAllocationOutsideTLAB"><setting name="enabled">true</setting></event>
        <event name="jdk.OldObjectSample"><setting name="enabled">true</setting></event>
        <event name="jdk.JavaMonitorEnter"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.JavaMonitorWait"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.ThreadPark"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.ThreadSleep"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.SocketRead"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.SocketWrite"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.FileRead"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.FileWrite"><setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting></event>
        <event name="jdk.GarbageCollection"><setting name="enabled">true</setting></event>
        <event name="jdk.GCHeapSummary"><setting name="enabled">true</setting></event>
        <event name="jdk.CPULoad"><setting name="enabled">true</setting>
          <setting name="period">100 ms</setting></event>
        <event name="jdk.ThreadStart"><setting name="enabled">true</setting></event>
        <event name="jdk.JVMInformation"><setting name="enabled">true</setting></event>
        <event name="jdk.ActiveSetting"><setting name="enabled">true</setting></event>
        <event name="jdk.ActiveRecording"><setting name="enabled">true</setting></event>
        <event name="jdk.InitialSystemProperty"><setting name="enabled">true</setting></event>
        <event name="jdk.InitialEnvironmentVariable"><setting name="enabled">false</setting></event>
      </configuration>
      """;

  private Recordings() {}

  /** The workload under the flight recorder of this JDK. */
  public static Path hotSpot(Path folder) throws IOException {
    return hotSpot(folder, Path.of(System.getProperty("java.home")), "hotspot.jfr");
  }

  /** The workload under the flight recorder of another JDK. */
  public static Path hotSpot(Path folder, Path javaHome, String name) throws IOException {
    Path settings = Files.writeString(folder.resolve("all.jfc"), SETTINGS);
    Path recording = folder.resolve(name);
    run(
        List.of(
            javaHome.resolve("bin/java").toString(),
            "-Xmx128m",
            "-Xlog:disable",
            "-XX:StartFlightRecording:settings=" + settings + ",filename=" + recording,
            source(folder).toString()));
    return recording;
  }

  /** A JDK of this version on the machine, where Debian and others put it. */
  public static Optional<Path> jdk(int version) throws IOException {
    Path all = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(all, "*" + version + "*")) {
      for (Path folder : folders) {
        if (Files.isExecutable(folder.resolve("bin/java"))
            && Files.exists(folder.resolve("bin/jfr"))) {
          return Optional.of(folder);
        }
      }
    }
    return Optional.empty();
  }

  /** A class with a {@code main} in a JVM of its own; what it prints is returned. */
  public static List<String> java(List<String> options, Class<?> main, String... arguments) {
    return run(ChildProcess.javaCommand(options, main, arguments));
  }

  private static List<String> run(List<String> command) {
    try (ChildProcess child = ChildProcess.start(command)) {
      List<String> lines = new ArrayList<>(child.readAll());
      int status = child.waitFor();
      if (status != 0) {
        throw new AssertionError(command + ": status " + status + "\n" + lines + child.errors());
      }
      return lines;
    }
  }

  /** From source, because an older JDK cannot run classes of this one. */
  private static Path source(Path folder) {
    Path file = folder.resolve("Workload.java");
    try (InputStream in = Recordings.class.getResourceAsStream("Workload.java")) {
      if (in == null) {
        throw new IllegalStateException("no resource Workload.java");
      }
      Files.write(file, in.readAllBytes());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
