/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The shipped agent knows which version it is, in whatever it tells others. */
@Requires
class AgentVersionTest {
  private static final int PATIENCE_SECONDS = 60;

  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

  /** What came to the collector. */
  private record Arrival(String userAgent, ExportProfilesServiceRequest request) {}

  /** Works until it is told to end. */
  static final class Application {
    private Application() {}

    public static void main(String[] arguments) throws IOException {
      Thread.ofPlatform().daemon().name("work").start(Application::work);
      System.out.println("runs");
      System.in.read();
    }

    private static void work() {
      while (true) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void itsProcessItsProfilesItsRequestsAndItsLineBearTheVersionOfTheBuild() throws Exception {
    String version = versionOfBuild();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/", this::receive);
    collector.start();
    try (ChildProcess application = start(collector.getAddress().getPort())) {
      application.expect("runs");
      assertThat(
              ((ProcessReading.Published) new ProcessContextReader().read(application.pid()))
                  .context()
                  .resource())
          .containsEntry("telemetry.sdk.version", AttributeValue.of(version));
      application.send("");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors())
          .startsWith("sennit: agent " + version + ": profiling started: ");

      @Nullable Arrival arrival = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (arrival == null) {
        throw new AssertionError("nothing was sent for " + PATIENCE_SECONDS + " seconds");
      }
      assertThat(arrival.userAgent).isEqualTo("Sennit-OTLP-Exporter-Java/" + version);
      assertThat(arrival.request.getResourceProfiles(0).getScopeProfiles(0).getScope().getVersion())
          .isEqualTo(version);
    } finally {
      collector.stop(0);
    }
  }

  private static String versionOfBuild() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      String version =
          jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      assertThat(version).matches("\\d+\\..*");
      return version;
    }
  }

  private static ChildProcess start(int port) {
    return AgentJvm.start(
        List.of(
            AgentJvm.agent("start,cpu=1ms,otlp=http://localhost:" + port),
            "-Dsennit.otlp.queue.bound=0",
            "-Dsennit.otlp.compression=none",
            "-cp",
            ChildProcess.classPath(),
            Application.class.getName()));
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      arrivals.add(
          new Arrival(
              String.valueOf(exchange.getRequestHeaders().getFirst("user-agent")),
              ExportProfilesServiceRequest.parseFrom(body)));
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }
}
