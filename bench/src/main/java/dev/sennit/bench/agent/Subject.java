/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A way to run the application. Nobody listens where the peers send: their exporters are pointed at
 * a port of the loopback interface that is closed, with their profilers on and off alike.
 */
enum Subject {
  NO_AGENT("no agent"),
  SENNIT_OFF("Sennit, off"),
  SENNIT("Sennit, async-profiler"),
  SENNIT_JFR("Sennit, JFR"),
  DATADOG_OFF("dd-java-agent, profiler off"),
  DATADOG("dd-java-agent"),
  SPLUNK_OFF("splunk-otel-javaagent, profiler off"),
  SPLUNK("splunk-otel-javaagent");

  private static final String NOBODY = "http://127.0.0.1:9";
  private static final Set<Subject> BRING_SDK =
      EnumSet.of(DATADOG_OFF, DATADOG, SPLUNK_OFF, SPLUNK);

  final String title;

  Subject(String title) {
    this.title = title;
  }

  /** The arguments of {@code java} before the class to run. */
  List<String> options(Path target) {
    List<String> options = new ArrayList<>();
    switch (this) {
      case NO_AGENT -> options.add("-Dsennit.extension.enabled=false");
      case SENNIT_OFF -> {
        options.add("-javaagent:" + sennit(target));
        options.add("-Dsennit.extension.enabled=false");
      }
      case SENNIT -> options.add(profiling(target, "async"));
      case SENNIT_JFR -> options.add(profiling(target, "jfr"));
      case DATADOG_OFF, DATADOG -> {
        options.add("-javaagent:" + target.resolve("peers/dd-java-agent.jar"));
        options.add("-Ddd.profiling.enabled=" + (this == DATADOG));
        options.add("-Ddd.profiling.start-delay=0");
        options.add("-Ddd.profiling.start-force-first=true");
        options.add("-Ddd.trace.otel.enabled=true");
        options.add("-Ddd.trace.agent.url=" + NOBODY);
        options.add("-Ddd.instrumentation.telemetry.enabled=false");
        options.add("-Ddd.remote_config.enabled=false");
      }
      case SPLUNK_OFF, SPLUNK -> {
        options.add("-javaagent:" + target.resolve("peers/splunk-otel-javaagent.jar"));
        options.add("-Dsplunk.profiler.enabled=" + (this == SPLUNK));
        options.add("-Dotel.exporter.otlp.endpoint=" + NOBODY);
      }
    }
    options.add("-Dotel.service.name=bench");
    options.add("-Dotel.traces.exporter=none");
    options.add("-Dotel.metrics.exporter=none");
    options.add("-Dotel.logs.exporter=none");
    options.add("-Dotel.java.global-autoconfigure.enabled=true");
    options.addAll(List.of("-cp", classPath(target)));
    return options;
  }

  private static String profiling(Path target, String engine) {
    return "-javaagent:%s=start,engine=%s,cpu=10ms,wall=50ms,ctxstorage=otel,jfr,file=%s"
        .formatted(sennit(target), engine, target.resolve("agent/profile.jfr"));
  }

  private static Path sennit(Path target) {
    return target.resolve("../../agent/target/sennit-agent.jar").normalize();
  }

  /** The API for whoever brings an implementation, else the SDK and the extension as well. */
  private String classPath(Path target) {
    boolean bringsSdk = BRING_SDK.contains(this);
    Predicate<String> wanted =
        bringsSdk
            ? jar -> jar.matches(".*/(opentelemetry-(api|context|common)|sennit-bench)-[^/]*\\.jar")
            : jar -> jar.matches(".*/(opentelemetry|sennit-bench)-[^/]*\\.jar");
    String jars =
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .filter(wanted)
            .collect(Collectors.joining(":"));
    return bringsSdk
        ? jars
        : jars + ":" + target.resolve("../../extension/target/sennit-extension.jar").normalize();
  }
}
