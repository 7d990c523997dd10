/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import dev.sennit.profiles.ProfileExport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Divides profiles into messages of a bounded size, of which one at a time is in memory. */
final class ProfileParts implements OtlpProfileWriter.Parts {
  private final Consumer<byte[]> exporter;
  private @Nullable ByteArrayOutputStream current;

  private ProfileParts(Consumer<byte[]> exporter) {
    this.exporter = exporter;
  }

  /**
   * Hands profiles over in as many messages as it takes.
   *
   * @throws IOException if one event with its stack is too large for a message; those before it
   *     have been handed over
   */
  static void send(ProfileExport profiles, long maxSize, Consumer<byte[]> exporter)
      throws IOException {
    ProfileParts parts = new ProfileParts(exporter);
    try {
      OtlpProfileWriter.writeSplit(profiles, Kind.PROTO, maxSize, parts);
    } catch (IOException e) {
      // Writing to memory does not fail so: the message before what is too large is whole.
      parts.handOver();
      throw e;
    }
    parts.handOver();
  }

  /**
   * That a stream is closed does not say that its message is whole; that the next is wanted does.
   */
  @Override
  public OutputStream open(int part) {
    handOver();
    ByteArrayOutputStream next = new ByteArrayOutputStream();
    current = next;
    return next;
  }

  private void handOver() {
    if (current != null) {
      byte[] message = current.toByteArray();
      current = null;
      exporter.accept(message);
    }
  }
}
