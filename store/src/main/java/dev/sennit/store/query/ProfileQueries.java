/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked of profiles. */
public final class ProfileQueries {
  private static final String TYPES =
      """
      SELECT type, unit, count(*), {total}
      FROM samples
      WHERE {where}
      GROUP BY type, unit
      ORDER BY type, unit
      """;

  private static final String VALUES =
      """
      SELECT {column}
      FROM samples
      WHERE {where} AND {column} IS NOT NULL
      GROUP BY {column}
      ORDER BY count(*) DESC, {column}
      LIMIT ?
      """;

  private static final String SPAN_NAMES =
      """
      SELECT name
      FROM (
        SELECT trace_id, span_id, count(*) AS amount
        FROM samples
        WHERE {where} AND trace_id IS NOT NULL
        GROUP BY trace_id, span_id
      )
      JOIN spans USING (trace_id, span_id)
      GROUP BY name
      ORDER BY sum(amount) DESC, name
      LIMIT ?
      """;

  private static final String EXTENT =
      """
      SELECT epoch_ns(min(time)), epoch_ns(max(time))
      FROM samples
      WHERE {where}
      HAVING count(*) > 0
      """;

  private static final String TIMES =
      """
      SELECT ((epoch_ns(time) - ?) // ?)::INTEGER AS bucket, count(*), {total}
      FROM samples
      WHERE {where}
      GROUP BY bucket
      ORDER BY bucket
      """;

  private static final String LARGEST =
      """
      WITH largest AS (
        SELECT stack_id, {total} AS total
        FROM samples
        WHERE {where}
        GROUP BY stack_id
        ORDER BY total DESC, stack_id
        LIMIT ?
      )
      """;

  private static final String STACKS =
      LARGEST
          + """
          SELECT any_value(frame_ids), total FROM largest JOIN stack_rows USING (stack_id)
          GROUP BY stack_id, total
          ORDER BY total DESC, stack_id
          """;

  private static final String FRAMES =
      LARGEST
          + """
          SELECT frame_id, name, file, kind FROM frame_rows
          WHERE frame_id IN (
            SELECT unnest(frame_ids) FROM stack_rows SEMI JOIN largest USING (stack_id)
          )
          """;

  private final Asking asking;

  ProfileQueries(Asking asking) {
    this.asking = asking;
  }

  /** What was sampled. */
  public List<SampleType> types(ProfileFilter filter) {
    Conditions conditions = filter.conditions();
    return asking.ask(
        TYPES.replace("{total}", Asking.sum("value")).replace("{where}", conditions.where()),
        conditions.parameters(),
        row -> new SampleType(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }

  /** The names of the threads that have samples, those with the most first. */
  public Page<String> threads(ProfileFilter filter, int limit) {
    return names(VALUES.replace("{column}", "thread_name"), filter, limit);
  }

  /** The names of the services that have samples, those with the most first. */
  public Page<String> services(ProfileFilter filter, int limit) {
    return names(VALUES.replace("{column}", "service"), filter, limit);
  }

  /** The names of the spans that have samples, those with the most first. */
  public Page<String> spanNames(ProfileFilter filter, int limit) {
    return names(SPAN_NAMES, filter, limit);
  }

  private Page<String> names(String question, ProfileFilter filter, int limit) {
    Conditions conditions = filter.conditions();
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            question.replace("{where}", conditions.where()), parameters, row -> row.getString(1)),
        limit);
  }

  /** From the first sample to the last, if there is one. */
  public Optional<TimeRange> extent(ProfileFilter filter) {
    Conditions conditions = filter.conditions();
    return asking
        .ask(
            EXTENT.replace("{where}", conditions.where()),
            conditions.parameters(),
            row -> new TimeRange(row.getLong(1), row.getLong(2) + 1))
        .stream()
        .findFirst();
  }

  /**
   * How much was sampled when, for a strip over time.
   *
   * @param filter whose range begins with the first bucket
   * @param length of a bucket, in nanoseconds
   */
  public List<SampleBucket> times(ProfileFilter filter, long length) {
    Conditions conditions = filter.conditions();
    List<Object> parameters = new ArrayList<>(List.of(filter.range().from(), length));
    parameters.addAll(conditions.parameters());
    return asking.ask(
        TIMES.replace("{total}", Asking.sum("value")).replace("{where}", conditions.where()),
        parameters,
        row -> new SampleBucket(row.getInt(1), row.getLong(2), row.getLong(3)));
  }

  /** The sum of samples as a tree, of so many different stacks at most. */
  public FlameTree flame(ProfileFilter filter, int limit) {
    Conditions conditions = filter.conditions();
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    Map<Long, FlameTree.Frame> frames = new HashMap<>();
    asking.ask(
        FRAMES.replace("{total}", Asking.sum("value")).replace("{where}", conditions.where()),
        parameters,
        row ->
            frames.put(
                row.getLong(1),
                new FlameTree.Frame(row.getString(2), row.getString(3), row.getString(4))));
    List<Stack> stacks =
        asking.ask(
            STACKS.replace("{total}", Asking.sum("value")).replace("{where}", conditions.where()),
            parameters,
            row -> new Stack(numbers(row), row.getLong(2)));
    FlameBuilder builder = new FlameBuilder(frames);
    int added = 0;
    while (added < Math.min(limit, stacks.size()) && builder.hasRoom()) {
      Stack stack = stacks.get(added++);
      builder.add(stack.frameIds, stack.total);
    }
    return builder.build(added < stacks.size());
  }

  private record Stack(List<Long> frameIds, long total) {}

  private static List<Long> numbers(ResultSet row) throws SQLException {
    Array list = row.getArray(1);
    return Arrays.stream((Object[]) list.getArray()).map(Long.class::cast).toList();
  }
}
