/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import dev.sennit.context.ContextLog;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who this process is, from the settings of OpenTelemetry and from the JVM.
 *
 * <p>A setting is a system property or else an environment variable, as for OpenTelemetry's SDK.
 * Settings decide what the service, its instance and the host are called. They do not decide what
 * the process itself knows for certain ({@code process.pid}, {@code process.runtime.*}, {@code
 * telemetry.sdk.*}), because they may be inherited from another process. The command line is not
 * looked at: it may hold secrets.
 */
public final class ResourceDetector {
  private static final String RESOURCE_ATTRIBUTES = "otel.resource.attributes";
  private static final String SERVICE_NAME = "otel.service.name";

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
    Map<String, String> given = resourceAttributes(Setting.of(RESOURCE_ATTRIBUTES, environment));
    String serviceName = Setting.of(SERVICE_NAME, environment).value;
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
   * Reads the setting as OpenTelemetry's resource specification says: one error, and all of it is
   * discarded and reported.
   */
  private static Map<String, String> resourceAttributes(Setting attributes) {
    try {
      return ResourceAttributes.parse(attributes.value);
    } catch (IllegalArgumentException e) {
      ContextLog.warn(attributes.name + " is ignored: " + e.getMessage());
      return new LinkedHashMap<>();
    }
  }

  /**
   * What a setting says, and by which name it was found.
   *
   * @param value empty if it is not given
   */
  private record Setting(String name, String value) {
    /** The system property comes before the variable; one that is blank is not given. */
    static Setting of(String property, Map<String, String> environment) {
      String value = System.getProperty(property, "");
      if (!value.isBlank()) {
        return new Setting(property, value);
      }
      String variable = property.toUpperCase(Locale.ROOT).replace('.', '_');
      return new Setting(variable, environment.getOrDefault(variable, ""));
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

  /** In the agent it is the module that has a version, elsewhere the jar. */
  private static String version() {
    @Nullable String version = ResourceDetector.class.getPackage().getImplementationVersion();
    return Optional.ofNullable(ResourceDetector.class.getModule().getDescriptor())
        .flatMap(ModuleDescriptor::rawVersion)
        .orElse(version != null ? version : "dev");
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
