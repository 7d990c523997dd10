/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ServiceOverview;
import dev.sennit.store.query.ServiceQueries;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.time.Clock;

/** How many requests the services had, how many failed and how long they took, over time. */
final class OverviewView implements View {
  private static final int BUCKETS = 60;
  private static final int USUAL = 100;
  private static final int MOST = 500;

  private final ServiceQueries services;
  private final Ranges ranges;
  private final Clock clock;

  OverviewView(ServiceQueries services, Ranges ranges, Clock clock) {
    this.services = services;
    this.ranges = ranges;
    this.clock = clock;
  }

  @Override
  public String path() {
    return "overview";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    TimeRange asked = ranges.of(query);
    long now = clock.millis() * 1_000_000;
    boolean slides = query.text("from").isEmpty() && query.text("to").isEmpty();
    long width = Math.max(1, Math.ceilDiv((slides ? now : asked.to()) - asked.from(), BUCKETS));
    // Parts of a range that slides begin at fixed times, or each look would divide it otherwise.
    long from = slides ? asked.from() / width * width : asked.from();
    int buckets = (int) Math.ceilDiv(asked.to() - from, width);
    TimeRange range = new TimeRange(from, slides ? from + buckets * width : asked.to());
    Page<ServiceOverview> page = services.overview(range, buckets, limit);

    out.writeStartObject();
    out.writeNumberField("from", from / 1e6);
    out.writeNumberField("to", (from < now ? Math.min(now, range.to()) : range.to()) / 1e6);
    out.writeNumberField("since", Math.max(from, first(page)) / 1e6);
    out.writeNumberField("width", width);
    out.writeBooleanField("more", page.more());
    out.writeArrayFieldStart("services");
    for (ServiceOverview service : page.items()) {
      write(service, out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  /** When the first part begins that has anything; the time before says nothing about rates. */
  private static long first(Page<ServiceOverview> page) {
    return page.items().stream()
        .flatMap(service -> service.buckets().stream())
        .mapToLong(ServiceOverview.Bucket::start)
        .min()
        .orElse(0);
  }

  private static void write(ServiceOverview service, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("service", service.service());
    out.writeNumberField("spans", service.spans());
    out.writeNumberField("requests", service.requests());
    out.writeNumberField("errors", service.errors());
    LatencyJson.write(service.latency(), out);
    out.writeArrayFieldStart("buckets");
    for (ServiceOverview.Bucket bucket : service.buckets()) {
      out.writeStartObject();
      out.writeNumberField("start", bucket.start() / 1e6);
      out.writeNumberField("requests", bucket.requests());
      out.writeNumberField("errors", bucket.errors());
      LatencyJson.write(bucket.latency(), out);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
