/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ProfilesServiceGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A piece of a recording is more than what a collector takes at once. */
@Requires
class DividedProfilesTest {
  private static final int LIMIT = 16 << 10;

  private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();

  @TempDir Path folder;

  private final class Service extends ProfilesServiceGrpc.ProfilesServiceImplBase {
    @Override
    public void export(
        ExportProfilesServiceRequest request,
        StreamObserver<ExportProfilesServiceResponse> answer) {
      received.add(request.toByteArray());
      answer.onNext(ExportProfilesServiceResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  /** Works on stacks of many depths, shows what came of it, and ends when it is told to. */
  static final class Application {
    private static volatile long sink;

    private Application() {}

    public static void main(String[] arguments) throws IOException {
      JavaProfiler profiler = JavaProfiler.getInstance();
      profiler.execute(arguments[0]);
      for (int depth = 1; depth <= 50; depth++) {
        inWork(depth);
        System.out.println("worked");
      }
      profiler.execute("dump");
      System.out.println("dumped");
      System.in.read();
      System.out.println(profiler.execute("stop"));
    }

    private static void inWork(int depth) {
      if (depth > 1) {
        inWork(depth - 1);
      }
      long state = sink | 1;
      for (int i = 0; i < 500_000; i++) {
        state = state * 6364136223846793005L + i;
      }
      sink = state;
    }
  }

  @Test
  void itArrivesInSeveralMessagesThatTheCollectorTakes() throws Exception {
    Path recording = folder.resolve("profile.jfr");
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("localhost", 0))
            .maxInboundMessageSize(LIMIT)
            .addService(new Service())
            .build()
            .start();
    try (ChildProcess application = start(server.getPort(), recording)) {
      application.expect("dumped");
      List<Sample> recorded = SampledProfile.of(recording).samples();
      assertThat(recorded).hasSizeGreaterThan(300);

      List<Sample> arrived = new ArrayList<>();
      List<String> ids = new ArrayList<>();
      int messages = 0;
      while (arrived.size() < recorded.size()) {
        byte[] message = received.poll(60, TimeUnit.SECONDS);
        if (message == null) {
          application.endInput();
          throw new AssertionError(
              "%d samples of %d arrived in %d messages; %s"
                  .formatted(arrived.size(), recorded.size(), messages, application.readAll()));
        }
        messages++;
        arrived.addAll(SampledProfile.of(message).samples());
        ids.addAll(ids(message));
        assertThat(message).hasSizeLessThanOrEqualTo(LIMIT);
      }
      assertThat(messages).isGreaterThan(1);
      assertThat(ids).doesNotHaveDuplicates();
      assertThat(arrived).containsExactlyInAnyOrderElementsOf(recorded);
      application.endInput();
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors()).isEmpty();
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  private static ChildProcess start(int port, Path recording) {
    return ChildProcess.start(
        ChildProcess.javaCommand(
            List.of(
                "-Dsennit.otlp.protocol=grpc",
                "-Dsennit.otlp.timeout=60s",
                "-Dsennit.otlp.max.size=" + LIMIT,
                // Whatever is sent must be sent from memory.
                "-Dsennit.otlp.queue.bound=0"),
            Application.class,
            "start,engine=async,cpu=1ms,otlp=http://localhost:%d,jfr,file=%s"
                .formatted(port, recording)));
  }

  private static List<String> ids(byte[] message) throws IOException {
    return ExportProfilesServiceRequest.parseFrom(message)
        .getResourceProfiles(0)
        .getScopeProfiles(0)
        .getProfilesList()
        .stream()
        .map(profile -> HexFormat.of().formatHex(profile.getProfileId().toByteArray()))
        .toList();
  }
}
