/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.bson.BsonBinaryReader;
import org.bson.BsonType;
import org.bson.ByteBufNIO;
import org.bson.io.ByteBufferBsonInput;
import org.jspecify.annotations.Nullable;

/**
 * The document of a message, read as far as it is at hand. Of a request the name of the command is
 * kept, what it is done with, and the names of database and collection; of an answer, whether it is
 * an error, and which.
 */
final class Message {
  private static final int MORE_TO_COME = 0x2;
  private static final int EXHAUST_ALLOWED = 0x1_0000;
  private static final int NOT_COMPRESSED = 0;
  private static final int ZLIB = 2;
  private static final int LONGEST_NAME = 256;

  private final int limit;
  private ByteBuffer document = ByteBuffer.allocate(0);
  private int flags;
  private boolean unreadable;
  private @Nullable String database;
  private @Nullable String command;
  private @Nullable String named;
  private @Nullable String collectionField;
  private boolean awaits;
  private boolean failed;
  private @Nullable String code;

  /**
   * @param limit how many bytes of a compressed document are looked at
   */
  Message(int limit) {
    this.limit = limit;
  }

  /** Reads what is behind the header. */
  void read(int opCode, byte[] body) {
    ByteBuffer buffer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    switch (opCode) {
      case MessageHeader.OP_MSG -> sections(buffer);
      case MessageHeader.OP_COMPRESSED -> compressed(buffer);
      case MessageHeader.OP_QUERY -> {
        buffer.position(Math.min(4, buffer.limit()));
        String name = text(buffer);
        int dot = name.indexOf('.');
        database = dot > 0 ? name.substring(0, dot) : null;
        document(behind(buffer, 8));
      }
      case MessageHeader.OP_REPLY -> document(behind(buffer, 20));
      default -> unreadable = true;
    }
  }

  private static ByteBuffer behind(ByteBuffer buffer, int bytes) {
    return buffer.position(Math.min(buffer.limit(), buffer.position() + bytes));
  }

  private void sections(ByteBuffer buffer) {
    if (buffer.remaining() < 4) {
      return;
    }
    flags = buffer.getInt();
    while (buffer.remaining() > 5) {
      if (buffer.get() == 0) {
        document(buffer);
        return;
      }
      // Documents to be inserted and the like, before the command.
      int size = buffer.getInt(buffer.position());
      if (size < 5 || size > buffer.remaining()) {
        return;
      }
      behind(buffer, size);
    }
  }

  private void compressed(ByteBuffer buffer) {
    if (buffer.remaining() < 9) {
      unreadable = true;
      return;
    }
    int original = buffer.getInt();
    buffer.getInt();
    int compressor = buffer.get();
    byte[] rest = new byte[buffer.remaining()];
    buffer.get(rest);
    if (original == MessageHeader.OP_COMPRESSED
        || (compressor != NOT_COMPRESSED && compressor != ZLIB)) {
      unreadable = true;
    } else {
      read(original, compressor == ZLIB ? inflated(rest) : rest);
    }
  }

  private byte[] inflated(byte[] bytes) {
    byte[] plain = new byte[limit];
    int length = 0;
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes);
      int more = -1;
      while (more != 0 && length < plain.length) {
        more = inflater.inflate(plain, length, plain.length - length);
        length += more;
      }
    } catch (DataFormatException e) {
      unreadable = true;
    }
    return Arrays.copyOf(plain, length);
  }

  /** Text up to a zero, which is passed, too. */
  private static String text(ByteBuffer buffer) {
    StringBuilder text = new StringBuilder();
    while (buffer.hasRemaining()) {
      int c = buffer.get();
      if (c == 0) {
        break;
      }
      text.append((char) (c & 0xff));
    }
    return text.toString();
  }

  private void document(ByteBuffer buffer) {
    document = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(document)))) {
      reader.readStartDocument();
      elements(reader);
    } catch (RuntimeException e) {
      // The document is cut, or none: what was read before counts.
      unreadable |= command == null;
    }
  }

  /** A name; null if it is too long for one. The library would make room for any length. */
  private @Nullable String string(BsonBinaryReader reader) {
    if (document.getInt(reader.getBsonInput().getPosition()) > LONGEST_NAME) {
      reader.skipValue();
      return null;
    }
    return reader.readString();
  }

  private void elements(BsonBinaryReader reader) {
    for (BsonType type = reader.readBsonType();
        type != BsonType.END_OF_DOCUMENT;
        type = reader.readBsonType()) {
      String key = reader.readName();
      boolean first = command == null;
      if (first) {
        command = key;
      }
      if (first && type == BsonType.DOCUMENT && (key.equals("$query") || key.equals("explain"))) {
        nested(reader, key);
      } else if (type == BsonType.STRING
          && (first || key.equals("$db") || key.equals("collection"))) {
        name(key, string(reader), first);
      } else if (isError(key, type)) {
        error(key, type, reader);
      } else {
        awaits |= key.equals("maxAwaitTimeMS") || key.equals("topologyVersion");
        reader.skipValue();
      }
    }
  }

  /** A command in another one: that of an old query, or one that is only explained. */
  private void nested(BsonBinaryReader reader, String key) {
    reader.readStartDocument();
    if (key.equals("$query")) {
      command = null;
      elements(reader);
      reader.readEndDocument();
      return;
    }
    boolean first = true;
    for (BsonType type = reader.readBsonType();
        type != BsonType.END_OF_DOCUMENT;
        type = reader.readBsonType()) {
      if (Commands.hasCollection(reader.readName()) && first && type == BsonType.STRING) {
        named = string(reader);
      } else {
        reader.skipValue();
      }
      first = false;
    }
    reader.readEndDocument();
  }

  private void name(String key, @Nullable String value, boolean first) {
    if (first) {
      named = value;
    } else if (key.equals("$db")) {
      database = value;
    } else {
      collectionField = value;
    }
  }

  private static boolean isError(String key, BsonType type) {
    return switch (key) {
      case "ok" -> type == BsonType.DOUBLE || type == BsonType.INT32 || type == BsonType.BOOLEAN;
      case "code" -> type == BsonType.INT32;
      case "writeErrors" -> type == BsonType.ARRAY;
      case "writeConcernError" -> type == BsonType.DOCUMENT;
      default -> false;
    };
  }

  private void error(String key, BsonType type, BsonBinaryReader reader) {
    switch (key) {
      case "ok" -> {
        boolean ok =
            switch (type) {
              case DOUBLE -> reader.readDouble() != 0;
              case INT32 -> reader.readInt32() != 0;
              default -> reader.readBoolean();
            };
        failed |= !ok;
      }
      case "code" -> code(reader.readInt32());
      case "writeErrors" -> {
        reader.readStartArray();
        while (reader.readBsonType() == BsonType.DOCUMENT) {
          failure(reader);
        }
        reader.readEndArray();
      }
      default -> failure(reader);
    }
  }

  /** One of several errors: the first counts. */
  private void failure(BsonBinaryReader reader) {
    failed = true;
    reader.readStartDocument();
    for (BsonType type = reader.readBsonType();
        type != BsonType.END_OF_DOCUMENT;
        type = reader.readBsonType()) {
      if (reader.readName().equals("code") && type == BsonType.INT32) {
        code(reader.readInt32());
      } else {
        reader.skipValue();
      }
    }
    reader.readEndDocument();
  }

  private void code(int value) {
    code = code == null ? String.valueOf(value) : code;
  }

  /** Whether it is compressed in a way that is not understood, or no document. */
  boolean isUnreadable() {
    return unreadable;
  }

  /** The sender sends another one without being asked; of a request: nobody answers it. */
  boolean isMoreToCome() {
    return (flags & MORE_TO_COME) != 0;
  }

  /** Whether it asks to be told of changes of the topology whenever there are any. */
  boolean isAwaiting() {
    return command != null
        && Commands.isHello(command)
        && (awaits || (flags & EXHAUST_ALLOWED) != 0);
  }

  @Nullable String database() {
    return database;
  }

  /** The name of the first element, which is the command of a request. */
  @Nullable String command() {
    return command;
  }

  @Nullable String collection() {
    if (command == null) {
      return null;
    }
    if (command.equals("getMore")) {
      return collectionField;
    }
    return Commands.hasCollection(command) || command.equals("explain") ? named : null;
  }

  boolean isFailed() {
    return failed;
  }

  /** The code of the error; null if it has none. */
  @Nullable String code() {
    return failed ? code : null;
  }
}
