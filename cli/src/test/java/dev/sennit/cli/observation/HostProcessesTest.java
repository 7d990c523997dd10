/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process is who it says now, and stays so when it is gone. */
@Requires
final class HostProcessesTest {
  private static final String INSTANCE = "service.instance.id";

  private final HostProcesses processes = new HostProcesses();
  private ChildProcess child;
  private int pid;

  @BeforeEach
  void begin() {
    ProcessBuilder builder =
        new ProcessBuilder(ChildProcess.javaCommand(List.of(), PublishingProcess.class));
    builder.environment().put("OTEL_RESOURCE_ATTRIBUTES", "team=books");
    builder.environment().remove("OTEL_SERVICE_NAME");
    child = ChildProcess.start(builder);
    child.expect("ready");
    pid = child.pid();
  }

  @AfterEach
  void end() {
    child.close();
  }

  private void publish(String context) {
    child.send(context);
    child.expect("published");
    processes.published(pid);
  }

  @Test
  void whatAProcessPublishesWinsOverWhatIsDetected() {
    processes.seen(pid);
    assertThat(processes.resource(pid).service()).isEqualTo("PublishingProcess");

    publish("service.name=shop team=music service.instance.id=one");

    Resource resource = processes.resource(pid);
    assertThat(resource.service()).isEqualTo("shop");
    assertThat(resource.attributes())
        .containsEntry("team", AttributeValue.of("music"))
        .containsEntry(INSTANCE, AttributeValue.of("one"))
        .containsEntry("process.pid", AttributeValue.of((long) pid));
  }

  @Test
  void whatALaterPublicationLeavesOutIsAsItWasDetected() {
    publish("service.name=shop team=music service.instance.id=one .sennit.span_source=sdk");
    assertThat(processes.resource(pid).isReportedBySdk()).isTrue();

    publish("service.name=unknown_service:java host.arch=amd64");

    Resource resource = processes.resource(pid);
    assertThat(resource.service()).isEqualTo("PublishingProcess");
    assertThat(resource.isReportedBySdk()).isFalse();
    assertThat(resource.attributes())
        .doesNotContainKey(INSTANCE)
        .containsEntry("team", AttributeValue.of("books"))
        .containsEntry("host.arch", AttributeValue.of("amd64"));
  }

  @Test
  void aProcessThatHasEndedIsWhoItSaidLast() {
    processes.seen(pid);
    publish("service.name=shop");
    publish("service.name=warehouse");
    child.endInput();
    assertThat(child.waitFor()).isZero();
    processes.ended(pid);

    assertThat(processes.resource(pid).service()).isEqualTo("warehouse");
  }

  @Test
  void oneThatPublishesWithoutEndIsKnownAllTheSame() {
    processes.seen(pid);
    for (int i = 0; i < 100; i++) {
      publish("service.name=shop-" + i);
    }

    assertThat(processes.resource(pid).service()).isEqualTo("shop-99");
  }
}
