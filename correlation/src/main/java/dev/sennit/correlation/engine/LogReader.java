/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.engine.Evidence.Basis;
import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.mask.Masks;
import dev.sennit.correlation.parse.Parsed;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes records of lines, without the secrets in them, and has them joined to their spans. */
public final class LogReader implements Consumer<Line> {
  private static final AttributeValue STDOUT = AttributeValue.of("stdout");
  private static final AttributeValue STDERR = AttributeValue.of("stderr");
  private static final AttributeValue TRUE = AttributeValue.of(true);

  private final IntFunction<Resource> resources;
  private final ThreadNames names;
  private final CorrelationEngine engine;

  private final Mixing mixing = new Mixing();

  private Masks masks;

  /**
   * @param resources says who a process is
   */
  public LogReader(
      IntFunction<Resource> resources, ThreadNames names, Masks masks, CorrelationEngine engine) {
    this.resources = resources;
    this.names = names;
    this.masks = masks;
    this.engine = engine;
  }

  /** Masks by other patterns from now on. */
  public void change(Masks newMasks) {
    masks = newMasks;
  }

  @Override
  public void accept(Line line) {
    Parsed parsed = parse(line);
    Map<String, AttributeValue> attributes = attributes(line, parsed);
    switch (line.descriptor()) {
      case 1 -> attributes.put("log.iostream", STDOUT);
      case 2 -> attributes.put("log.iostream", STDERR);
      default -> {}
    }
    LogRecord record = record(line, parsed, attributes, resources.apply(line.pid()));
    engine.enrichLog(record, evidence(line, attributes.get("thread.name")));
  }

  /**
   * Takes a line of a file, of whose writer nothing is known but what the line says.
   *
   * @param nobody stands for a process that the line does not name
   */
  public void accept(Line line, Path file, Resource nobody) {
    Parsed parsed = parse(line);
    Map<String, AttributeValue> attributes = attributes(line, parsed);
    attributes.put("log.file.path", AttributeValue.of(file.toString()));
    attributes.put("log.file.name", AttributeValue.of(String.valueOf(file.getFileName())));
    Resource resource = parsed.pid() == 0 ? nobody : resources.apply(parsed.pid());
    LogRecord record = record(line, parsed, attributes, resource);
    engine.enrichLog(
        record,
        new Evidence(
            parsed.pid(), parsed.tid(), record.time(), Told.NOTHING, null, false, Basis.SAID));
  }

  private Parsed parse(Line line) {
    byte[] bytes = masks.apply(line.bytes());
    return line.parser().parse(bytes, 0, bytes.length, line.time());
  }

  private static Map<String, AttributeValue> attributes(Line line, Parsed parsed) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>(parsed.attributes());
    if (line.cut()) {
      attributes.put("sennit.cut", TRUE);
    }
    return attributes;
  }

  private static LogRecord record(
      Line line, Parsed parsed, Map<String, AttributeValue> attributes, Resource resource) {
    return new LogRecord(
        parsed.time() == 0 ? line.time() : parsed.time(),
        line.time(),
        parsed.severity(),
        parsed.severityText(),
        parsed.body(),
        attributes,
        resource,
        parsed.span(),
        null);
  }

  /**
   * Some loggers have threads write each other's lines. Where a line names its thread, and there
   * was one of that name, it is that one's, whoever has written it. In a process that was seen to
   * do so, a name that none or several threads had is not enough.
   */
  private Evidence evidence(Line line, @Nullable AttributeValue said) {
    boolean shared = line.shared();
    if (said instanceof AttributeValue.Text(String text) && !text.isEmpty()) {
      NativeName name = NativeName.ofJava(text);
      boolean own = name.equals(line.name());
      boolean certain = own && !shared && !mixing.contains(line.pid());
      int tid = certain ? line.tid() : names.tidOf(line.pid(), name, line.time());
      boolean another = tid > 0 && tid != line.tid();
      if (another) {
        mixing.add(line.pid());
        boolean keepsRecords = line.told() == Told.BY_RECORD || line.told() == Told.IN_NONE;
        return new Evidence(
            line.pid(), tid, line.time(), Told.NOTHING, null, keepsRecords, Basis.NAMED);
      }
      if (shared && tid == ThreadNames.SEVERAL) {
        mixing.add(line.pid());
      } else if (shared) {
        mixing.wroteSeveral(line, text);
      }
      shared = tid != line.tid() && (shared || mixing.contains(line.pid()));
    }
    return new Evidence(
        line.pid(), line.tid(), line.time(), line.told(), line.span(), shared, Basis.SEEN);
  }

  /** A process has ended; its number may soon be another one's. */
  public void processEnded(int pid) {
    mixing.processEnded(pid);
  }
}
