/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection that speaks HTTP/2. */
final class Http2Conversation implements Conversation {
  private static final int MOST_OPEN = 1024;

  /** So many others may end before a stream that is silent behind a gap is taken as ended. */
  private static final int PATIENCE = 16;

  private static final int LONGEST_METHOD = 1024;
  private static final int HEADER_TABLE_SIZE = 1;
  private static final int MAX_FRAME_SIZE = 5;
  private static final List<String> ERRORS =
      List.of(
          "NO_ERROR",
          "PROTOCOL_ERROR",
          "INTERNAL_ERROR",
          "FLOW_CONTROL_ERROR",
          "SETTINGS_TIMEOUT",
          "STREAM_CLOSED",
          "FRAME_SIZE_ERROR",
          "REFUSED_STREAM",
          "CANCEL",
          "COMPRESSION_ERROR",
          "CONNECT_ERROR",
          "ENHANCE_YOUR_CALM",
          "INADEQUATE_SECURITY",
          "HTTP_1_1_REQUIRED");

  private final Channel channel;
  private final HttpAttributes attributes;
  private final Direction requests;
  private final Direction responses;
  private final Map<Integer, Stream> open = new LinkedHashMap<>();
  private int lastRequest;
  private long endedStreams;
  private boolean understood;
  private boolean lossy;
  private boolean over;

  Http2Conversation(Channel channel, HttpAttributes attributes) {
    this.channel = channel;
    this.attributes = attributes;
    this.requests = new Direction(Side.REQUESTS);
    this.responses = new Direction(Side.RESPONSES);
    if (!channel.isWhole()) {
      requests.blocks.forget();
      responses.blocks.forget();
    }
  }

  /** The connection was HTTP/1, and this request is to be answered on stream 1. */
  void upgrade(Exchange first, @Nullable String settings) {
    understood = true;
    lastRequest = 1;
    first.put("network.protocol.version", "2");
    open.put(1, new Stream(first, false));
    requests.restart();
    responses.restart();
    if (settings != null) {
      try {
        requests.settings(Base64.getUrlDecoder().decode(settings));
      } catch (IllegalArgumentException e) {
        channel.lost(Lost.MALFORMED);
      }
    }
  }

  @Override
  public void advance(Side side) {
    while (!over) {
      Direction first = isResponseNext() ? responses : requests;
      if (!first.reader.step()
          && (over || !(first == requests ? responses : requests).reader.step())) {
        break;
      }
    }
  }

  private boolean isResponseNext() {
    FrameReader one = requests.reader;
    FrameReader other = responses.reader;
    if (!one.hasBytes() || !other.hasBytes()) {
      return other.hasBytes();
    }
    return other.inflow().piece(0).time() < one.inflow().piece(0).time();
  }

  @Override
  public void end(Piece by) {
    for (Stream stream : List.copyOf(open.values())) {
      Exchange exchange = stream.exchange();
      if (exchange == null) {
        continue;
      }
      if (channel.isServer() || lossy) {
        stream.conclude(exchange, channel.isServer(), false);
      } else {
        stream.fail(exchange, Stream.CLOSED, false, false);
      }
      channel.ended(exchange.broken(by));
    }
    open.clear();
    over = true;
  }

  @Override
  public boolean isOpen() {
    return !open.isEmpty();
  }

  private void request(int id, RequestBlock block, boolean all, Piece begin, Piece end) {
    concludeUnseen();
    lastRequest = id;
    understood = true;
    if (open.size() >= MOST_OPEN) {
      channel.lost(Lost.TOO_MANY_OPEN);
      Map.Entry<Integer, Stream> oldest = open.entrySet().iterator().next();
      finish(oldest.getKey(), oldest.getValue(), end, false);
    }
    if (!block.isKnown(all)) {
      // The request counts all the same for what was decided about those of its piece.
      end.nextHead();
      channel.lost(Lost.GAP);
      open.put(id, new Stream(null, false));
      return;
    }
    boolean grpc = block.isGrpc();
    Exchange exchange =
        grpc ? grpc(block, begin) : attributes.exchange(block.head(), channel, begin);
    exchange.head(end);
    open.put(id, new Stream(exchange, grpc));
    channel.opened(exchange);
  }

  private Exchange grpc(RequestBlock block, Piece begin) {
    String target = block.head().target();
    String method = target.substring(1, Math.min(target.length(), LONGEST_METHOD));
    Exchange exchange = new Exchange("grpc", method, begin);
    exchange.put("rpc.system.name", "grpc").put("rpc.method", method);
    HttpAttributes.putServer(exchange, block.head(), channel);
    return exchange.carried(block.head().carried());
  }

  private void finish(int id, Stream stream, Piece last, boolean complete) {
    open.remove(id);
    endedStreams++;
    Exchange exchange = stream.exchange();
    if (exchange == null) {
      return;
    }
    boolean certain = complete && responses.blocks.isCertain();
    stream.conclude(exchange, channel.isServer(), certain);
    channel.ended(complete ? exchange.complete(last) : exchange.broken(last));
  }

  private void fail(int id, String error, boolean byClient, Piece piece) {
    Stream stream = open.remove(id);
    Exchange exchange = stream == null ? null : stream.exchange();
    if (stream != null && exchange != null) {
      stream.fail(exchange, error, byClient, channel.isServer());
      channel.ended(exchange.broken(piece));
    }
  }

  /** Ends streams whose end fell into a gap. */
  private void concludeUnseen() {
    if (!lossy) {
      return;
    }
    for (Map.Entry<Integer, Stream> entry : List.copyOf(open.entrySet())) {
      Piece end = entry.getValue().unseenEnd(endedStreams, PATIENCE);
      if (end != null) {
        finish(entry.getKey(), entry.getValue(), end, false);
      }
    }
  }

  /** One direction: its frames, and the table of its header blocks. */
  private final class Direction implements FrameReader.Listener {
    private final Side side;
    private FrameReader reader;
    private final HeaderBlocks blocks = new HeaderBlocks();

    Direction(Side side) {
      this.side = side;
      this.reader = new FrameReader(side, channel.inflow(side), this, channel.isWhole());
    }

    /** HTTP/2 begins here, whatever was before. */
    void restart() {
      reader = new FrameReader(side, channel.inflow(side), this, true);
    }

    @Override
    public void block(
        int stream,
        byte[] block,
        boolean whole,
        boolean endStream,
        boolean promise,
        Piece begin,
        Piece end) {
      if (side == Side.REQUESTS) {
        RequestBlock fields = new RequestBlock();
        boolean readable = read(block, whole, fields);
        if (fields.isWrong()) {
          distrust();
        } else if (!open.containsKey(stream)
            && stream > lastRequest
            && !(fields.isTrailer() && readable)) {
          request(stream, fields, readable, begin, end);
        }
        return;
      }
      ResponseBlock fields = new ResponseBlock();
      read(block, whole, fields);
      if (fields.isWrong()) {
        distrust();
      }
      Stream answered = open.get(stream);
      if (promise) {
        return;
      }
      if (answered == null) {
        if (stream > lastRequest) {
          channel.lost(Lost.NO_REQUEST);
        }
        return;
      }
      if (!fields.isWrong() && (fields.status() == 0 || fields.status() >= 200)) {
        answered.answered(fields);
      }
      if (endStream) {
        finish(stream, answered, end, true);
      }
    }

    private boolean read(byte[] block, boolean whole, HeaderBlocks.Fields fields) {
      boolean readable = blocks.decode(block, fields);
      if (!whole) {
        channel.lost(Lost.GAP);
        lossy = true;
        blocks.forget();
      }
      return readable && whole;
    }

    private void distrust() {
      channel.lost(Lost.MALFORMED);
      lossy = true;
      blocks.forget();
    }

    @Override
    public void data(int id, long size, boolean endStream, Piece last) {
      Stream stream = open.get(id);
      if (stream == null) {
        return;
      }
      if (side == Side.REQUESTS) {
        stream.sent(size);
        return;
      }
      stream.received(size);
      if (!stream.isAnswered() && blocks.isCertain()) {
        // No data without a head: its block, at least, was missed.
        channel.lost(Lost.GAP);
        lossy = true;
        blocks.forget();
      }
      if (endStream) {
        finish(id, stream, last, true);
      }
    }

    @Override
    public void reset(int stream, int code, Piece piece) {
      String error = code >= 0 && code < ERRORS.size() ? ERRORS.get(code) : "_OTHER";
      fail(stream, error, side == Side.REQUESTS, piece);
    }

    @Override
    public void settings(byte[] payload) {
      understood = true;
      Direction other = side == Side.REQUESTS ? responses : requests;
      for (int i = 0; i + 6 <= payload.length; i += 6) {
        int name = (payload[i] & 0xff) << 8 | (payload[i + 1] & 0xff);
        long value = FrameReader.number(payload, i + 2) & 0xffffffffL;
        if (name == HEADER_TABLE_SIZE) {
          other.blocks.allow(value);
        } else if (name == MAX_FRAME_SIZE) {
          other.reader.allow((int) Math.min(value, Frame.LARGEST_LENGTH));
        }
      }
    }

    @Override
    public void goAway(int lastStream, Piece piece) {
      if (side == Side.REQUESTS) {
        return;
      }
      // RFC 9113, section 6.8: what is above was not and will not be processed.
      for (int id : new ArrayList<>(open.keySet())) {
        if (id > lastStream) {
          fail(id, "REFUSED_STREAM", false, piece);
        }
      }
    }

    @Override
    public void lost(Lost reason) {
      lossy = true;
      channel.lost(reason);
      if (!understood && !requests.reader.isBegun()) {
        over = true;
        channel.mistaken();
        return;
      }
      blocks.forget();
      if (side == Side.RESPONSES) {
        Piece place = channel.inflow(side).skipped();
        for (Stream stream : open.values()) {
          stream.doubt(place, open.size() == 1, endedStreams);
        }
      }
    }
  }
}
