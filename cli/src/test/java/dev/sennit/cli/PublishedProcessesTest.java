/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import dev.sennit.viewer.view.LiveProcess;
import dev.sennit.viewer.view.LiveThread;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Requires
class PublishedProcessesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PublishedProcesses processes = new PublishedProcesses();

  @AfterEach
  void rest() {
    processes.rest();
  }

  /** Looks ten times a second, as the page does, until what is found of a process is wanted. */
  private Optional<LiveProcess> look(Demo demo, Predicate<Optional<LiveProcess>> wanted)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      Optional<LiveProcess> found =
          processes.snapshot().processes().stream()
              .filter(process -> process.pid() == demo.process().pid())
              .findFirst();
      if (wanted.test(found)) {
        return found;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("not so after " + PATIENCE + ": " + processes.snapshot());
  }

  private LiveProcess await(Demo demo, Predicate<LiveProcess> wanted) throws InterruptedException {
    return look(demo, found -> found.filter(wanted).isPresent()).orElseThrow();
  }

  private static boolean isInSpans(LiveProcess process) {
    return process.threadsInSpans() > 0;
  }

  @Test
  void threadsAreReadInTheirSpansWhileTheyChange() throws InterruptedException {
    try (Demo demo = Demo.start(Map.of("OTEL_SERVICE_NAME", "cart"), "--threads", "3")) {
      LiveProcess found = await(demo, PublishedProcessesTest::isInSpans);
      assertThat(found.service()).isEqualTo("cart");
      assertThat(found.instance()).matches("[0-9a-f-]{36}");
      assertThat(found.resource()).containsEntry("process.pid", demo.pid());
      assertThat(found.storage()).isEqualTo("otel");
      assertThat(found.problem()).isNull();
      assertThat(found.otherThreads()).isGreaterThan(5);
      assertThat(found.threads())
          .hasSize(found.threadsInSpans())
          .allSatisfy(
              thread -> {
                assertThat(thread.name()).matches("demo-[123]");
                assertThat(thread.traceId()).matches("[0-9a-f]{32}");
                assertThat(thread.spanId()).matches("[0-9a-f]{16}");
              });

      LiveThread first = found.threads().getFirst();
      await(demo, now -> isInSpans(now) && !now.threads().contains(first));
    }
  }

  @Test
  void aProcessThatEndsIsGone() throws InterruptedException {
    try (Demo demo = Demo.start()) {
      await(demo, PublishedProcessesTest::isInSpans);
      demo.end();
      look(demo, Optional::isEmpty);
    }
  }

  @Test
  void threadsThatMustBeStoppedAreReadToo() throws InterruptedException {
    try (Demo demo = Demo.start("--mode", "otep")) {
      LiveProcess found = await(demo, now -> isInSpans(now) || now.problem() != null);
      assertThat(found.storage()).isEqualTo("otep");
      assertThat(found.stopped()).isTrue();
      assertThat(found.problem()).isNull();
      assertThat(found.threads())
          .allSatisfy(thread -> assertThat(thread.attributes()).containsKey("http.route"));
    }
  }

  @Test
  void whyThreadsCannotBeReadIsTold() throws InterruptedException {
    try (Demo demo = Demo.start("--mode", "profiler")) {
      LiveProcess found = await(demo, now -> true);
      assertThat(found.storage()).isEqualTo("profiler");
      assertThat(found.threads()).isEmpty();
      assertThat(found.problem()).isNotEmpty();
    }
  }

  @Test
  void namesOfAnyLengthAreCut() throws InterruptedException {
    Map<String, String> environment = Map.of("OTEL_SERVICE_NAME", "x" + "😀".repeat(2_000));
    try (Demo demo = Demo.start(environment)) {
      LiveProcess found = await(demo, now -> true);
      assertThat(found.service()).isEqualTo("x" + "😀".repeat(499) + "…");
    }
  }

  @Test
  void itBeginsAnewAfterARest() throws InterruptedException {
    try (Demo demo = Demo.start()) {
      await(demo, PublishedProcessesTest::isInSpans);
      processes.rest();
      await(demo, PublishedProcessesTest::isInSpans);
    }
  }
}
