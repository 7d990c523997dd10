/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import com.google.protobuf.Message;
import dev.sennit.intake.Answer;
import dev.sennit.otlp.export.Signal;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What is done with the requests of one signal.
 *
 * @param prototype any request
 * @param items how many spans, log records, profiles or points a request has
 * @param sink who takes it
 * @param response an empty response
 * @param partial a response that says how many were not taken, and why
 */
record Service<M extends Message>(
    Signal signal,
    M prototype,
    ToLongFunction<M> items,
    Function<M, Answer> sink,
    Message response,
    Partial partial,
    Tally tally) {

  /** Makes a response that says how many items were not taken, and why. */
  interface Partial {
    Message of(long rejected, String reason);
  }

  Message take(M request) throws RefusedException {
    long items = items().applyAsLong(request);
    return switch (sink().apply(request)) {
      case Answer.Taken() -> {
        tally().taken(items, 0);
        yield response();
      }
      case Answer.TakenInPart(long rejected, String reason) -> {
        tally().taken(Math.max(0, items - rejected), rejected);
        yield partial().of(rejected, reason);
      }
      case Answer.Later(var after, String reason) -> throw RefusedException.later(after, reason);
    };
  }
}
