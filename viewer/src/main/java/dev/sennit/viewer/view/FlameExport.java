/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.format.CollapsedWriter;
import dev.sennit.profiles.format.FlamegraphWriter;
import dev.sennit.profiles.format.PprofWriter;
import dev.sennit.profiles.format.SpeedscopeWriter;
import dev.sennit.store.query.FlameTree;
import dev.sennit.store.query.ProfileFilter;
import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.SampleType;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Download;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A flame graph as a file: the page that {@code sennit convert} writes, or what other tools read.
 */
final class FlameExport implements Download {
  private final ProfileQueries profiles;
  private final ProfileQuestion question;

  FlameExport(ProfileQueries profiles, ProfileQuestion question) {
    this.profiles = profiles;
    this.question = question;
  }

  @Override
  public String path() {
    return "flame/export";
  }

  private enum Format {
    HTML("html", "text/html; charset=utf-8"),
    PPROF("pb.gz", "application/octet-stream"),
    SPEEDSCOPE("speedscope.json", "application/json"),
    COLLAPSED("collapsed", "text/plain; charset=utf-8");

    final String extension;
    final String type;

    Format(String extension, String type) {
      this.extension = extension;
      this.type = type;
    }

    static Format of(Query query) throws ViewException {
      String name = query.text("format").orElse("html");
      return switch (name) {
        case "html" -> HTML;
        case "pprof" -> PPROF;
        case "speedscope" -> SPEEDSCOPE;
        case "collapsed" -> COLLAPSED;
        default ->
            throw ViewException.wrong(
                "format is " + name + ", but must be html, pprof, speedscope or collapsed");
      };
    }
  }

  @Override
  public Content content(Query query) throws IOException, ViewException {
    Format format = Format.of(query);
    ProfileFilter filter = question.filterOfType(query);
    List<SampleType> types = profiles.types(filter);
    TimeRange time =
        profiles
            .extent(filter)
            .orElseThrow(() -> ViewException.missing("there are no samples to export"));
    FlameTree tree = profiles.flame(filter, FlameView.limit(query));
    String type = Objects.requireNonNull(filter.type());
    String about = filter.service() == null ? "" : filter.service();
    ProfileExport export = FlameProfile.of(tree, type, FlameView.unit(types), time, about);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (format) {
      case HTML -> FlamegraphWriter.write(export, out);
      case PPROF -> PprofWriter.write(export, out);
      case SPEEDSCOPE -> SpeedscopeWriter.write(export, out);
      case COLLAPSED -> CollapsedWriter.write(export, export.profiles().getFirst(), out);
    }
    String name = about.isEmpty() ? type : about + "-" + type;
    return new Content(name + "." + format.extension, format.type, out.toByteArray());
  }
}
