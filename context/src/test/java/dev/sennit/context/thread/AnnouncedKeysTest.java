/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that come with a later start, or from another copy. */
@Requires
class AnnouncedKeysTest {
  @TempDir private Path folder;

  @BeforeEach
  void logToAFile() {
    System.setProperty("sennit.log", log().toString());
  }

  @AfterEach
  void shutdown() {
    ContextApi.shutdown();
    System.clearProperty("sennit.log");
  }

  @Test
  void aSecondStartWithTheSameModeAnnouncesWhatIsNew() throws IOException {
    ContextApi.initialize("ctxstorage=otep,attributes=route");

    assertThat(ContextApi.initialize("ctxstorage=otep,attributes=user;route")).isTrue();

    assertThat(
            PublishedAttributes.of(ProcessHandle.current().pid())
                .attributes()
                .get("threadlocal.attribute_key_map"))
        .isEqualTo(AttributeValue.ofStrings(List.of("sennit.local_root_span_id", "route", "user")));
    assertThat(ContextApi.setAttribute("user", "u1")).isEqualTo(AttributeOutcome.SET);
    assertThat(lines()).isEmpty();
  }

  @Test
  void keysThatTheRingHasNoPlaceForAreNamedOnce() throws IOException {
    ContextApi.initialize("ctxstorage=otel");
    assertThat(lines()).isEmpty();
    ContextApi.initialize("ctxstorage=otel,attributes=route;user");
    ContextApi.initialize("ctxstorage=otel,attributes=user;route");
    assertThat(lines())
        .containsExactly(
            "sennit: attributes=route;user cannot be set with ctxstorage=otel, which has no place"
                + " for them; with ctxstorage=otep they can");
  }

  @Test
  void keysThatGoToTheRingFromTheStartOrFromAnotherModeAreNamedToo() throws IOException {
    ContextApi.initialize("ctxstorage=otel,attributes=first");
    ContextApi.shutdown();
    ContextApi.initialize("ctxstorage=profiler,attributes=second");
    ContextApi.initialize("ctxstorage=otel");
    assertThat(lines())
        .hasSize(2)
        .satisfies(lines -> assertThat(lines.getFirst()).contains("attributes=first cannot be set"))
        .satisfies(lines -> assertThat(lines.get(1)).contains("attributes=second cannot be set"));
  }

  @Test
  void moreKeysThanThereIsRoomForLeaveWhatRuns() {
    ContextApi.initialize("ctxstorage=profiler,attributes=a;b;c;d;e;f;g;h;i;j");
    assertThatThrownBy(() -> ContextApi.initialize("ctxstorage=profiler,attributes=k"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'k' cannot be announced");
    assertThat(ContextApi.setAttribute("j", "1")).isEqualTo(AttributeOutcome.SET);
  }

  @Test
  void aRegistryTakesOverWhatFits() {
    AttributeKeys keys = new AttributeKeys(3);
    keys.announce("own");
    keys.adopt(List.of("a", "own", "b", "c"));
    assertThat(keys.names()).containsExactly("own", "a", "b");
    assertThat(keys.find(new AttributeKey("a", 0))).isEqualTo(new AttributeKey("a", 1));
    assertThat(keys.find(new AttributeKey("c", 2))).isNull();
  }

  @Test
  void aCopyTellsItsKeysAndOneThatIsOlderThanTheQuestionNone() {
    ContextApi.initialize("ctxstorage=otep,attributes=route;user");
    Map<String, MethodHandle> functions = SharedContexts.functions();
    assertThat(new SharedStorage(functions).attributeNames()).containsExactly("route", "user");

    Map<String, MethodHandle> older = new HashMap<>(functions);
    older.remove("attributeNames");
    assertThat(new SharedStorage(older).attributeNames()).isEmpty();
  }

  private Path log() {
    return folder.resolve("log");
  }

  private List<String> lines() throws IOException {
    return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
  }
}
