/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * One request with its body and the answer to it. It knows whether the request has gone out whole,
 * which decides what its failure means. The library calls it on its own thread.
 */
final class HttpExchange implements AsyncClientExchangeHandler {
  /** No answer of OTLP is longer, and what somebody else answers is not worth more memory. */
  private static final int MAX_ANSWER = 64 << 10;

  private final HttpRequest request;
  private final ByteBuffer body;
  private final CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
  private final List<Header> answerHeaders = new ArrayList<>();
  private final ByteArrayOutputStream answerBody = new ByteArrayOutputStream();
  private int status;
  private boolean complete;
  private boolean abandoned;

  HttpExchange(HttpRequest request, byte[] body) {
    this.request = request;
    this.body = ByteBuffer.wrap(body);
  }

  HttpAnswer await(long nanos) throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Sees to it that nothing more is written.
   *
   * @return whether everything was
   */
  synchronized boolean abandon() {
    abandoned = true;
    return complete;
  }

  @Override
  public void produceRequest(RequestChannel channel, HttpContext context)
      throws HttpException, IOException {
    channel.sendRequest(request, new BasicEntityDetails(body.remaining(), null), context);
  }

  @Override
  public int available() {
    return body.remaining();
  }

  @Override
  public synchronized void produce(DataStreamChannel channel) throws IOException {
    if (abandoned) {
      throw new ConnectionClosedException("given up");
    }
    channel.write(body);
    if (!body.hasRemaining() && !complete) {
      // Before the end of the stream is written, for then the other side may act.
      complete = true;
      channel.endStream();
    }
  }

  @Override
  public void consumeInformation(HttpResponse response, HttpContext context) {}

  @Override
  public void consumeResponse(
      HttpResponse response, @Nullable EntityDetails entity, HttpContext context) {
    status = response.getCode();
    Collections.addAll(answerHeaders, response.getHeaders());
    if (entity == null) {
      finish();
    }
  }

  @Override
  public void updateCapacity(CapacityChannel channel) throws IOException {
    channel.update(Integer.MAX_VALUE);
  }

  @Override
  public void consume(ByteBuffer source) {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    answerBody.write(bytes, 0, Math.min(bytes.length, MAX_ANSWER - answerBody.size()));
  }

  @Override
  public void streamEnd(@Nullable List<? extends Header> trailers) {
    if (trailers != null) {
      answerHeaders.addAll(trailers);
    }
    finish();
  }

  private void finish() {
    answer.complete(new HttpAnswer(status, List.copyOf(answerHeaders), answerBody.toByteArray()));
  }

  @Override
  public void failed(Exception cause) {
    answer.completeExceptionally(cause);
  }

  @Override
  public void cancel() {
    answer.completeExceptionally(new ConnectionClosedException("connection closed"));
  }

  /** Comes last, and for some failures of a connection it is all that comes. */
  @Override
  public void releaseResources() {
    cancel();
  }
}
