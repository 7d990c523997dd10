/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.ProfileFilter;
import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.SampleBucket;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** How much was sampled when, in parts of equal length. */
final class ProfileTimesView implements View {
  private static final int USUAL = 120;
  private static final int MOST = 1000;
  private static final long SHORTEST = 1000;
  private static final long MILLI = 1_000_000;

  private final ProfileQueries profiles;
  private final ProfileQuestion question;
  private final Clock clock;

  ProfileTimesView(ProfileQueries profiles, ProfileQuestion question, Clock clock) {
    this.profiles = profiles;
    this.question = question;
    this.clock = clock;
  }

  @Override
  public String path() {
    return "profile-times";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    ProfileFilter filter = question.filterOfType(query);
    int parts = (int) query.number("parts", 1, MOST, USUAL);
    TimeRange axis = axis(filter);
    long length = Math.max(SHORTEST, Math.ceilDiv(axis.to() - axis.from(), parts));
    List<SampleBucket> buckets = profiles.times(filter.range(axis), length);
    long[] samples = new long[parts];
    long[] totals = new long[parts];
    for (SampleBucket bucket : buckets) {
      samples[bucket.place()] = bucket.samples();
      totals[bucket.place()] = bucket.total();
    }
    out.writeStartObject();
    out.writeNumberField("from", millis(axis.from()));
    out.writeNumberField("step", millis(length));
    out.writeFieldName("samples");
    out.writeArray(samples, 0, parts);
    out.writeFieldName("totals");
    out.writeArray(totals, 0, parts);
    out.writeEndObject();
  }

  /** In parts, for nanoseconds since 1970 have more digits than a double. */
  private static double millis(long nanos) {
    long whole = nanos / MILLI;
    return whole + nanos % MILLI / (double) MILLI;
  }

  /**
   * From where to where the parts go: a question for all times is answered for those with samples.
   */
  private TimeRange axis(ProfileFilter filter) {
    TimeRange range = filter.range();
    long now = clock.millis() * MILLI;
    Optional<TimeRange> extent = profiles.extent(filter);
    long from = range.from() > 0 ? range.from() : extent.map(TimeRange::from).orElse(now - 1);
    long end = range.equals(TimeRange.ALL) ? 0 : now;
    long to = Math.min(range.to(), Math.max(end, extent.map(TimeRange::to).orElse(now)));
    return new TimeRange(from, Math.max(to, from + 1));
  }
}
