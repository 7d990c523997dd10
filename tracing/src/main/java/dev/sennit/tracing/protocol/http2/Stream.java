/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.traffic.Piece;
import org.jspecify.annotations.Nullable;

/** A request that waits for the end of its response. */
final class Stream {
  /** Of a client's request whose connection ended before the response did. */
  static final String CLOSED = "connection_closed";

  private final @Nullable Exchange exchange;
  private final boolean grpc;
  private long requestBytes;
  private long responseBytes;
  private int status;
  private boolean answered;
  private @Nullable String grpcStatus;
  private @Nullable Piece doubt;
  private boolean alone;
  private long doubtSince;

  /**
   * @param exchange null if it is not known what the request is about
   */
  Stream(@Nullable Exchange exchange, boolean grpc) {
    this.exchange = exchange;
    this.grpc = grpc;
  }

  @Nullable Exchange exchange() {
    return exchange;
  }

  /** More of the request's body. */
  void sent(long bytes) {
    requestBytes += bytes;
  }

  /** More of the response's body. */
  void received(long bytes) {
    responseBytes += bytes;
    doubt = null;
  }

  /** A block of the response: its head or its trailers. */
  void answered(ResponseBlock block) {
    doubt = null;
    answered = true;
    if (block.status() >= 200) {
      status = block.status();
    }
    if (block.grpcStatus() != null) {
      grpcStatus = block.grpcStatus();
    }
  }

  boolean isAnswered() {
    return answered;
  }

  /** The response may have ended unseen, at this place or before. */
  void doubt(Piece piece, boolean onlyOne, long ended) {
    doubt = piece;
    alone = onlyOne;
    doubtSince = ended;
  }

  /** Where it ended, most probably; null while it may go on. */
  @Nullable Piece unseenEnd(long ended, long patience) {
    return alone || ended - doubtSince >= patience ? doubt : null;
  }

  /** Puts what is known of the result. */
  void conclude(Exchange result, boolean server, boolean certain) {
    result.sizes(requestBytes, responseBytes);
    if (!grpc) {
      if (status != 0) {
        HttpAttributes.putStatus(result, status, server);
      }
    } else if (grpcStatus != null) {
      GrpcStatus.put(result, GrpcStatus.ofTrailer(grpcStatus), server);
    } else if (certain && status != 0) {
      GrpcStatus.put(result, GrpcStatus.ofHttp(status), server);
    }
  }

  /** It was reset, or its connection has ended. */
  void fail(Exchange result, String error, boolean byClient, boolean server) {
    result.sizes(requestBytes, responseBytes);
    if (grpc) {
      GrpcStatus.put(result, GrpcStatus.ofReset(error), server);
      return;
    }
    if (status != 0) {
      HttpAttributes.putStatus(result, status, server);
    }
    // To a server it is no error that a client does not want its answer any more.
    if (!error.equals("NO_ERROR") && !(server && byClient)) {
      result.failed(error);
    }
  }
}
