/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.TestStore.ask;
import static dev.sennit.store.TestStore.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SampleOwnerTest {
  private static final List<String> STRINGS =
      List.of(
          "",
          "cpu",
          "nanoseconds",
          "thread.id",
          "sennit.thread.virtual",
          "jvm.thread.state",
          "shop.Orders.pay",
          "java.lang.VirtualThread.run",
          "java/lang/VirtualThread.run_[1]");

  private static final int PLAIN_STACK = 1;
  private static final int THREAD = 1;
  private static final int VIRTUAL = 2;
  private static final int STATE = 3;
  private static final String LINKED = Otlp.trace(7);

  private record Question(long pid, long threadId, long time) {}

  private final List<Question> asked = new CopyOnWriteArrayList<>();
  private final TelemetryStore store =
      TelemetryStore.temporary(
          StoreSettings.TEMPORARY,
          (pid, threadId, time) -> {
            asked.add(new Question(pid, threadId, time));
            return time < 2000 ? new SpanKey(Otlp.trace(time), Otlp.span(threadId)) : null;
          });

  @AfterEach
  void close() {
    store.close();
  }

  private static ProfilesDictionary dictionary() {
    ProfilesDictionary.Builder dictionary =
        ProfilesDictionary.newBuilder()
            .addAllStringTable(STRINGS)
            .addLinkTable(Link.newBuilder())
            .addLinkTable(
                Link.newBuilder().setTraceId(Otlp.id(LINKED)).setSpanId(Otlp.id(Otlp.span(8))))
            .addFunctionTable(Function.newBuilder())
            .addLocationTable(Location.newBuilder())
            .addStackTable(Stack.newBuilder())
            .addAttributeTable(KeyValueAndUnit.newBuilder())
            .addAttributeTable(attribute(3, AnyValue.newBuilder().setIntValue(4712)))
            .addAttributeTable(attribute(4, AnyValue.newBuilder().setBoolValue(true)))
            .addAttributeTable(attribute(5, AnyValue.newBuilder().setStringValue("runnable")));
    for (int i = 1; i <= 3; i++) {
      dictionary
          .addFunctionTable(Function.newBuilder().setNameStrindex(5 + i))
          .addLocationTable(Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(i)));
    }
    // The first is what the program does, the others a virtual thread that does it.
    return dictionary
        .addStackTable(Stack.newBuilder().addLocationIndices(1))
        .addStackTable(Stack.newBuilder().addLocationIndices(1).addLocationIndices(2))
        .addStackTable(Stack.newBuilder().addLocationIndices(1).addLocationIndices(3))
        .build();
  }

  private static KeyValueAndUnit.Builder attribute(int key, AnyValue.Builder value) {
    return KeyValueAndUnit.newBuilder().setKeyStrindex(key).setValue(value);
  }

  private static Sample.Builder sample(int stack, long... times) {
    Sample.Builder sample = Sample.newBuilder().setStackIndex(stack);
    for (long time : times) {
      sample.addTimestampsUnixNano(time);
    }
    return sample;
  }

  private void send(Resource resource, Sample.Builder sample) throws InterruptedException {
    Profile.Builder profile =
        Profile.newBuilder()
            .setSampleType(ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
            .addSamples(sample);
    TestStore.settle(
        store,
        store.profiles(
            ExportProfilesServiceRequest.newBuilder()
                .setDictionary(dictionary())
                .addResourceProfiles(
                    ResourceProfiles.newBuilder()
                        .setResource(resource)
                        .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)))
                .build()));
  }

  private List<?> rows() {
    return ask(store, "SELECT trace_id, span_id, attributes::VARCHAR FROM samples ORDER BY time");
  }

  @Test
  void aSampleWithoutASpanGetsThatOfItsThreadAtItsTime() throws Exception {
    send(
        Otlp.service("shop"),
        sample(PLAIN_STACK, 1000, 1001, 2000)
            .addAttributeIndices(THREAD)
            .addAttributeIndices(STATE));
    assertThat(asked)
        .containsExactly(
            new Question(4711, 4712, 1000),
            new Question(4711, 4712, 1001),
            new Question(4711, 4712, 2000));
    String state = "\"jvm.thread.state\":\"runnable\"";
    String found = "{" + state + ",\"sennit.correlation\":\"thread\"}";
    assertThat(rows())
        .isEqualTo(
            List.of(
                row(Otlp.trace(1000), Otlp.span(4712), found),
                row(Otlp.trace(1001), Otlp.span(4712), found),
                row(null, null, "{" + state + "}")));
  }

  @Test
  void whatASampleSaysItselfHolds() throws Exception {
    send(
        Otlp.service("shop"),
        sample(PLAIN_STACK, 1000).addAttributeIndices(THREAD).setLinkIndex(1));
    assertThat(asked).isEmpty();
    assertThat(rows()).isEqualTo(List.of(row(LINKED, Otlp.span(8), null)));
  }

  @Test
  void nobodyIsAskedAboutVirtualThreadsNorWithoutProcessThreadAndTime() throws Exception {
    Resource shop = Otlp.service("shop");
    send(shop, sample(PLAIN_STACK, 1000).addAttributeIndices(THREAD).addAttributeIndices(VIRTUAL));
    send(shop, sample(2, 1000).addAttributeIndices(THREAD));
    send(shop, sample(3, 1000).addAttributeIndices(THREAD));
    send(shop, sample(PLAIN_STACK, 1000));
    send(shop, sample(PLAIN_STACK).addValues(1).addAttributeIndices(THREAD));
    send(Resource.getDefaultInstance(), sample(PLAIN_STACK, 1000).addAttributeIndices(THREAD));
    assertThat(asked).isEmpty();
    assertThat(rows()).hasSize(6);
    assertThat(ask(store, "FROM samples WHERE trace_id IS NOT NULL")).isEmpty();
  }
}
