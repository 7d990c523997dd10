/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a failure in the midst of a request means: the collector cannot have what it did not get
 * whole, and may have what it did.
 */
class LostAnswerTest {
  private final ServerSocket server;

  LostAnswerTest() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getByName("localhost"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** What a server does with the first connection to it. */
  private interface Session {
    void run(Socket socket) throws IOException;
  }

  private SendResult sendTo(Session session, Protocol protocol, byte[] message) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                // What is closed now is reset, as if its process had died.
                socket.setSoLinger(true, 0);
                session.run(socket);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    ExportSettings settings =
        new TestSettings()
            .property("sennit.otlp.endpoint", "http://localhost:" + server.getLocalPort())
            .property("sennit.otlp.protocol", protocol.settingValue())
            .property("sennit.otlp.timeout", "20s")
            .read();
    try (OtlpSender sender = OtlpSender.create(settings)) {
      return sender.send(message);
    }
  }

  private static void readFully(InputStream in, int length) throws IOException {
    assertThat(in.readNBytes(length)).hasSize(length);
  }

  @Test
  void aRequestThatWasNotReadWholeCanBeSentAgain() {
    byte[] large = Messages.numbered(1, 30_000_000);
    assertThat(
            sendTo(
                socket -> readFully(socket.getInputStream(), 1_000_000),
                Protocol.HTTP_PROTOBUF,
                large))
        .isInstanceOf(SendResult.Retry.class);
  }

  @Test
  void aConnectionThatEndsBeforeTheFirstByteOfGrpcCanBeTriedAgain() {
    assertThat(sendTo(socket -> {}, Protocol.GRPC, Messages.numbered(1)))
        .isInstanceOf(SendResult.Retry.class);
  }

  @Test
  void aRequestThatWasReadAndNotAnsweredMayHaveArrived() {
    byte[] message = Messages.numbered(1, 100_000);
    assertThat(
            sendTo(
                socket -> {
                  InputStream in = socket.getInputStream();
                  readHead(in);
                  readFully(in, message.length);
                },
                Protocol.HTTP_PROTOBUF,
                message))
        .isInstanceOf(SendResult.Unknown.class);
  }

  @Test
  void anAnswerThatBreaksOffMayHaveBeenAYes() {
    byte[] message = Messages.numbered(1);
    assertThat(
            sendTo(
                socket -> {
                  InputStream in = socket.getInputStream();
                  readHead(in);
                  readFully(in, message.length);
                  socket.setSoLinger(false, 0);
                  socket
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"
                              .getBytes(StandardCharsets.US_ASCII));
                },
                Protocol.HTTP_PROTOBUF,
                message))
        .isInstanceOf(SendResult.Unknown.class);
  }

  @Test
  void anAnswerThatComesBeforeTheRequestIsOutCounts() {
    byte[] large = Messages.numbered(1, 30_000_000);
    SendResult result =
        sendTo(
            socket -> {
              socket.setSoLinger(false, 0);
              readHead(socket.getInputStream());
              socket
                  .getOutputStream()
                  .write(
                      "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                          .getBytes(StandardCharsets.US_ASCII));
              socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
            },
            Protocol.HTTP_PROTOBUF,
            large);
    assertThat(result).isEqualTo(new SendResult.Rejected("HTTP status 413"));
  }

  @Test
  void somethingThatSpeaksAnotherProtocolDoesNotHaveTheMessage() {
    SendResult result =
        sendTo(
            socket -> {
              socket.setSoLinger(false, 0);
              readFully(socket.getInputStream(), 24);
              socket
                  .getOutputStream()
                  .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            },
            Protocol.GRPC,
            Messages.numbered(1));
    assertThat(result)
        .isInstanceOfSatisfying(
            SendResult.Retry.class, retry -> assertThat(retry.after()).isEqualTo(Optional.empty()));
  }

  private static void readHead(InputStream in) throws IOException {
    int matched = 0;
    while (matched < 4) {
      int b = in.read();
      assertThat(b).isNotNegative();
      matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
    }
  }
}
