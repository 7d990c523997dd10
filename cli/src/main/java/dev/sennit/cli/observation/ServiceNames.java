/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.memory.Proc;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;

/** What processes of this host are called in their spans, for telemetry that does not say it. */
public final class ServiceNames {
  private static final String UNKNOWN = "unknown_service";
  private static final String INSTANCE = "service.instance.id";

  private ServiceNames() {}

  /** Whether it is what OpenTelemetry calls a service that has no name. */
  public static boolean isUnknown(String name) {
    return name.isEmpty() || name.startsWith(UNKNOWN);
  }

  /**
   * The name for telemetry that says these; the same name if the process is not here, or has none.
   *
   * @param pid the number of the process as this one knows it
   */
  public static String of(String name, String host, int pid) {
    return isUnknown(name) ? of(name, host, pid, new HostProcesses().resource(pid)) : name;
  }

  /**
   * The same for telemetry that came from somewhere. The number is that of the sender's own
   * namespace, and may be another process's here: the process must publish the same instance, or,
   * where the telemetry names none, have this number in its own namespace too.
   *
   * @param instance the {@code service.instance.id}; empty if it does not say
   */
  public static String ofSender(String name, String host, int pid, String instance) {
    if (!isUnknown(name)) {
      return name;
    }
    Resource resource = new HostProcesses().resource(pid);
    boolean same =
        instance.isEmpty()
            ? Proc.innermostTid(pid, pid) == pid
            : resource.attributes().get(INSTANCE) instanceof AttributeValue.Text(String published)
                && published.equals(instance);
    return same ? of(name, host, pid, resource) : name;
  }

  private static String of(String name, String host, int pid, Resource resource) {
    boolean here =
        resource.attributes().get("host.name") instanceof AttributeValue.Text(String ours)
            && ours.equals(host)
            && ProcessHandle.of(pid).isPresent();
    return here && !isUnknown(resource.service()) ? resource.service() : name;
  }
}
