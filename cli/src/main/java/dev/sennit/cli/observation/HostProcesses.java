/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.process.ResourceAttributes;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who the processes of this host are: what a process publishes of itself, else what its environment
 * says in the variables of OpenTelemetry, else the name of what it runs. A process is looked at
 * when it is first heard of, for when its spans are made it may be gone, and again when it has
 * published something.
 */
final class HostProcesses implements Processes {
  private static final int MOST = 8192;
  private static final long STALE = TimeUnit.SECONDS.toNanos(10);
  private static final Pattern CONTAINER = Pattern.compile("[0-9a-f]{64}");
  private static final String SERVICE = "service.name";
  private static final String UNKNOWN = "unknown_service";

  /** So many publications in a row are read as they come; the rest of them when it is asked for. */
  private static final int MOST_AT_ONCE = 16;

  private static final class Known {
    /** What was found out without the process; what it publishes comes and goes on top of that. */
    final Map<String, AttributeValue> detected;

    Resource resource;
    long lookedAt;
    long countedSince = System.nanoTime();
    int atOnce;
    boolean published;
    boolean ended;

    Known(Resource resource) {
      this.detected = resource.attributes();
      this.resource = resource;
    }
  }

  private final ProcessContextReader reader = new ProcessContextReader();
  private final String hostName = hostName();
  private final Resource nobody =
      new Resource(
          UNKNOWN,
          Map.of(SERVICE, AttributeValue.of(UNKNOWN), "host.name", AttributeValue.of(hostName)));
  private final Map<Integer, Known> known =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
          return size() > MOST;
        }
      };

  /** A program begins in a process. */
  synchronized void begun(int pid, String name) {
    look(pid, name);
  }

  /** A process has a child, which is the same program until it begins another. */
  synchronized void forked(int parent, int child) {
    Known same = known.get(parent);
    look(child, same == null ? "" : same.resource.service());
  }

  /**
   * A process has published a context, or changed it. That is read at once, for the process may be
   * gone before anybody asks; but one that publishes without end shall not keep all others waiting.
   */
  synchronized void published(int pid) {
    Known process = known.get(pid);
    if (process == null) {
      look(pid, "");
      return;
    }
    long now = System.nanoTime();
    if (now - process.countedSince > STALE) {
      process.countedSince = now;
      process.atOnce = 0;
    }
    if (process.atOnce++ < MOST_AT_ONCE) {
      refresh(pid, process);
    } else {
      process.lookedAt = 0;
    }
  }

  /** A process was heard of, which may have begun before anybody listened. */
  synchronized void seen(int pid) {
    if (!known.containsKey(pid)) {
      look(pid, "");
    }
  }

  /** It keeps its name as long as it is remembered; its number may be another one's soon. */
  synchronized void ended(int pid) {
    Known process = known.get(pid);
    if (process != null) {
      process.ended = true;
    }
  }

  @Override
  public synchronized Resource resource(int pid) {
    Known process = known.get(pid);
    if (process == null) {
      process = look(pid, "");
    }
    long now = System.nanoTime();
    boolean stale = process.lookedAt == 0 || (!process.published && now - process.lookedAt > STALE);
    if (stale && !process.ended) {
      refresh(pid, process);
    }
    return process.resource;
  }

  /** Stands for a process of this host that nobody knows. */
  Resource nobody() {
    return nobody;
  }

  private Known look(int pid, String name) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    attributes.put(SERVICE, AttributeValue.of(ProgramName.of(commandLine(pid), name)));
    if (!hostName.isEmpty()) {
      attributes.put("host.name", AttributeValue.of(hostName));
    }
    attributes.put("process.pid", AttributeValue.of((long) pid));
    String executable = executable(pid);
    if (executable != null) {
      attributes.put("process.executable.name", AttributeValue.of(executable));
    }
    String container = container(pid);
    if (container != null) {
      attributes.put("container.id", AttributeValue.of(container));
    }
    environment(pid).forEach((key, value) -> attributes.put(key, AttributeValue.of(value)));
    Known process = new Known(resource(attributes));
    known.put(pid, process);
    refresh(pid, process);
    return process;
  }

  /** What the process says of itself wins over everything else, but for a name that it lacks. */
  private void refresh(int pid, Known process) {
    process.lookedAt = System.nanoTime();
    if (!(reader.read(pid) instanceof ProcessReading.Published published)) {
      return;
    }
    process.published = true;
    Map<String, AttributeValue> attributes = new LinkedHashMap<>(process.detected);
    published
        .context()
        .resource()
        .forEach(
            (key, value) -> {
              AttributeValue same = PublishedAttributes.convert(value);
              boolean nameless =
                  key.equals(SERVICE)
                      && same instanceof AttributeValue.Text(String name)
                      && name.startsWith(UNKNOWN);
              if (same != null && !nameless) {
                attributes.put(key, same);
              }
            });
    published
        .context()
        .attributes()
        .forEach(
            (key, value) -> {
              AttributeValue same = PublishedAttributes.convert(value);
              if (key.equals(Resource.SPAN_SOURCE) && same != null) {
                attributes.put(key, same);
              }
            });
    if (!attributes.equals(process.resource.attributes())) {
      process.resource = resource(attributes);
    }
  }

  private static Resource resource(Map<String, AttributeValue> attributes) {
    String service =
        attributes.get(SERVICE) instanceof AttributeValue.Text(String name) && !name.isEmpty()
            ? name
            : UNKNOWN;
    attributes.put(SERVICE, AttributeValue.of(service));
    return new Resource(service, attributes);
  }

  private static Map<String, String> environment(int pid) {
    Map<String, String> attributes = new LinkedHashMap<>();
    String name = "";
    for (String variable : words(pid, "environ")) {
      if (variable.startsWith("OTEL_SERVICE_NAME=")) {
        name = variable.substring(variable.indexOf('=') + 1);
      } else if (variable.startsWith("OTEL_RESOURCE_ATTRIBUTES=")) {
        try {
          attributes.putAll(
              ResourceAttributes.parse(variable.substring(variable.indexOf('=') + 1)));
        } catch (IllegalArgumentException e) {
          // As the specification says: with one error all of it is as good as not there.
        }
      }
    }
    attributes.values().removeIf(String::isEmpty);
    if (!name.isEmpty()) {
      attributes.put(SERVICE, name);
    }
    return attributes;
  }

  private static List<String> commandLine(int pid) {
    return words(pid, "cmdline");
  }

  private static List<String> words(int pid, String file) {
    try {
      String text = new String(read(pid, file), StandardCharsets.UTF_8);
      return text.isEmpty() ? List.of() : Arrays.asList(text.split("\0", -1));
    } catch (IOException e) {
      // It is gone, or not ours to look at.
      return List.of();
    }
  }

  private static byte[] read(int pid, String file) throws IOException {
    return Files.readAllBytes(Path.of("/proc/" + pid + "/" + file));
  }

  private static @Nullable String executable(int pid) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe")).toString();
      return file.substring(file.lastIndexOf('/') + 1).replace(" (deleted)", "");
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** Container runtimes name their cgroups by the container's id. */
  private static @Nullable String container(int pid) {
    try {
      Matcher matcher = CONTAINER.matcher(new String(read(pid, "cgroup"), StandardCharsets.UTF_8));
      String last = null;
      while (matcher.find()) {
        last = matcher.group();
      }
      return last;
    } catch (IOException e) {
      return null;
    }
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
