/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.sennit.fleet.RawRequest.Placed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Spans that become requests again, by resource and scope, each with all that it came with. A
 * request goes out when it has become large, and when the owner says so.
 */
final class Gathering {
  /** Far below what brokers take as one record by default, also as JSON. */
  static final int LARGE = 192 * 1024;

  private final Consumer<ByteString> out;
  private final Map<ByteString, Map<ByteString, List<ByteString>>> resources =
      new LinkedHashMap<>();
  private int size;

  Gathering(Consumer<ByteString> out) {
    this.out = out;
  }

  void add(Placed placed) {
    Map<ByteString, List<ByteString>> scopes = resources.get(placed.resource());
    int more = placed.span().size() + (scopes == null ? placed.resource().size() : 0);
    if (size > 0 && size + more > LARGE) {
      flush();
      scopes = null;
    }
    size += more;
    if (scopes == null) {
      scopes = resources.computeIfAbsent(placed.resource(), fresh -> new LinkedHashMap<>());
    }
    scopes.computeIfAbsent(placed.scope(), fresh -> new ArrayList<>()).add(placed.span());
  }

  void flush() {
    if (resources.isEmpty()) {
      return;
    }
    int whole = 0;
    for (Map.Entry<ByteString, Map<ByteString, List<ByteString>>> resource : resources.entrySet()) {
      whole += sizeOf(RawRequest.RESOURCE_SPANS, sizeOfResource(resource));
    }
    byte[] bytes = new byte[whole];
    try {
      CodedOutputStream to = CodedOutputStream.newInstance(bytes);
      for (Map.Entry<ByteString, Map<ByteString, List<ByteString>>> resource :
          resources.entrySet()) {
        begin(to, RawRequest.RESOURCE_SPANS, sizeOfResource(resource));
        to.writeRawBytes(resource.getKey());
        for (Map.Entry<ByteString, List<ByteString>> scope : resource.getValue().entrySet()) {
          begin(to, RawRequest.SCOPE_SPANS, sizeOfScope(scope));
          to.writeRawBytes(scope.getKey());
          for (ByteString span : scope.getValue()) {
            to.writeBytes(RawRequest.SPANS, span);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    resources.clear();
    size = 0;
    out.accept(UnsafeByteOperations.unsafeWrap(bytes));
  }

  private static void begin(CodedOutputStream to, int field, int size) throws IOException {
    to.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    to.writeUInt32NoTag(size);
  }

  private static int sizeOfResource(
      Map.Entry<ByteString, Map<ByteString, List<ByteString>>> resource) {
    int sum = resource.getKey().size();
    for (Map.Entry<ByteString, List<ByteString>> scope : resource.getValue().entrySet()) {
      sum += sizeOf(RawRequest.SCOPE_SPANS, sizeOfScope(scope));
    }
    return sum;
  }

  private static int sizeOfScope(Map.Entry<ByteString, List<ByteString>> scope) {
    int sum = scope.getKey().size();
    for (ByteString span : scope.getValue()) {
      sum += sizeOf(RawRequest.SPANS, span.size());
    }
    return sum;
  }

  private static int sizeOf(int field, int length) {
    return CodedOutputStream.computeTagSize(field)
        + CodedOutputStream.computeUInt32SizeNoTag(length)
        + length;
  }
}
