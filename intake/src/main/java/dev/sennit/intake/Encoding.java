/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

/** The two ways in which OTLP puts its messages into bytes. */
public enum Encoding {
  /** The Collector calls it {@code otlp_proto} in messages, and {@code http/protobuf} elsewhere. */
  PROTOBUF {
    @Override
    @SuppressWarnings("unchecked") // a parser gives what its prototype is
    public <M extends Message> M read(byte[] bytes, M prototype) throws MalformedException {
      try {
        return (M) prototype.getParserForType().parseFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new MalformedException(
            bytes.length
                + " bytes are not "
                + prototype.getDescriptorForType().getName()
                + ": "
                + e.getMessage(),
            e);
      }
    }

    @Override
    public byte[] write(Message message) {
      return message.toByteArray();
    }
  },

  /** The Collector calls it {@code otlp_json} in messages, and {@code http/json} elsewhere. */
  JSON {
    @Override
    @SuppressWarnings("unchecked") // a builder builds what its prototype is
    public <M extends Message> M read(byte[] bytes, M prototype) throws MalformedException {
      Message.Builder builder = prototype.newBuilderForType();
      JsonReader.read(bytes, builder);
      return (M) builder.build();
    }

    @Override
    public byte[] write(Message message) {
      return JsonWriter.write(message);
    }
  };

  /**
   * Reads a message.
   *
   * @param prototype any message of the kind that is expected
   */
  public abstract <M extends Message> M read(byte[] bytes, M prototype) throws MalformedException;

  public abstract byte[] write(Message message);

  /**
   * The encoding that bytes seem to have, where nobody says it: JSON is in braces. A message of
   * protobuf may begin like that, too, for its first byte is mostly that of a line's end, but
   * seldom ends so.
   */
  public static Encoding of(byte[] bytes) {
    int first = 0;
    int last = bytes.length - 1;
    while (first <= last && isSpace(bytes[first])) {
      first++;
    }
    while (last > first && isSpace(bytes[last])) {
      last--;
    }
    return first < last && bytes[first] == '{' && bytes[last] == '}' ? JSON : PROTOBUF;
  }

  private static boolean isSpace(byte value) {
    return value == ' ' || value == '\t' || value == '\r' || value == '\n';
  }
}
