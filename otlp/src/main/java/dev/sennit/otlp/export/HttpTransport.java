/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexerFactory;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.nio.command.ShutdownCommand;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.ClientH2StreamMultiplexerFactory;
import org.apache.hc.core5.http2.impl.nio.ClientHttpProtocolNegotiationStarter;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.EndpointParameters;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one host, made when it is needed, with one daemon thread for as long as it
 * lasts. HTTP/1.1, or HTTP/2 from the first byte, which is how gRPC speaks without TLS.
 */
final class HttpTransport {
  private static final String THREAD_NAME = "sennit-export-io";
  private static final TimeValue GOODBYE = TimeValue.ofSeconds(1);

  /** How soon the library's thread notices that a connection has ended. */
  private static final TimeValue LOOK = TimeValue.ofMilliseconds(50);

  private final HttpHost host;
  private final HttpVersionPolicy version;
  private final TlsFiles tlsFiles;
  private final long timeoutNanos;

  private @Nullable TlsStrategy tls;
  private @Nullable DefaultConnectingIOReactor reactor;
  private @Nullable IOSession session;
  private @Nullable HttpExchange current;
  private boolean closed;

  HttpTransport(ExportSettings settings) {
    URI endpoint = settings.endpoint();
    boolean secure = endpoint.getScheme().equalsIgnoreCase("https");
    int port = endpoint.getPort() >= 0 ? endpoint.getPort() : secure ? 443 : 80;
    host = new HttpHost(secure ? "https" : "http", withoutBrackets(endpoint.getHost()), port);
    version =
        settings.protocol() == Protocol.GRPC
            ? HttpVersionPolicy.FORCE_HTTP_2
            : HttpVersionPolicy.FORCE_HTTP_1;
    tlsFiles = settings.tls();
    if (secure) {
      TlsConnections.check(tlsFiles);
    }
    timeoutNanos = settings.timeout().toNanos();
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  HttpHost host() {
    return host;
  }

  /** Sends a request and waits for the answer. */
  HttpAnswer exchange(HttpRequest request, byte[] body) throws NoAnswerException {
    long deadline = System.nanoTime() + timeoutNanos;
    HttpExchange exchange = new HttpExchange(request, body);
    synchronized (this) {
      current = exchange;
    }
    try {
      connect(deadline)
          .enqueue(
              new RequestExecutionCommand(exchange, HttpCoreContext.create()),
              Command.Priority.NORMAL);
      HttpAnswer answer = exchange.await(deadline - System.nanoTime());
      if (!exchange.abandon()) {
        // The answer came before the request was out: what follows on this connection is lost.
        abort();
      }
      return answer;
    } catch (TimeoutException e) {
      boolean complete = exchange.abandon();
      abort();
      String what = complete ? "no answer" : "not sent";
      throw new NoAnswerException(
          what + " within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms", complete, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean complete = exchange.abandon() && !isRefused(cause);
      abort();
      throw new NoAnswerException(describe(cause), complete, cause);
    } catch (IOException | RuntimeException e) {
      // Files of certificates that cannot be decoded, and the library where it is being closed.
      boolean complete = exchange.abandon();
      abort();
      throw new NoAnswerException(describe(e), complete, e);
    } catch (InterruptedException e) {
      boolean complete = exchange.abandon();
      abort();
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted", complete, e);
    } finally {
      synchronized (this) {
        current = null;
      }
    }
  }

  /** RFC 9113, section 8.7: a stream that is refused was not processed in any way. */
  private static boolean isRefused(Throwable cause) {
    return cause instanceof H2StreamResetException reset
        && reset.getCode() == H2Error.REFUSED_STREAM.getCode();
  }

  private static String describe(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }

  private IOSession connect(long deadline)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    synchronized (this) {
      if (session != null && session.isOpen()) {
        return session;
      }
    }
    disconnect();
    InetAddress[] addresses = InetAddress.getAllByName(host.getHostName());
    for (int i = 0; ; i++) {
      long left = (deadline - System.nanoTime()) / (addresses.length - i);
      try {
        return connect(new InetSocketAddress(addresses[i], host.getPort()), left);
      } catch (ExecutionException | TimeoutException e) {
        if (i == addresses.length - 1) {
          throw e;
        }
      }
    }
  }

  private IOSession connect(InetSocketAddress address, long nanos)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Future<IOSession> connecting =
        reactor()
            .connect(
                host,
                address,
                null,
                Timeout.of(Math.max(nanos, 1), TimeUnit.NANOSECONDS),
                new EndpointParameters(host, version),
                null);
    IOSession connected;
    try {
      connected = connecting.get(nanos, TimeUnit.NANOSECONDS);
    } catch (CancellationException e) {
      throw new ConnectionClosedException("closed");
    } catch (TimeoutException | InterruptedException e) {
      connecting.cancel(true);
      throw e;
    }
    synchronized (this) {
      session = connected;
      return connected;
    }
  }

  private synchronized DefaultConnectingIOReactor reactor() throws IOException {
    if (closed) {
      throw new ConnectionClosedException("closed");
    }
    if (reactor == null) {
      if (tls == null && host.getSchemeName().equals("https")) {
        tls = TlsConnections.strategy(tlsFiles);
      }
      reactor = newReactor();
      reactor.start();
    }
    return reactor;
  }

  private DefaultConnectingIOReactor newReactor() {
    HttpProcessor http1 =
        HttpProcessorBuilder.create()
            .addAll(RequestTargetHost.INSTANCE, RequestContent.INSTANCE)
            .build();
    // HTTP/2 has the host among the pseudo-headers, and lengths in its frames.
    HttpProcessor http2 = HttpProcessorBuilder.create().build();
    H2Config config = H2Config.custom().setPushEnabled(false).build();
    return new DefaultConnectingIOReactor(
        new ClientHttpProtocolNegotiationStarter(
            new ClientHttp1StreamDuplexerFactory(
                http1, Http1Config.DEFAULT, CharCodingConfig.DEFAULT),
            new ClientH2StreamMultiplexerFactory(
                http2, null, config, CharCodingConfig.DEFAULT, null),
            version,
            tls,
            Timeout.of(timeoutNanos, TimeUnit.NANOSECONDS),
            null),
        IOReactorConfig.custom()
            .setIoThreadCount(1)
            .setSelectInterval(LOOK)
            .setTcpNoDelay(true)
            .build(),
        this::newThread,
        null,
        null,
        null,
        ShutdownCommand.GRACEFUL_NORMAL_CALLBACK);
  }

  private Thread newThread(Runnable task) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(THREAD_NAME)
            .inheritInheritableThreadLocals(false)
            .unstarted(task);
    thread.setContextClassLoader(null);
    // Otherwise an error goes to the application's handler, or to its standard error.
    thread.setUncaughtExceptionHandler((ended, error) -> connectionFailed(error));
    return thread;
  }

  private synchronized void connectionFailed(Throwable error) {
    if (current != null) {
      current.failed(new IOException("the thread of the connection ended: " + error, error));
    }
  }

  /** Ends the connection in order, if there is one; the next request makes a new one. */
  void disconnect() {
    end(true);
  }

  private void abort() {
    end(false);
  }

  void close() {
    synchronized (this) {
      closed = true;
    }
    abort();
  }

  private void end(boolean inOrder) {
    @Nullable DefaultConnectingIOReactor ended;
    synchronized (this) {
      ended = reactor;
      reactor = null;
      session = null;
    }
    if (ended == null) {
      return;
    }
    if (inOrder) {
      ended.initiateShutdown();
      try {
        ended.awaitShutdown(GOODBYE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    ended.close(CloseMode.IMMEDIATE);
  }
}
