/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to one listener. What is sent goes out at once; a slow listener slows its sender only.
 */
public final class Events {
  /** Often enough to notice that a listener has gone, and for proxies that end what is silent. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private final Supplier<OutputStream> opening;
  private @Nullable OutputStream out;
  private long lastSent = System.nanoTime();

  Events(Supplier<OutputStream> opening) {
    this.opening = opening;
  }

  /** Writes the data of an event. */
  public interface Data {
    void write(JsonGenerator out) throws IOException;
  }

  /**
   * Sends an event.
   *
   * @param name which the page listens for
   */
  public void send(String name, Data data) throws IOException {
    write(event(name, data));
  }

  /** An event as it goes out, to be sent to several listeners. */
  static byte[] event(String name, Data data) throws IOException {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.write(("event: " + name + "\ndata: ").getBytes(UTF_8));
    try (JsonGenerator json = Json.generator(event)) {
      data.write(json);
    }
    event.write("\n\n".getBytes(UTF_8));
    return event.toByteArray();
  }

  void heartbeat() throws IOException {
    write(":\n\n".getBytes(UTF_8));
  }

  /**
   * Waits, and lets the listener know meanwhile that it is not forgotten.
   *
   * @throws IOException if the listener has gone
   */
  public void pause(Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      long untilHeartbeat = lastSent + HEARTBEAT.toNanos() - System.nanoTime();
      if (untilHeartbeat <= 0) {
        heartbeat();
      } else {
        Thread.sleep(Duration.ofNanos(Math.min(left, untilHeartbeat)));
      }
    }
  }

  void write(byte[] bytes) throws IOException {
    OutputStream stream = out == null ? opening.get() : out;
    out = stream;
    stream.write(bytes);
    stream.flush();
    lastSent = System.nanoTime();
  }

  boolean isOpen() {
    return out != null;
  }

  void end() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
