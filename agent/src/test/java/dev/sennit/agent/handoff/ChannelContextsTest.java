/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.handoff.ChannelContexts.Channel;
import dev.sennit.context.thread.ContextSnapshot;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ChannelContextsTest {
  private static final ContextSnapshot ONE = ContextSnapshot.of(1, 1, 1, 1);
  private static final ContextSnapshot OTHER = ContextSnapshot.of(1, 2, 2, 1);

  private final ChannelContexts channels = new ChannelContexts();
  private final Object pipeline = new Object();

  private Channel channel() {
    return Objects.requireNonNull(channels.findOrAdd(pipeline));
  }

  @Test
  void aChannelIsKnownByItsPipeline() {
    assertThat(channels.find(pipeline)).isNull();
    Channel channel = channel();
    assertThat(channel()).isSameAs(channel);
    assertThat(channels.find(pipeline)).isSameAs(channel);
    assertThat(channels.find(new Object())).isNull();
  }

  @Test
  void whatComesBackIsForWhoWroteLast() {
    Channel channel = channel();
    channel.written(ONE);
    channel.read();
    assertThat(channel.context()).isSameAs(ONE);
    channel.written(OTHER);
    assertThat(channel.context()).isSameAs(OTHER);
  }

  @Test
  void whoeverOpensAConnectionMayNotBeTheOneWhoUsesIt() {
    Channel channel = channel();
    channel.connecting(ONE);
    assertThat(channel.context()).isSameAs(ONE);
    channel.written(OTHER);
    assertThat(channel.context()).isSameAs(OTHER);
  }

  @Test
  void aConnectionThatTwoWaitForIsNobodysForGood() {
    Channel channel = channel();
    channel.written(ONE);
    channel.written(OTHER);
    assertThat(channel.context()).isNull();
    channel.read();
    channel.written(ONE);
    assertThat(channel.context()).isNull();
  }

  @Test
  void whatIsWrittenForNobodyIsAnsweredForNobody() {
    Channel channel = channel();
    channel.written(ONE);
    channel.read();
    channel.written(null);
    assertThat(channel.context()).isNull();
    channel.written(ONE);
    assertThat(channel.context()).as("either may be answered first").isNull();
    channel.read();
    channel.written(ONE);
    assertThat(channel.context()).isSameAs(ONE);
  }

  @Test
  void aRequestIsTheContextOfItsChannelUntilTheNext() {
    Channel channel = channel();
    channel.requested(ONE);
    channel.read();
    channel.written(OTHER);
    assertThat(channel.context()).isSameAs(ONE);
    channel.requested(null);
    assertThat(channel.context()).isNull();
  }

  @Test
  void aRequestThatNobodyToldOfIsNotTheOneBefore() {
    Channel channel = channel();
    channel.requested(ONE);
    assertThat(channel.decoded()).isTrue();
    assertThat(channel.context()).isSameAs(ONE);
    assertThat(channel.decoded()).isFalse();
    assertThat(channel.context()).isNull();
    channel.requested(OTHER);
    assertThat(channel.decoded()).isTrue();
    assertThat(channel.context()).isSameAs(OTHER);
  }

  @Test
  void whatHappensToAnIdleChannelIsNobodys() {
    Channel asked = channel();
    asked.written(ONE);
    assertThat(asked.openContext()).isSameAs(ONE);
    asked.read();
    assertThat(asked.openContext()).isNull();
    Channel served = channel();
    served.requested(OTHER);
    served.read();
    assertThat(served.openContext()).isSameAs(OTHER);
    served.answered();
    assertThat(served.openContext()).isNull();
  }

  @Test
  void aChannelOfManyStreamsIsNobodys() {
    Channel channel = channel();
    channel.share();
    channel.requested(ONE);
    assertThat(channel.context()).isNull();
    channel.written(ONE);
    assertThat(channel.context()).isNull();
  }

  @Test
  void aChannelThatIsGoneLeavesNothing() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      channels.findOrAdd(new Object());
    }
    for (int i = 0; i < 500 && channels.size() > 0; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(channels.size()).isZero();
  }
}
