/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.export;

import dev.sennit.otlp.AttributeMessages;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.otlp.ResourceFrame;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/**
 * Spans as OTLP has them: the message {@code ExportTraceServiceRequest}. Not for use by several
 * threads at the same time.
 */
public final class SpanRequest {
  private static final String SCOPE = "dev.sennit.tracing";
  private static final String LINK = "sennit.link";

  /** Of {@code Span.SpanKind} and {@code Status.StatusCode}. */
  private static final int SERVER = 2;

  private static final int CLIENT = 3;
  private static final int ERROR = 2;

  /** The parent of a SERVER span is in another process, that of a CLIENT span in its own. */
  private static final int REMOTENESS_IS_KNOWN = 0x100;

  private static final int PARENT_IS_REMOTE = 0x200;

  /** Fields of {@code opentelemetry.proto.trace.v1}. */
  private static final class Field {
    static final int SPANS = 2;
    static final int TRACE_ID = 1;
    static final int SPAN_ID = 2;
    static final int PARENT_SPAN_ID = 4;
    static final int NAME = 5;
    static final int KIND = 6;
    static final int START = 7;
    static final int END = 8;
    static final int ATTRIBUTES = 9;
    static final int STATUS = 15;
    static final int STATUS_CODE = 3;
    static final int FLAGS = 16;
  }

  private final ProtobufEncoder out = new ProtobufEncoder(1 << 16);
  private final byte[] traceId = new byte[16];
  private final byte[] id = new byte[8];

  /** Those of one process stand together. */
  public byte[] of(List<Span> spans) {
    out.reset();
    ResourceFrame.write(out, SCOPE, spans, Span::resource, this::write);
    return out.toByteArray();
  }

  private void write(Span span) {
    int message = out.beginMessage(Field.SPANS);
    ByteBuffer.wrap(traceId).putLong(span.ids().traceHigh()).putLong(span.ids().traceLow());
    out.writeBytes(Field.TRACE_ID, traceId);
    writeId(Field.SPAN_ID, span.ids().spanId());
    if (span.ids().parentId() != 0) {
      writeId(Field.PARENT_SPAN_ID, span.ids().parentId());
    }
    out.writeString(Field.NAME, span.name());
    int kind =
        switch (span.kind()) {
          case SERVER -> SERVER;
          case CLIENT -> CLIENT;
        };
    out.writeVarintField(Field.KIND, kind);
    out.writeFixed64Field(Field.START, span.start());
    out.writeFixed64Field(Field.END, span.end());
    span.attributes()
        .forEach((key, value) -> AttributeMessages.write(out, Field.ATTRIBUTES, key, value));
    writeOwnEnd(span);
    if (span.link() != Link.NONE) {
      AttributeMessages.write(
          out,
          Field.ATTRIBUTES,
          LINK,
          AttributeValue.of(span.link().name().toLowerCase(Locale.ROOT)));
    }
    if (span.errorType() != null) {
      int status = out.beginMessage(Field.STATUS);
      out.writeVarintField(Field.STATUS_CODE, ERROR);
      out.endMessage(status);
    }
    int remote = kind == SERVER && span.ids().parentId() != 0 ? PARENT_IS_REMOTE : 0;
    out.writeFixed32Field(Field.FLAGS, (span.ids().flags() & 0xff) | REMOTENESS_IS_KNOWN | remote);
    out.endMessage(message);
  }

  /** With the peer, which the attributes have, it names the connection: others may stitch by it. */
  private void writeOwnEnd(Span span) {
    InetSocketAddress own =
        span.kind() == SpanKind.SERVER ? span.ends().server() : span.ends().client();
    InetAddress address = own == null ? null : own.getAddress();
    if (own != null && address != null && own.getPort() != 0) {
      String text = address.getHostAddress();
      int zone = text.indexOf('%');
      AttributeMessages.write(
          out,
          Field.ATTRIBUTES,
          "network.local.address",
          AttributeValue.of(zone < 0 ? text : text.substring(0, zone)));
      AttributeMessages.write(
          out, Field.ATTRIBUTES, "network.local.port", AttributeValue.of(own.getPort()));
    }
  }

  private void writeId(int field, long value) {
    ByteBuffer.wrap(id).putLong(value);
    out.writeBytes(field, id);
  }
}
