/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.mask.Masks;
import dev.sennit.correlation.parse.Parsed;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Makes records of lines, without the secrets in them, and has them joined to their spans. */
public final class LogReader implements Consumer<Line> {
  private static final AttributeValue STDOUT = AttributeValue.of("stdout");
  private static final AttributeValue STDERR = AttributeValue.of("stderr");
  private static final AttributeValue TRUE = AttributeValue.of(true);

  private final IntFunction<Resource> resources;
  private final CorrelationEngine engine;
  private Masks masks;

  /**
   * @param resources says who a process is
   */
  public LogReader(IntFunction<Resource> resources, Masks masks, CorrelationEngine engine) {
    this.resources = resources;
    this.masks = masks;
    this.engine = engine;
  }

  /** Masks by other patterns from now on. */
  public void change(Masks newMasks) {
    masks = newMasks;
  }

  @Override
  public void accept(Line line) {
    byte[] bytes = masks.apply(line.bytes());
    Parsed parsed = line.parser().parse(bytes, 0, bytes.length, line.time());
    Map<String, AttributeValue> attributes = new LinkedHashMap<>(parsed.attributes());
    switch (line.descriptor()) {
      case 1 -> attributes.put("log.iostream", STDOUT);
      case 2 -> attributes.put("log.iostream", STDERR);
      default -> {}
    }
    if (line.cut()) {
      attributes.put("sennit.cut", TRUE);
    }
    LogRecord record =
        new LogRecord(
            parsed.time() == 0 ? line.time() : parsed.time(),
            line.time(),
            parsed.severity(),
            parsed.severityText(),
            parsed.body(),
            attributes,
            resources.apply(line.pid()),
            parsed.span(),
            null);
    engine.enrichLog(
        record,
        new Evidence(
            line.pid(), line.tid(), line.time(), line.told(), line.span(), line.shared(), true));
  }
}
