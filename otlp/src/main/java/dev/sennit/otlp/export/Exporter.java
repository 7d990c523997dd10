/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages in the background, in order and once each, and keeps them on disk while the
 * collector is away. A message goes out again only if the answer to it was lost.
 *
 * <p>Nothing happens before the first message: until then there is no thread and no connection, and
 * what an earlier process left waits. While the collector takes everything, a message goes straight
 * from memory; one that cannot be sent at once goes to disk, and so do those after it. What is in
 * memory is bounded: a few MiB, or one message.
 */
public final class Exporter implements AutoCloseable {
  /** OTLP specification: a client must not send more than what receivers take by default. */
  static final int MAX_MESSAGE = 64 << 20;

  private static final String THREAD_NAME = "sennit-export";
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** How long a connection is kept that nothing goes over. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final OtlpSender sender;
  private final Outbox outbox;
  private final Duration idle;
  private @Nullable Thread thread;

  private Exporter(OtlpSender sender, Outbox outbox, Duration idle) {
    this.sender = sender;
    this.outbox = outbox;
    this.idle = idle;
  }

  /**
   * An exporter by the settings. If no directory was named and the usual one cannot be used, it
   * does without a queue and says so.
   *
   * @param log takes lines for people, a few at most
   * @throws IllegalArgumentException naming the setting, if a file cannot be used
   * @throws IOException if the directory that was named for the queue cannot be used
   */
  public static Exporter open(ExportSettings settings, Consumer<String> log) throws IOException {
    return open(settings, UnaryOperator.identity(), log);
  }

  /**
   * The same with another way to send.
   *
   * @param sending given the sender of the settings, the one to use, which may fall back to it
   */
  public static Exporter open(
      ExportSettings settings, UnaryOperator<OtlpSender> sending, Consumer<String> log)
      throws IOException {
    return open(settings, sending, new Backoff(RandomGenerator.getDefault()), IDLE, log);
  }

  static Exporter open(ExportSettings settings, Backoff backoff, Consumer<String> log)
      throws IOException {
    return open(settings, backoff, IDLE, log);
  }

  static Exporter open(
      ExportSettings settings, Backoff backoff, Duration idle, Consumer<String> log)
      throws IOException {
    return open(settings, UnaryOperator.identity(), backoff, idle, log);
  }

  private static Exporter open(
      ExportSettings settings,
      UnaryOperator<OtlpSender> sending,
      Backoff backoff,
      Duration idle,
      Consumer<String> log)
      throws IOException {
    Tally tally = new Tally(log);
    OtlpSender sender = sending.apply(OtlpSender.create(settings));
    String destination =
        settings.signal().settingName()
            + (" to " + settings.endpoint().getScheme() + "://")
            + settings.endpoint().getRawAuthority();
    return new Exporter(
        sender, new Outbox(destination, openQueue(settings, tally), backoff, tally), idle);
  }

  private static ChunkQueue openQueue(ExportSettings settings, Tally tally) throws IOException {
    if (settings.queueBound() == 0) {
      return ChunkQueue.none(tally);
    }
    Path root = settings.queueDirectory().orElseGet(QueueFolders::standard);
    try {
      QueueFolders.prepare(root, settings.queueDirectory().isPresent());
      return ChunkQueue.open(QueueFolders.of(root, settings), settings.queueBound(), tally);
    } catch (IOException e) {
      if (settings.queueDirectory().isPresent()) {
        throw new IOException("the queue directory " + root + " cannot be used: " + e, e);
      }
      tally.tell("nothing can wait on disk while the collector is away: " + root + ": " + e);
      return ChunkQueue.none(tally);
    }
  }

  /**
   * Takes over a request message, which must not be changed afterwards. Never throws; what cannot
   * be kept is counted.
   */
  public void export(byte[] message) {
    try {
      outbox.put(message);
      start();
    } catch (RuntimeException | OutOfMemoryError e) {
      outbox.drop(e);
    }
  }

  /**
   * Waits until nothing is left to send. If the collector was away it is tried at once, unless it
   * has asked for time.
   *
   * @return whether nothing is left
   */
  public boolean flush(Duration timeout) {
    start();
    try {
      return outbox.awaitEmpty(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What has happened so far. */
  public ExportCounters counters() {
    return outbox.counters();
  }

  /** Closes without waiting for long. */
  @Override
  public void close() {
    close(LAST_WORDS);
  }

  /**
   * Sends what is left as long as the collector takes it and the time lasts; the rest stays on disk
   * for the next process. Does not wait for a collector that is away.
   */
  public void close(Duration timeout) {
    outbox.beginClose();
    join(timeout);
    sender.close();
    join(LAST_WORDS);
    outbox.close();
  }

  private void join(Duration timeout) {
    @Nullable Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      try {
        running.join(timeout);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void start() {
    if (thread == null) {
      Thread pump =
          Thread.ofPlatform()
              .daemon()
              .name(THREAD_NAME)
              .inheritInheritableThreadLocals(false)
              .unstarted(this::run);
      pump.setContextClassLoader(null);
      pump.setUncaughtExceptionHandler((ended, error) -> outbox.recover(error));
      pump.start();
      thread = pump;
    }
  }

  private void run() {
    while (sendNext()) {
      // Until the end.
    }
    sender.disconnect();
  }

  /**
   * @return false if there is nothing more to come
   */
  private boolean sendNext() {
    try {
      if (!outbox.awaitReady(idle)) {
        sender.disconnect();
      }
      Outbox.@Nullable Item item = outbox.take();
      if (item == null) {
        return false;
      }
      outbox.settle(item, send(item));
    } catch (InterruptedException e) {
      // Some applications interrupt every thread they find; ours ends when it is told to.
    } catch (RuntimeException | Error e) {
      outbox.recover(e);
    }
    return true;
  }

  private SendResult send(Outbox.Item item) {
    try {
      return sender.send(item.message());
    } catch (RuntimeException | Error e) {
      return new SendResult.Unknown("a fault of Sennit's own: " + e);
    }
  }
}
