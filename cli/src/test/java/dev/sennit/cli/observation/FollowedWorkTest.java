/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile;
import dev.sennit.cli.observation.FollowedRequests.Tally;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services without an SDK that hand their requests from thread to thread, on the real kernel. */
@Requires(root = true)
final class FollowedWorkTest {
  private static final List<String> ROWS = new ArrayList<>();

  @TempDir private Path folder;

  /** With what others publish of theirs for the same. */
  @AfterAll
  static void print() {
    System.out.println("of 400 requests, 20 at a time, in percent: right, orphaned, wrong");
    System.out.println("hand-off             calls               log lines           samples");
    ROWS.forEach(System.out::println);
    System.out.println("OBI #2259 executor          4.8  79.4  15.8");
    System.out.println("OBI #2242 virtual  32 to 37, the rest broken; #2284 log lines 0, 19 wrong");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "same",
        "fixed",
        "cached",
        "scheduled",
        "forkjoin",
        "future",
        "virtual",
        "virtual-pool",
        "structured",
        "send",
        "sendAsync",
        "send by HTTP/2",
        "sendAsync by HTTP/2",
      })
  void everyCallAndLineIsInTheTraceOfItsRequest(String way) throws Exception {
    TracerSettings settings = new TracerSettings.Builder().logs(true).build();
    try (FollowedRequests requests = new FollowedRequests();
        ObservedPrograms programs = ObservedPrograms.start(settings)) {
      Path recording = folder.resolve("recording.jfr");
      ChildProcess service = programs.run(command(programs, requests.backend(), way, recording));
      FollowedRequests.send(Integer.parseInt(service.expect("port ").strip()));
      List<Span> calls =
          programs.await(2 * FollowedRequests.COUNT, span -> span.kind() == SpanKind.CLIENT);
      List<Span> served =
          programs.await(FollowedRequests.COUNT, span -> span.kind() == SpanKind.SERVER);

      Tally spans = FollowedRequests.calls(calls);
      Tally logged =
          FollowedRequests.lines(
              programs.awaitRecords(FollowedRequests.COUNT, FollowedRequests::isLine));
      service.send("enough");
      assertThat(service.waitFor()).isZero();
      Tally sampled = sampled(recording);
      ROWS.add(String.format("%-20s %s   %s   %s", way, spans, logged, sampled));
      System.out.println(ROWS.getLast());
      assertThat(spans).as("calls").isEqualTo(new Tally(2 * FollowedRequests.COUNT, 0, 0));
      assertThat(logged).as("lines").isEqualTo(new Tally(FollowedRequests.COUNT, 0, 0));
      assertThat(sampled.right()).as("samples").isGreaterThan(FollowedRequests.COUNT / 2);
      assertThat(sampled.none() + sampled.wrong()).as("samples: " + sampled).isZero();
      FollowedRequests.assertThatCallsHaveTheirParents(calls, served);
      if (way.endsWith("2")) {
        // All but those that asked for it, as the first ones do.
        assertThat(calls.stream().filter(FollowedWorkTest::isByHttp2).count())
            .isGreaterThan(FollowedRequests.COUNT);
      }
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
    }
  }

  private static boolean isByHttp2(Span call) {
    return AttributeValue.of("2").equals(call.attributes().get("network.protocol.version"));
  }

  private List<String> command(
      ObservedPrograms programs, String backend, String way, Path recording) {
    Path inbound = programs.observation().inboundSocket().orElseThrow();
    return ChildProcess.javaCommand(
        List.of(
            "-javaagent:%s=start,cpu=1ms,jfr,ctxstorage=otel,file=%s,inbound=%s"
                .formatted(FollowedRequests.AGENT, recording, inbound),
            // Or inlining alone would put samples into the wrong method.
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,*FollowedService.in*",
            "--enable-preview"),
        FollowedService.class,
        backend,
        way);
  }

  /** A sample is right in the trace of a request that works in its method. */
  private static Tally sampled(Path recording) throws IOException {
    int right = 0;
    int none = 0;
    int wrong = 0;
    for (SampledProfile.Sample sample : SampledProfile.of(recording).samples()) {
      int method = Integer.parseInt(sample.method().substring(2));
      if (sample.link().isEmpty()) {
        none++;
      } else if ((Long.parseUnsignedLong(sample.link(), 16, 32, 16) - FollowedRequests.FIRST_TRACE)
              % FollowedService.METHODS
          == method) {
        right++;
      } else {
        wrong++;
      }
    }
    return new Tally(right, none, wrong);
  }
}
