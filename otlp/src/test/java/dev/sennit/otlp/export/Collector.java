/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.concurrent.BlockingQueue;

/** A collector of profiles, whatever it speaks. */
interface Collector extends AutoCloseable {
  /**
   * Starts one in this process.
   *
   * @param port 0 for any
   */
  static Collector start(Protocol protocol, int port) {
    return switch (protocol) {
      case GRPC -> GrpcCollector.start(port);
      case HTTP_PROTOBUF -> HttpCollector.start(port);
    };
  }

  int port();

  /** The numbers of the messages that came in, in their order. */
  BlockingQueue<Integer> received();

  /** Has this run when a message has been read, before the answer to it. */
  void beforeAnswer(Interruption interruption);

  /** What happens between a request and its answer. */
  interface Interruption {
    void onRequest(int number) throws InterruptedException;
  }

  @Override
  void close();
}
