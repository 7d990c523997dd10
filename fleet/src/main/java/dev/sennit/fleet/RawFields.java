/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.apache.kafka.common.errors.SerializationException;

/** The fields of a message in protobuf, as bytes and without knowing what they mean. */
final class RawFields {
  private RawFields() {}

  /** Is told of one field after the other. */
  interface Visitor {
    /**
     * A field.
     *
     * @param whole with its tag
     * @param value what is behind the tag and the length
     */
    void field(int number, ByteString whole, ByteString value);
  }

  static void forEach(ByteString message, Visitor visitor) {
    try {
      CodedInputStream in = message.newCodedInput();
      while (!in.isAtEnd()) {
        int begin = in.getTotalBytesRead();
        int tag = in.readTag();
        int value = in.getTotalBytesRead();
        if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
          int length = in.readRawVarint32();
          value = in.getTotalBytesRead();
          in.skipRawBytes(length);
        } else {
          in.skipField(tag);
        }
        int end = in.getTotalBytesRead();
        visitor.field(
            WireFormat.getTagFieldNumber(tag),
            message.substring(begin, end),
            message.substring(value, end));
      }
    } catch (IOException e) {
      throw new SerializationException("a message that was read before is not readable now", e);
    }
  }
}
