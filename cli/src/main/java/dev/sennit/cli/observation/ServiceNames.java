/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;

/** What processes of this host are called in their spans, for telemetry that does not say it. */
public final class ServiceNames {
  private static final String UNKNOWN = "unknown_service";

  private ServiceNames() {}

  /** Whether it is what OpenTelemetry calls a service that has no name. */
  public static boolean isUnknown(String name) {
    return name.isEmpty() || name.startsWith(UNKNOWN);
  }

  /**
   * The name for telemetry that says these; the same name if the process is not here, or has none.
   */
  public static String of(String name, String host, int pid) {
    if (!isUnknown(name)) {
      return name;
    }
    Resource resource = new HostProcesses().resource(pid);
    boolean here =
        resource.attributes().get("host.name") instanceof AttributeValue.Text(String ours)
            && ours.equals(host)
            && ProcessHandle.of(pid).isPresent();
    return here && !isUnknown(resource.service()) ? resource.service() : name;
  }
}
