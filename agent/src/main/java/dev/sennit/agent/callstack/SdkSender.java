/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.shared.LogDestination;
import dev.sennit.context.shared.SharedLogs;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.OtlpSender;
import dev.sennit.otlp.export.SendResult;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends through the exporter of an SDK in this process, and so over its connection, where there is
 * one that sends to the same place; else through Sennit's own sender.
 *
 * <p>What the SDK's exporter does not say it has delivered, the own sender sends at once, and all
 * that follows for a while: an exporter that was shut down, or whose collector is away, is not
 * asked each time. It has one request at a time, also if it never answers.
 */
final class SdkSender implements OtlpSender {
  /** How long an exporter that failed is left alone. */
  private static final Duration REST = Duration.ofMinutes(1);

  /** The exporter's time limit is its own; this much longer than ours it may take. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final OtlpSender own;
  private final Function<byte[], @Nullable Future<Boolean>> sdk;
  private final Duration patience;
  private final Duration rest;
  private final Consumer<String> log;
  private volatile @Nullable Future<Boolean> handed;
  private volatile boolean closed;
  private boolean inUse;
  private boolean resting;
  private long restedAt;

  /**
   * @param sdk hands a request over; null if there is nobody who takes it
   * @param patience how long to wait for what came of it
   */
  SdkSender(
      OtlpSender own,
      Function<byte[], @Nullable Future<Boolean>> sdk,
      Duration patience,
      Duration rest,
      Consumer<String> log) {
    this.own = own;
    this.sdk = sdk;
    this.patience = patience;
    this.rest = rest;
    this.log = log;
  }

  /** The sender for these settings, in place of {@code own}. */
  static OtlpSender of(OtlpSender own, ExportSettings settings, Consumer<String> log) {
    LogDestination destination =
        new LogDestination(
            settings.protocol().settingValue(), settings.endpoint(), settings.headers());
    return new SdkSender(
        own,
        request -> SharedLogs.export(destination, request),
        settings.timeout().plus(GRACE),
        REST,
        log);
  }

  @Override
  public SendResult send(byte[] message) {
    return isSentBySdk(message) ? new SendResult.Delivered(0, "") : own.send(message);
  }

  private boolean isSentBySdk(byte[] message) {
    @Nullable Future<Boolean> before = handed;
    boolean busy = before != null && !before.isDone();
    resting &= restedAt - System.nanoTime() > 0;
    if (closed || busy || resting) {
      return false;
    }
    @Nullable Future<Boolean> outcome = handOver(message);
    if (outcome == null) {
      return false;
    }
    handed = outcome;
    boolean sent = await(outcome);
    if (sent != inUse) {
      inUse = sent;
      log.accept(
          sent
              ? "call stacks go through the exporter of OpenTelemetry's SDK"
              : "the exporter of OpenTelemetry's SDK failed; call stacks go their own way");
    }
    if (!sent) {
      resting = true;
      restedAt = System.nanoTime() + rest.toNanos();
    }
    return sent;
  }

  private @Nullable Future<Boolean> handOver(byte[] message) {
    try {
      return sdk.apply(message);
    } catch (RuntimeException | LinkageError e) {
      // An extension of another version, or one whose class loader is being closed.
      return null;
    }
  }

  private boolean await(Future<Boolean> outcome) {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return outcome.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // Some applications interrupt every thread they find; what was handed over stays so.
      } catch (TimeoutException | ExecutionException | CancellationException e) {
        return false;
      }
    }
  }

  @Override
  public void disconnect() {
    own.disconnect();
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    @Nullable Future<Boolean> pending = handed;
    if (pending != null) {
      pending.cancel(false);
    }
  }
}
