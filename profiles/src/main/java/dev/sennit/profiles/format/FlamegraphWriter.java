/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.LinkTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * Writes a flame graph as one HTML page that needs nothing else: no server, no network, no other
 * file. It holds every profile of an export. Its policy lets the browser run the page's own script
 * and load nothing; all that comes from a recording is data, in JSON that cannot end its element.
 */
public final class FlamegraphWriter {
  private final ProfileExport export;
  private final Writer out;
  private final Frames frames;

  /** From links to their numbers on the page, which has those in use only. */
  private final Map<Integer, Integer> links = new LinkedHashMap<>();

  private FlamegraphWriter(ProfileExport export, Writer out) {
    this.export = export;
    this.out = out;
    this.frames = new Frames(export.dictionary(), true);
  }

  /** Writes the page; the stream is flushed and left open. */
  public static void write(ProfileExport export, OutputStream out) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    new FlamegraphWriter(export, writer).write();
    writer.flush();
  }

  private void write() throws IOException {
    String style = resource("flamegraph.css");
    String script =
        resource("flamegraph-model.js")
            + resource("flamegraph-drawing.js")
            + resource("flamegraph.js");
    for (String part : resource("flamegraph.html").split("@@", -1)) {
      switch (part) {
        case "style" -> out.write(style);
        case "script" -> out.write(script);
        case "style-hash" -> out.write(hash(style));
        case "script-hash" -> out.write(hash(script));
        case "data" -> data();
        default -> out.write(part);
      }
    }
  }

  private void data() throws IOException {
    List<StackTree> trees = new ArrayList<>();
    for (Profile profile : export.profiles()) {
      StackTree tree = new StackTree(profile, export.dictionary().stacks(), frames);
      tree.linked().keySet().forEach(at -> links.putIfAbsent(at.link(), links.size()));
      trees.add(tree);
    }
    out.write("{\"title\":");
    string(title());
    frames();
    links();
    out.write(",\"trees\":[");
    for (int i = 0; i < trees.size(); i++) {
      out.write(i == 0 ? "{\"name\":" : ",{\"name\":");
      tree(export.profiles().get(i), trees.get(i));
      out.write('}');
    }
    out.write("]}");
  }

  private String title() {
    return export.resource().get("service.name") instanceof AttributeValue.Text(String name)
        ? name
        : "";
  }

  private void frames() throws IOException {
    Map<String, Integer> types = new LinkedHashMap<>();
    out.write(",\"frames\":[");
    for (int i = 0; i < frames.size(); i++) {
      out.write(i == 0 ? "" : ",");
      string(frames.get(i).name());
      types.putIfAbsent(frames.get(i).type(), types.size());
    }
    out.write("],\"types\":[");
    boolean first = true;
    for (String type : types.keySet()) {
      out.write(first ? "" : ",");
      string(type);
      first = false;
    }
    out.write(']');
    numbers("frameTypes", frames.size(), i -> types.getOrDefault(frames.get(i).type(), 0));
  }

  private void links() throws IOException {
    LinkTable table = export.dictionary().links();
    HexFormat hex = HexFormat.of();
    out.write(",\"links\":[");
    boolean first = true;
    for (int link : links.keySet()) {
      out.write(first ? "" : ",");
      string(
          hex.toHexDigits(table.traceIdHigh(link))
              + hex.toHexDigits(table.traceIdLow(link))
              + " "
              + hex.toHexDigits(table.spanId(link)));
      first = false;
    }
    out.write(']');
  }

  private void tree(Profile profile, StackTree tree) throws IOException {
    string(ProfileName.of(export, profile));
    out.write(",\"what\":");
    string(export.dictionary().strings().get(profile.sampleType()));
    out.write(",\"unit\":");
    string(export.dictionary().strings().get(profile.sampleUnit()));
    out.write(",\"time\":" + profile.timeUnixNano() / 1_000_000);
    out.write(",\"duration\":" + profile.durationNano());
    out.write(",\"period\":" + periodNanos(profile));
    numbers("parent", tree.size(), tree::parent);
    numbers("frame", tree.size(), node -> node == 0 ? -1 : tree.frame(node));
    numbers("self", tree.size(), tree::value);
    out.write(",\"linked\":[");
    boolean first = true;
    for (Map.Entry<StackTree.Linked, Long> entry : tree.linked().entrySet()) {
      out.write(first ? "" : ",");
      out.write(Integer.toString(entry.getKey().node()));
      out.write("," + links.get(entry.getKey().link()));
      out.write("," + entry.getValue());
      first = false;
    }
    out.write(']');
  }

  /** What a sample stands for, 0 if that is no time. */
  private long periodNanos(Profile profile) {
    String unit = export.dictionary().strings().get(profile.periodUnit());
    return unit.equals("nanoseconds") ? profile.period() : 0;
  }

  private void numbers(String name, int count, IntToLongFunction value) throws IOException {
    out.write(",\"" + name + "\":[");
    for (int i = 0; i < count; i++) {
      out.write(i == 0 ? "" : ",");
      out.write(Long.toString(value.applyAsLong(i)));
    }
    out.write(']');
  }

  private void string(String text) throws IOException {
    out.write('"');
    int[] characters = text.codePoints().toArray();
    for (int character : characters) {
      if (isInvisible(character)) {
        // Spelled out for the reader of the page: such a character may reorder or hide others.
        out.write(String.format(character > 0xFFFF ? "\\\\U%08x" : "\\\\u%04x", character));
      } else if (character == '"' || character == '\\') {
        out.write('\\');
        out.write(character);
      } else if (character < 0x80 && character != '<' && character != '>' && character != '&') {
        out.write(character);
      } else {
        for (char unit : Character.toChars(character)) {
          out.write(String.format("\\u%04x", (int) unit));
        }
      }
    }
    out.write('"');
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = FlamegraphWriter.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
