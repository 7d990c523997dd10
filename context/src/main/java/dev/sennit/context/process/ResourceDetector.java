/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import dev.sennit.context.ContextLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who this process is, from the environment variables of OpenTelemetry and from the JVM.
 *
 * <p>The environment decides what the service, its instance and the host are called. It does not
 * decide what the process itself knows for certain ({@code process.pid}, {@code process.runtime.*},
 * {@code telemetry.sdk.*}), because it may be inherited from another process. The command line is
 * not looked at: it may hold secrets.
 */
public final class ResourceDetector {
  static final String RESOURCE_ATTRIBUTES = "OTEL_RESOURCE_ATTRIBUTES";
  static final String SERVICE_NAME = "OTEL_SERVICE_NAME";

  /**
   * Where the random id of this process is kept. Copies of this class in several class loaders
   * share nothing else, and must not give one process two ids.
   */
  static final String INSTANCE_ID_PROPERTY = "sennit.service.instance.id";

  private static final Path KERNEL_HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private ResourceDetector() {}

  /** The context of this process, with the same {@code service.instance.id} at every call. */
  public static ProcessContext detect() {
    return detect(System.getenv());
  }

  static ProcessContext detect(Map<String, String> environment) {
    Map<String, String> given = resourceAttributes(environment);
    String serviceName = environment.getOrDefault(SERVICE_NAME, "");
    if (!serviceName.isEmpty()) {
      given.put("service.name", serviceName);
    }
    given.values().removeIf(String::isEmpty);

    Map<String, String> detected = new LinkedHashMap<>();
    detected.put("service.name", "unknown_service:java");
    detected.put("service.instance.id", instanceId());
    String hostName = hostName(environment);
    if (!hostName.isEmpty()) {
      detected.put("host.name", hostName);
    }
    detected.putAll(given);
    detected.put("process.runtime.name", property("java.runtime.name"));
    detected.put("process.runtime.version", property("java.runtime.version"));
    detected.put(
        "process.runtime.description",
        property("java.vm.vendor")
            + " "
            + property("java.vm.name")
            + " "
            + property("java.vm.version"));
    detected.put("telemetry.sdk.name", "sennit");
    detected.put("telemetry.sdk.language", "java");
    detected.put("telemetry.sdk.version", version());

    ProcessContext.Builder context = ProcessContext.builder();
    detected.forEach(context::resource);
    return context
        .resource("process.pid", AttributeValue.of(ProcessHandle.current().pid()))
        .build();
  }

  /**
   * Reads the variable as OpenTelemetry's resource specification says: one error, and all of it is
   * discarded and reported.
   */
  private static Map<String, String> resourceAttributes(Map<String, String> environment) {
    try {
      return ResourceAttributes.parse(environment.getOrDefault(RESOURCE_ATTRIBUTES, ""));
    } catch (IllegalArgumentException e) {
      ContextLog.warn(RESOURCE_ATTRIBUTES + " is ignored: " + e.getMessage());
      return new LinkedHashMap<>();
    }
  }

  private static String instanceId() {
    return System.getProperties()
        .computeIfAbsent(INSTANCE_ID_PROPERTY, key -> UUID.randomUUID().toString())
        .toString();
  }

  /** Asks the kernel, not a resolver, which may take its time. */
  private static String hostName(Map<String, String> environment) {
    try {
      return Files.readString(KERNEL_HOST_NAME).strip();
    } catch (IOException e) {
      return environment.getOrDefault("HOSTNAME", "");
    }
  }

  private static String version() {
    @Nullable String version = ResourceDetector.class.getPackage().getImplementationVersion();
    return version != null ? version : "dev";
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
