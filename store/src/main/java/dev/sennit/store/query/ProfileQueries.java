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
import org.jspecify.annotations.Nullable;

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

  private static final String THREADS =
      """
      SELECT thread_name
      FROM samples
      WHERE {where} AND thread_name IS NOT NULL
      GROUP BY thread_name
      ORDER BY count(*) DESC, thread_name
      LIMIT ?
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
          SELECT frame_ids, total FROM largest JOIN stacks USING (stack_id)
          ORDER BY total DESC, stack_id
          """;

  private static final String FRAMES =
      LARGEST
          + """
          SELECT frame_id, name, file, kind FROM frames
          WHERE frame_id IN (SELECT unnest(frame_ids) FROM stacks SEMI JOIN largest USING (stack_id))
          """;

  private final Asking asking;

  ProfileQueries(Asking asking) {
    this.asking = asking;
  }

  /** What was sampled in a range, of one service or of all. */
  public List<SampleType> types(TimeRange range, @Nullable String service) {
    Conditions conditions = new Conditions().within("time", range).and("service = ?", service);
    return asking.ask(
        TYPES.replace("{total}", Asking.sum("value")).replace("{where}", conditions.where()),
        conditions.parameters(),
        row -> new SampleType(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }

  /** The names of the threads that have samples, those with the most first. */
  public Page<String> threads(ProfileFilter filter, int limit) {
    Conditions conditions = filter.conditions();
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            THREADS.replace("{where}", conditions.where()), parameters, row -> row.getString(1)),
        limit);
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
    boolean more = stacks.size() > limit;
    FlameBuilder builder = new FlameBuilder(frames);
    for (Stack stack : more ? stacks.subList(0, limit) : stacks) {
      builder.add(stack.frameIds, stack.total);
    }
    return builder.build(more);
  }

  private record Stack(List<Long> frameIds, long total) {}

  private static List<Long> numbers(ResultSet row) throws SQLException {
    Array list = row.getArray(1);
    return Arrays.stream((Object[]) list.getArray()).map(Long.class::cast).toList();
  }
}
