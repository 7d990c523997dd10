/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.protocol.http.RequestHead;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the header block of a request says. */
final class RequestBlock implements HeaderBlocks.Fields {
  private static final Pattern CALL = Pattern.compile("/[\\w.]+/\\w+");

  private final RequestHead head = new RequestHead("2");
  private @Nullable String contentType;
  private int methods;
  private int paths;
  private boolean wrong;
  private boolean regular;

  @Override
  public void field(String name, String value) {
    boolean pseudo = name.startsWith(":");
    wrong |= pseudo && (regular || name.equals(":status"));
    regular |= !pseudo;
    switch (name) {
      case ":method" -> methods++;
      case ":path" -> paths++;
      case "content-type" -> contentType = value;
      case "grpc-trace-bin" -> head.otherContext(GrpcStatus.traceIds(value));
      default -> {}
    }
    head.field(name, value);
  }

  /** Whether it breaks RFC 9113, section 8.3: then the table that it was read with is not right. */
  boolean isWrong() {
    return wrong || methods > 1 || paths > 1;
  }

  /**
   * Whether it says what a request is about. A path that may be that of a method is not enough
   * where fields are missing: whether it is a call of gRPC is in one of them.
   *
   * @param all whether none of its fields is missing
   */
  boolean isKnown(boolean all) {
    boolean perhapsCall = !all && contentType == null && CALL.matcher(head.target()).matches();
    return methods == 1 && (paths == 1 || head.method().equals("CONNECT")) && !perhapsCall;
  }

  /** Whether it has no pseudo field: such blocks are trailers. */
  boolean isTrailer() {
    return methods == 0 && paths == 0;
  }

  boolean isGrpc() {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    boolean grpc = type.startsWith("application/grpc") && !type.startsWith("application/grpc-web");
    return grpc && head.target().startsWith("/");
  }

  RequestHead head() {
    return head;
  }
}
