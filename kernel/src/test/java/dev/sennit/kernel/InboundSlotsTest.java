/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.context.inbound.InboundSlotDescriptor;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.testing.AnotherUser;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that has read a request finds it in memory that its process has mapped. */
@Requires(root = true)
final class InboundSlotsTest {
  private static final int REQUESTS = 200;
  private static final int CONCURRENCY = 8;

  @TempDir private Path folder;
  private Path socket;
  private InboundMap map;
  private Observation observation;
  private DescriptorSocket handing;

  @BeforeEach
  void observe() throws IOException {
    socket = folder.resolve("inbound");
    map = InboundMap.create();
    observation = Observation.start(TracerSettings.defaults(), map);
    handing = map.handOut(socket, pid -> observation.target().includes(pid));
  }

  @AfterEach
  void end() throws IOException {
    handing.close();
    observation.close();
    map.close();
  }

  @Test
  void everyThreadIsToldWhatItHasRead() throws Exception {
    assertThatAllIsTold(
        observation.run(
            ChildProcess.javaCommand(List.of(), InboundServer.class, socket.toString())));
  }

  @Test
  @Requires(root = true, commands = "setpriv")
  void soIsAProcessOfAnotherUser() throws Exception {
    assertThatAllIsTold(
        observation.run(
            AnotherUser.javaCommand(
                folder,
                List.of(InboundSlots.class, InboundServer.class),
                InboundServer.class,
                socket.toString())));
  }

  @Test
  void programsThatTakeTheirPlaceWriteToTheSameMemory() throws Exception {
    ChildProcess server =
        observation.run(
            ChildProcess.javaCommand(List.of(), InboundServer.class, socket.toString()));
    int port = Integer.parseInt(server.expect("port "));
    assertThat(ask(port, CONCURRENCY)).isEqualTo(Map.of("right", CONCURRENCY));
    observation.tracer().close();
    try (KernelTracer other =
        KernelTracer.start(
            TracerSettings.defaults(), List.of(observation.target()), event -> {}, map)) {
      assertThat(other.isActive()).isTrue();
      assertThat(ask(port, CONCURRENCY)).isEqualTo(Map.of("right", CONCURRENCY));
    }
  }

  @Test
  void aProcessThatTookItWhileNobodyLookedIsToldAfterwards() throws Exception {
    observation.tracer().deactivate();
    ChildProcess server =
        observation.run(
            ChildProcess.javaCommand(List.of(), InboundServer.class, socket.toString()));
    int port = Integer.parseInt(server.expect("port "));
    observation.tracer().activate();
    assertThat(ask(port, CONCURRENCY)).isEqualTo(Map.of("right", CONCURRENCY));
  }

  @Test
  void nothingIsWrittenForAProcessThatDidNotTakeIt() throws Exception {
    InboundSlots slots = InboundSlots.map(map.fd());
    ChildProcess server =
        observation.run(ChildProcess.javaCommand(List.of(), EchoServer.class, "0"));
    ask(Integer.parseInt(server.expect("port ")), CONCURRENCY);
    observation.await(event -> event.kind() == EventKind.IN && event.hasContext());
    assertThat(
            IntStream.range(0, InboundSlotDescriptor.CAPACITY).filter(i -> slots.sequence(i) != 0))
        .isEmpty();
  }

  @Test
  void aProcessKnowsWhetherAnybodySeesItsRequests() throws Exception {
    InboundSlots slots = InboundSlots.map(map.fd());
    assertThat(slots.isTended()).isTrue();
    observation.tracer().deactivate();
    assertThat(slots.isTended()).isFalse();
    observation.tracer().activate();
    assertThat(slots.isTended()).isTrue();
  }

  @Test
  void whoTakesTheirTimeOverAnEventDoesNotEndTheLease() throws Exception {
    InboundSlots slots = InboundSlots.map(map.fd());
    observation.tracer().close();
    CountDownLatch taking = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    EventConsumer slow =
        event -> {
          taking.countDown();
          try {
            enough.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    try (KernelTracer _ =
        KernelTracer.start(TracerSettings.defaults(), List.of(observation.target()), slow, map)) {
      try {
        observation.run(List.of("true"));
        taking.await();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
        while (System.nanoTime() < end) {
          assertThat(slots.isTended()).isTrue();
          TimeUnit.MILLISECONDS.sleep(50);
        }
      } finally {
        enough.countDown();
      }
    }
  }

  /** Numbers of threads are small there and meet; then one of them is told nothing. */
  @Test
  @Requires(root = true, commands = "unshare")
  void processesOfTwoNamespacesNeverHearOfEachOther() throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--"),
                ChildProcess.javaCommand(List.of(), InboundServer.class, socket.toString())
                    .stream())
            .toList();
    int first = Integer.parseInt(observation.run(command).expect("port "));
    int second = Integer.parseInt(observation.run(command).expect("port "));
    // Alone, each is told everything.
    assertThat(ask(first, CONCURRENCY)).isEqualTo(Map.of("right", CONCURRENCY));
    assertThat(ask(second, CONCURRENCY)).isEqualTo(Map.of("right", CONCURRENCY));

    try (ExecutorService beside = Executors.newSingleThreadExecutor()) {
      Future<Map<String, Integer>> other = beside.submit(() -> ask(first, REQUESTS));
      assertThat(ask(second, REQUESTS).keySet()).isSubsetOf("right", "none", "gone");
      assertThat(other.get().keySet()).isSubsetOf("right", "none", "gone");
    }
  }

  private static void assertThatAllIsTold(ChildProcess server) throws Exception {
    int port = Integer.parseInt(server.expect("port "));
    assertThat(ask(port, REQUESTS)).isEqualTo(Map.of("right", REQUESTS));
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(server.readLine()).isEqualTo("closed");
    }
  }

  /** How often each answer came to requests that all have a trace of their own. */
  private static Map<String, Integer> ask(int port, int requests)
      throws InterruptedException, ExecutionException {
    SplittableRandom random = new SplittableRandom();
    Map<String, Integer> answers = new TreeMap<>();
    try (HttpClient client = HttpClient.newHttpClient();
        ExecutorService callers = Executors.newFixedThreadPool(CONCURRENCY)) {
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .version(HttpClient.Version.HTTP_1_1)
                .header(
                    "traceparent",
                    String.format(
                        "00-%016x%016x-%016x-0%d",
                        random.nextLong(), random.nextLong(), random.nextLong(), i % 2))
                .build();
        calls.add(
            callers.submit(
                () -> client.send(request, HttpResponse.BodyHandlers.ofString()).body()));
      }
      for (Future<String> call : calls) {
        answers.merge(call.get(), 1, Integer::sum);
      }
    }
    return answers;
  }
}
