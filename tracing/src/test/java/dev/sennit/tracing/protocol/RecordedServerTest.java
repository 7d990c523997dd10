/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds of sessions of a real client with a real server, whatever protocol they speak. */
public abstract class RecordedServerTest {
  /** What is to be told of the work that was done, line by line. */
  protected final List<String> expected = new ArrayList<>();

  private final Protocol protocol;
  private final int healing;

  /**
   * @param healing how many requests after one that was not seen all is told right again
   */
  protected RecordedServerTest(Protocol protocol, int healing) {
    this.protocol = protocol;
    this.healing = healing;
  }

  /** Records a session short enough to be played thousands of times. */
  protected abstract Session shortSession() throws Exception;

  @Test
  final void wherePiecesEndDoesNotMatter() throws Exception {
    Replay.assertCutsDoNotMatter(protocol, shortSession());
  }

  @Test
  final void afterALostCallTheNextRequestsAreToldRightAgain() throws Exception {
    Replay.assertLossesHeal(protocol, shortSession(), healing);
  }

  @Test
  final void aConnectionMayBeJoinedAtAnyCall() throws Exception {
    Replay.assertJoinsInMidLife(protocol, shortSession(), 1);
  }

  @Test
  final void itIsRecognisedAmongAll() throws Exception {
    Replay.assertRecognised(protocol, shortSession(), 8);
  }

  @Test
  final void nothingUpsetsIt() throws Exception {
    Replay.assertNothingUpsets(protocol, shortSession());
  }
}
