/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.JsonEncoder;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the file format of speedscope: every profile of an export is a sampled one, in which each
 * different stack stands once with its sum. The order of the stacks is none in time.
 */
public final class SpeedscopeWriter {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  private final ProfileExport export;
  private final JsonEncoder json;
  private final Frames frames;

  private SpeedscopeWriter(ProfileExport export, OutputStream out) {
    this.export = export;
    this.json = JsonEncoder.compact(out);
    this.frames = new Frames(export.dictionary(), false);
  }

  /** Writes all profiles of an export; the stream is flushed and left open. */
  public static void write(ProfileExport export, OutputStream out) throws IOException {
    new SpeedscopeWriter(export, out).write();
    out.flush();
  }

  private void write() throws IOException {
    List<StackTree> trees = new ArrayList<>();
    for (Profile profile : export.profiles()) {
      trees.add(new StackTree(profile, export.dictionary().stacks(), frames));
    }
    json.beginObject();
    member("$schema", SCHEMA);
    member("exporter", "sennit");
    if (export.resource().get("service.name") instanceof AttributeValue.Text(String name)) {
      member("name", name);
    }
    json.name("activeProfileIndex");
    json.value(0);
    json.name("shared");
    json.beginObject();
    json.name("frames");
    json.beginArray();
    for (int i = 0; i < frames.size(); i++) {
      json.beginObject();
      member("name", frames.get(i).name());
      json.endObject();
    }
    json.endArray();
    json.endObject();
    json.name("profiles");
    json.beginArray();
    for (int i = 0; i < trees.size(); i++) {
      profile(export.profiles().get(i), trees.get(i));
    }
    json.endArray();
    json.endObject();
    json.flush();
  }

  private void profile(Profile profile, StackTree tree) throws IOException {
    json.beginObject();
    member("type", "sampled");
    member("name", ProfileName.of(export, profile));
    member("unit", unit(export.dictionary().strings().get(profile.sampleUnit())));
    json.name("samples");
    json.beginArray();
    long total = 0;
    for (int node = 1; node < tree.size(); node++) {
      if (tree.value(node) != 0) {
        total += tree.value(node);
        json.beginArray();
        for (int frame : tree.path(node)) {
          json.value(frame);
        }
        json.endArray();
      }
    }
    json.endArray();
    json.name("weights");
    json.beginArray();
    for (int node = 1; node < tree.size(); node++) {
      if (tree.value(node) != 0) {
        json.number(tree.value(node));
      }
    }
    json.endArray();
    json.name("startValue");
    json.value(0);
    json.name("endValue");
    json.number(total);
    json.endObject();
  }

  /** What the format knows; anything else is a plain number to it. */
  private static String unit(String unit) {
    return switch (unit) {
      case "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes" -> unit;
      default -> "none";
    };
  }

  private void member(String name, String value) throws IOException {
    json.name(name);
    json.value(value);
  }
}
