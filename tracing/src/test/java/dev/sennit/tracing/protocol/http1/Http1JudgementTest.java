/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Side;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class Http1JudgementTest {
  private static Likeness judge(Side side, String text) {
    return ConversationKit.judge(
        new Http1Protocol(), side, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void isClearWhenTheFirstLineIsWhole() {
    assertThat(judge(Side.REQUESTS, "GET / HTTP/1.1\r\n")).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, "M-SEARCH * HTTP/1.1\n")).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, "HTTP/1.0 404 ")).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, "HTTP/1.1 200\r")).isEqualTo(Likeness.CLEAR);
  }

  @Test
  void waitsForTheRestOfTheFirstLine() {
    String line = "POST /a HTTP/1.1\r";
    for (int i = 0; i < line.length(); i++) {
      assertThat(judge(Side.REQUESTS, line.substring(0, i))).isEqualTo(Likeness.TOO_FEW);
    }
    assertThat(judge(Side.RESPONSES, "HTTP/1.")).isEqualTo(Likeness.TOO_FEW);
  }

  @Test
  void isNoForOtherProtocols() {
    for (String other :
        new String[] {
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "GET key\r\n",
          "*1\r\n$4\r\nPING\r\n",
          "INVITE sip:a@b SIP/2.0\r\n",
          "OPTIONS rtsp://a RTSP/1.0\r\n",
          "\u0016\u0003\u0001\u0002\u0000\u0001",
          "\u0000\u0000\u0000\u0008\u0004\u00d2\u0016/",
          "GET  HTTP/1.1\r\n",
          "EHLO example.com\r\n"
        }) {
      assertThat(judge(Side.REQUESTS, other)).as(other).isEqualTo(Likeness.NO);
      assertThat(judge(Side.RESPONSES, other)).as(other).isEqualTo(Likeness.NO);
    }
    assertThat(judge(Side.RESPONSES, "HTTP/2 200 ")).isEqualTo(Likeness.NO);
  }

  @Property
  void isNeverClearForBytesByChance(@ForAll byte[] bytes) {
    for (Side side : Side.values()) {
      assertThat(ConversationKit.judge(new Http1Protocol(), side, bytes))
          .isNotEqualTo(Likeness.CLEAR);
    }
  }
}
