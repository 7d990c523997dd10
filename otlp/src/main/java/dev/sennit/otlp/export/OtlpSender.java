/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/**
 * Sends messages of one signal to one collector, one at a time: {@code send} is for a single
 * thread, {@code close} for any.
 */
public interface OtlpSender extends AutoCloseable {
  /**
   * A sender by the protocol of the settings. Nothing is connected yet.
   *
   * @throws IllegalArgumentException naming the setting, if a file of certificates cannot be used
   */
  static OtlpSender create(ExportSettings settings) {
    return switch (settings.protocol()) {
      case GRPC -> new GrpcSender(settings);
      case HTTP_PROTOBUF -> new HttpSender(settings);
    };
  }

  /**
   * Sends a request message, such as an {@code ExportProfilesServiceRequest}, and waits for the
   * answer, for as long as the settings allow. Never throws.
   */
  SendResult send(byte[] message);

  /** Gives up the connection and its thread until something is to be sent again. */
  void disconnect();

  /** Ends a {@link #send} that is under way, and every later one. */
  @Override
  void close();
}
