/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Prints each event of the kernel on a line of its own. */
final class RawEvents implements EventConsumer {
  private static final int MOST_TEXT = 80;
  private static final double NANOS = 1e9;

  private final PrintWriter out;
  private long start;

  RawEvents(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void onEvent(KernelEvent event) {
    if (start == 0) {
      start = event.time();
    }
    StringBuilder line = new StringBuilder(160);
    line.append(String.format(Locale.ROOT, "%10.6f ", (event.time() - start) / NANOS));
    line.append(event.pid()).append('/').append(event.tid()).append(' ');
    line.append(event.kind().name().toLowerCase(Locale.ROOT));
    switch (event.kind()) {
      case ACCEPT, CONNECT, CLOSE, SHUTDOWN, UNREAD -> ends(line, event);
      case IN, OUT -> {
        ends(line, event);
        bytes(line, event);
      }
      case SHORT -> line.append(" fd ").append(event.fd()).append(' ').append(event.size());
      case REQUEST -> {
        ends(line, event);
        request(line, event);
      }
      case LOG, TLS_IN, TLS_OUT -> {
        line.append(" fd ").append(event.fd());
        bytes(line, event);
      }
      case NAMED ->
          line.append(" \"").append(Printable.of(event.threadName(), MOST_TEXT)).append('"');
      case FORK -> line.append(" child ").append(event.result());
      case EXEC, EXIT, CONTEXT, IO_URING, NONE -> {}
    }
    out.println(line);
  }

  private static void ends(StringBuilder line, KernelEvent event) {
    line.append(" fd ").append(event.fd()).append(' ');
    line.append(event.way().name().toLowerCase(Locale.ROOT)).append(' ');
    if (event.isUnix()) {
      line.append("unix");
    } else {
      line.append(text(event.local())).append(" - ").append(text(event.remote()));
    }
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private static void bytes(StringBuilder line, KernelEvent event) {
    line.append(" size ").append(event.size());
    if (event.isTruncated()) {
      line.append(" captured ").append(event.captured());
    }
    if (event.hasContext()) {
      line.append(event.hasParent() ? " continues " : " begins ").append(event.traceparent());
    }
    String text = new String(event.payload(), StandardCharsets.ISO_8859_1);
    line.append(" \"").append(Printable.of(text, MOST_TEXT)).append('"');
  }

  private static void request(StringBuilder line, KernelEvent event) {
    line.append(' ').append(event.outcome().name().toLowerCase(Locale.ROOT));
    if (event.hasContext()) {
      line.append(' ').append(event.traceparent());
    }
    if (event.parentSource() != Outcome.NONE) {
      line.append(' ').append(event.parentSource().name().toLowerCase(Locale.ROOT));
    }
  }
}
