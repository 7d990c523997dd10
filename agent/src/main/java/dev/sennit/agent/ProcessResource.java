/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextException;
import dev.sennit.context.process.ProcessContextPublisher;
import dev.sennit.context.process.ResourceDetector;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.otlp.AttributeValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who this process is, as its own record tells everybody: an SDK may have published its resource
 * there, and profiles must bear the same.
 */
final class ProcessResource {
  private ProcessResource() {}

  /** Publishes the record, unless there is one. */
  static void publish() {
    try {
      if (!ProcessContextPublisher.isPublished()) {
        ProcessContextPublisher.publish(ResourceDetector.detect());
      }
    } catch (ProcessContextException e) {
      AgentLog.warn("the process context is not published: " + e.getMessage());
    }
  }

  /** The attributes of the record as it is now. */
  static Map<String, AttributeValue> read() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    ProcessContext context =
        new ProcessContextReader().read(pid) instanceof ProcessReading.Published published
            ? published.context()
            : ResourceDetector.detect();
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    context
        .resource()
        .forEach(
            (key, value) -> {
              AttributeValue same = convert(value);
              if (same != null) {
                attributes.put(key, same);
              }
            });
    return attributes;
  }

  /** The same value for OTLP; null for the kinds that no resource has. */
  private static @Nullable AttributeValue convert(dev.sennit.context.process.AttributeValue value) {
    return switch (value) {
      case dev.sennit.context.process.AttributeValue.Text text -> AttributeValue.of(text.value());
      case dev.sennit.context.process.AttributeValue.Flag flag -> AttributeValue.of(flag.value());
      case dev.sennit.context.process.AttributeValue.Whole whole ->
          AttributeValue.of(whole.value());
      case dev.sennit.context.process.AttributeValue.Real real -> AttributeValue.of(real.value());
      case dev.sennit.context.process.AttributeValue.Array array -> {
        List<AttributeValue> values = new ArrayList<>();
        for (dev.sennit.context.process.AttributeValue element : array.values()) {
          AttributeValue same = convert(element);
          if (same != null) {
            values.add(same);
          }
        }
        yield AttributeValue.of(values);
      }
      default -> null;
    };
  }
}
