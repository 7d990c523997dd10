/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose bytes a test says. It plays a {@link Session} to a protocol as the assembler
 * would, call by call, and keeps what the protocol tells of it.
 *
 * <pre>
 *   ConversationKit kit = ConversationKit.client(new Http1Protocol()).play(session).end();
 *   assertThat(kit.told()).containsExactly("GET {http.request.method=GET, …} ok");
 * </pre>
 */
public final class ConversationKit implements Channel {
  private static final int CAPACITY = 1 << 16;

  private final Protocol protocol;
  private final boolean server;
  private final Inflow requests = new Inflow(CAPACITY);
  private final Inflow responses = new Inflow(CAPACITY);
  private final List<Exchange> opened = new ArrayList<>();
  private final List<Exchange> ended = new ArrayList<>();
  private final Set<Exchange> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Lost, Integer> lost = new EnumMap<>(Lost.class);
  private boolean tls;
  private boolean whole = true;
  private int capture = Integer.MAX_VALUE;
  private @Nullable InetSocketAddress serverAddress;
  private @Nullable Conversation conversation;
  private boolean switched;
  private boolean mistaken;
  private long time = 1000;

  private ConversationKit(Protocol protocol, boolean server) {
    this.protocol = protocol;
    this.server = server;
  }

  /** The observed process is the client. */
  public static ConversationKit client(Protocol protocol) {
    return new ConversationKit(protocol, false);
  }

  /** The observed process is the server. */
  public static ConversationKit server(Protocol protocol) {
    return new ConversationKit(protocol, true);
  }

  public ConversationKit overTls() {
    tls = true;
    return this;
  }

  /** The connection is older than what is seen of it. */
  public ConversationKit joinedLate() {
    whole = false;
    return this;
  }

  /** At most so many bytes of a call are captured. */
  public ConversationKit capturing(int bytes) {
    capture = bytes;
    return this;
  }

  public ConversationKit serverAt(InetSocketAddress address) {
    serverAddress = address;
    return this;
  }

  /** Plays calls, each with a time of its own; after the protocol has left, nothing happens. */
  public ConversationKit play(Session session) {
    for (Session.Move move : session.moves()) {
      move(move.side(), move.bytes());
    }
    return this;
  }

  /** One call, and the piece that stands for it. */
  public Piece move(Side side, byte[] bytes) {
    time += 1000;
    Piece piece = new Piece(time, 1, 1);
    move(side, piece, bytes);
    return piece;
  }

  public void move(Side side, Piece piece, byte[] bytes) {
    inflow(side).append(piece, bytes, 0, Math.min(capture, bytes.length), bytes.length);
    if (switched || mistaken) {
      return;
    }
    if (conversation == null) {
      conversation = protocol.begin(this);
    }
    conversation.advance(side);
  }

  /** Bytes that nobody captured, for example because the ring was full and that was noticed. */
  public ConversationKit gap(Side side, long size) {
    time += 1000;
    inflow(side).append(new Piece(time, 1, 1), new byte[0], 0, 0, size);
    if (conversation != null && !switched && !mistaken) {
      conversation.advance(side);
    }
    return this;
  }

  /** The connection ends. */
  public ConversationKit end() {
    time += 1000;
    if (conversation != null && !switched && !mistaken) {
      conversation.end(new Piece(time, 1, 1));
    }
    return this;
  }

  /** Plays a session as the client sees it, to its end. */
  public static List<String> toldOf(Protocol protocol, Session session) {
    return client(protocol).play(session).end().told();
  }

  /** Whatever way a session is cut, the same is told of it. */
  public static void assertCutsDoNotMatter(Protocol protocol, Session session) {
    List<String> told = toldOf(protocol, session);
    assertThat(toldOf(protocol, session.inPiecesOf(1))).as("byte by byte").isEqualTo(told);
    assertThat(toldOf(protocol, session.inPiecesOf(7))).as("in pieces of 7").isEqualTo(told);
    for (int at = 1; at < session.size(); at++) {
      assertThat(toldOf(protocol, session.cutAt(at))).as("cut at %d", at).isEqualTo(told);
    }
  }

  /**
   * Whichever call is not seen, nothing wrong is told as complete but for sizes: at most something
   * is left out. No more exchanges are missing than those.
   */
  public static void assertLossIsLocal(Protocol protocol, Session session, int mostMissing) {
    List<String> told = toldOf(protocol, session);
    for (int i = 0; i < session.moves().size(); i++) {
      List<Set<String>> left = new ArrayList<>(told.stream().map(ConversationKit::words).toList());
      for (String line : toldOf(protocol, session.without(i))) {
        assertThat(removeOneWith(left, words(line)) || line.endsWith("broken"))
            .as("without call %d: %s", i, line)
            .isTrue();
      }
      assertThat(left).as("without call %d", i).hasSizeLessThanOrEqualTo(mostMissing);
    }
  }

  private static Set<String> words(String line) {
    return Set.copyOf(List.of(line.replaceAll("\\d+B/\\d+B ", "").split(" ")));
  }

  private static boolean removeOneWith(List<Set<String>> all, Set<String> words) {
    return all.remove(words)
        || all.stream()
            .filter(one -> one.containsAll(words))
            .findFirst()
            .map(all::remove)
            .orElse(false);
  }

  /** What the protocol thinks of a session's first bytes of one side. */
  public static Likeness judge(Protocol protocol, Side side, byte[] bytes) {
    Inflow inflow = new Inflow(CAPACITY);
    if (bytes.length > 0) {
      inflow.append(new Piece(1, 1, 1), bytes, 0, bytes.length, bytes.length);
    }
    Likeness likeness = protocol.judge(side, inflow);
    assertThat(inflow.size()).as("what is left after judging").isEqualTo(bytes.length);
    return likeness;
  }

  public List<Exchange> opened() {
    return opened;
  }

  public List<Exchange> ended() {
    return ended;
  }

  public Map<Lost, Integer> lost() {
    return lost;
  }

  public boolean isSwitched() {
    return switched;
  }

  public boolean isMistaken() {
    return mistaken;
  }

  public boolean isOpen() {
    return conversation != null && conversation.isOpen();
  }

  /** Each exchange that ended, as a line: all that does not depend on how the bytes were cut. */
  public List<String> told() {
    return ended.stream().map(ConversationKit::line).toList();
  }

  /** An exchange as a line. */
  public static String line(Exchange exchange) {
    Map<String, AttributeValue> attributes = new TreeMap<>(exchange.attributes());
    StringBuilder line = new StringBuilder(exchange.name()).append(' ');
    attributes.forEach(
        (key, value) -> line.append(key).append('=').append(text(value)).append(' '));
    line.append(exchange.requestBytes()).append("B/").append(exchange.responseBytes()).append("B ");
    if (exchange.carried() != null) {
      line.append(exchange.carried()).append(' ');
    }
    if (exchange.errorType() != null) {
      line.append("failed: ").append(exchange.errorType()).append(' ');
    }
    return line.append(exchange.isComplete() ? "complete" : "broken").toString();
  }

  /** The value of an attribute as text; null if there is none. */
  public static @Nullable String attribute(Exchange exchange, String key) {
    AttributeValue value = exchange.attributes().get(key);
    return value == null ? null : text(value);
  }

  private static String text(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text text -> text.value();
      case AttributeValue.Whole whole -> Long.toString(whole.value());
      case AttributeValue.Flag flag -> Boolean.toString(flag.value());
      case AttributeValue.Real real -> Double.toString(real.value());
      case AttributeValue.Array array ->
          array.values().stream().map(ConversationKit::text).toList().toString();
    };
  }

  @Override
  public Inflow inflow(Side side) {
    return side == Side.REQUESTS ? requests : responses;
  }

  @Override
  public boolean isServer() {
    return server;
  }

  @Override
  public boolean isTls() {
    return tls;
  }

  @Override
  public @Nullable InetSocketAddress server() {
    return serverAddress;
  }

  @Override
  public @Nullable InetSocketAddress client() {
    return null;
  }

  @Override
  public boolean isWhole() {
    return whole;
  }

  @Override
  public void opened(Exchange exchange) {
    assertThat(open.add(exchange)).as("opened once").isTrue();
    opened.add(exchange);
  }

  @Override
  public void ended(Exchange exchange) {
    assertThat(open.remove(exchange)).as("ended once, after it was opened").isTrue();
    ended.add(exchange);
  }

  @Override
  public void lost(Lost reason) {
    lost.merge(reason, 1, Integer::sum);
  }

  @Override
  public void switched() {
    switched = true;
  }

  @Override
  public void mistaken() {
    mistaken = true;
  }
}
