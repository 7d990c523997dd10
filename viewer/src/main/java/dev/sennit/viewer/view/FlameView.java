/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.FlameTree;
import dev.sennit.store.query.ProfileFilter;
import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.SampleType;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * A flame graph in columns, for there may be a hundred thousand nodes: node {@code i} has its
 * parent at {@code parents[i]}, and stands before what it calls.
 */
final class FlameView implements View {
  private static final int USUAL = 20_000;
  private static final int MOST = 100_000;

  private final ProfileQueries profiles;
  private final ProfileQuestion question;

  FlameView(ProfileQueries profiles, ProfileQuestion question) {
    this.profiles = profiles;
    this.question = question;
  }

  @Override
  public String path() {
    return "flame";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    ProfileFilter filter = question.filterOfType(query);
    List<SampleType> types = profiles.types(filter);
    FlameTree tree = profiles.flame(filter, limit(query));
    out.writeStartObject();
    out.writeStringField("type", filter.type());
    out.writeStringField("unit", unit(types));
    out.writeNumberField("samples", types.stream().mapToLong(SampleType::samples).sum());
    out.writeNumberField("total", types.stream().mapToLong(SampleType::total).sum());
    out.writeBooleanField("more", tree.more());
    out.writeArrayFieldStart("frames");
    for (FlameTree.Frame frame : tree.frames()) {
      out.writeStartArray();
      out.writeString(frame.name());
      out.writeString(frame.file());
      out.writeString(frame.kind());
      out.writeEndArray();
    }
    out.writeEndArray();
    numbers(out, "parents", tree, FlameTree.Node::parent);
    numbers(out, "frame", tree, FlameTree.Node::frame);
    amounts(out, "self", tree, FlameTree.Node::self);
    amounts(out, "totals", tree, FlameTree.Node::total);
    out.writeEndObject();
  }

  /** How many different stacks are wanted at most. */
  static int limit(Query query) throws ViewException {
    return (int) query.number("limit", 1, MOST, USUAL);
  }

  /** That of most samples, should a type be told in two. */
  static String unit(List<SampleType> types) {
    String unit = "";
    long most = -1;
    for (SampleType type : types) {
      if (type.samples() > most) {
        most = type.samples();
        unit = type.unit();
      }
    }
    return unit;
  }

  private static void numbers(
      JsonGenerator out, String name, FlameTree tree, ToIntFunction<FlameTree.Node> number)
      throws IOException {
    int[] column = tree.nodes().stream().mapToInt(number).toArray();
    out.writeFieldName(name);
    out.writeArray(column, 0, column.length);
  }

  private static void amounts(
      JsonGenerator out, String name, FlameTree tree, ToLongFunction<FlameTree.Node> amount)
      throws IOException {
    long[] column = tree.nodes().stream().mapToLong(amount).toArray();
    out.writeFieldName(name);
    out.writeArray(column, 0, column.length);
  }
}
