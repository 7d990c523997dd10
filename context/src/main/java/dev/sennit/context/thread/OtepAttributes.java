/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static dev.sennit.context.thread.OtepRecordDescriptor.ATTRIBUTES_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.ATTRIBUTES_SIZE_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.ENTRY_KEY_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.ENTRY_LENGTH_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.ENTRY_VALUE_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.MAX_ATTRIBUTES_SIZE;
import static dev.sennit.context.thread.OtepRecordDescriptor.MAX_VALUE_LENGTH;

import dev.sennit.context.memory.Memory;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The attribute entries of an OTEP record, written by the thread that owns it. A reader that stops
 * the thread at any instruction finds whole entries: a new one is written behind the size, which is
 * raised last; one that is replaced is first taken out while the record is not valid.
 */
final class OtepAttributes {
  private static final int HEX_DIGITS = 16;
  private static final int REPLACEMENT = '?';

  private OtepAttributes() {}

  static int size(long record) {
    return Short.toUnsignedInt(Memory.getShort(record + ATTRIBUTES_SIZE_OFFSET));
  }

  /** Address of the entry with that key; 0 when there is none. */
  static long find(long record, int size, int key) {
    long entry = record + ATTRIBUTES_OFFSET;
    long end = entry + size;
    while (entry < end) {
      if ((Memory.getByte(entry + ENTRY_KEY_OFFSET) & 0xFF) == key) {
        return entry;
      }
      entry += entryLength(entry);
    }
    return 0;
  }

  /** Sets one attribute; nothing changes unless the outcome is {@link AttributeOutcome#SET}. */
  static AttributeOutcome put(long record, int key, String value) {
    int length = utf8Length(value);
    if (length > MAX_VALUE_LENGTH) {
      return AttributeOutcome.VALUE_TOO_LONG;
    }
    int size = size(record);
    long old = find(record, size, key);
    int freed = old == 0 ? 0 : entryLength(old);
    if (size - freed + ENTRY_VALUE_OFFSET + length > MAX_ATTRIBUTES_SIZE) {
      return AttributeOutcome.NO_ROOM;
    }
    if (old == 0) {
      append(record, size, key, value, length);
      return AttributeOutcome.SET;
    }
    byte valid = Memory.getByte(record + OtepRecordDescriptor.VALID_OFFSET);
    Memory.putByteOpaque(record + OtepRecordDescriptor.VALID_OFFSET, (byte) 0);
    VarHandle.releaseFence();
    remove(record, size, old, freed);
    append(record, size - freed, key, value, length);
    VarHandle.releaseFence();
    Memory.putByteOpaque(record + OtepRecordDescriptor.VALID_OFFSET, valid);
    return AttributeOutcome.SET;
  }

  private static void append(long record, int size, int key, String value, int length) {
    long entry = record + ATTRIBUTES_OFFSET + size;
    Memory.putByte(entry + ENTRY_KEY_OFFSET, (byte) key);
    Memory.putByte(entry + ENTRY_LENGTH_OFFSET, (byte) length);
    putUtf8(entry + ENTRY_VALUE_OFFSET, value);
    VarHandle.releaseFence();
    Memory.putShortOpaque(
        record + ATTRIBUTES_SIZE_OFFSET, (short) (size + ENTRY_VALUE_OFFSET + length));
  }

  private static void remove(long record, int size, long entry, int length) {
    long from = entry + length;
    long count = record + ATTRIBUTES_OFFSET + size - from;
    for (long i = 0; i < count; i++) {
      Memory.putByte(entry + i, Memory.getByte(from + i));
    }
    Memory.putShortOpaque(record + ATTRIBUTES_SIZE_OFFSET, (short) (size - length));
  }

  /** Writes an entry of 16 hexadecimal digits; returns its length. */
  static int putHex(long entry, int key, long number) {
    Memory.putByte(entry + ENTRY_KEY_OFFSET, (byte) key);
    Memory.putByte(entry + ENTRY_LENGTH_OFFSET, (byte) HEX_DIGITS);
    for (int i = 0; i < HEX_DIGITS; i++) {
      int digit = (int) (number >>> (Long.SIZE - 4 * (i + 1))) & 0xF;
      Memory.putByte(
          entry + ENTRY_VALUE_OFFSET + i, (byte) (digit < 10 ? '0' + digit : 'a' - 10 + digit));
    }
    return ENTRY_VALUE_OFFSET + HEX_DIGITS;
  }

  static long getHex(long entry) {
    long number = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      number = number << 4 | Character.digit(Memory.getByte(entry + ENTRY_VALUE_OFFSET + i), 16);
    }
    return number;
  }

  static String getText(long entry) {
    int length = Memory.getByte(entry + ENTRY_LENGTH_OFFSET) & 0xFF;
    return new String(Memory.getBytes(entry + ENTRY_VALUE_OFFSET, length), StandardCharsets.UTF_8);
  }

  private static int entryLength(long entry) {
    return ENTRY_VALUE_OFFSET + (Memory.getByte(entry + ENTRY_LENGTH_OFFSET) & 0xFF);
  }

  private static int utf8Length(String text) {
    int length = 0;
    for (int i = 0; i < text.length() && length <= MAX_VALUE_LENGTH; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (isPair(text, i)) {
        length += 4;
        i++;
      } else {
        length += Character.isSurrogate(c) ? 1 : 3;
      }
    }
    return length;
  }

  /** Encodes in place: the JDK's encoders allocate. */
  private static void putUtf8(long address, String text) {
    long at = address;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        Memory.putByte(at++, (byte) c);
      } else if (c < 0x800) {
        Memory.putByte(at++, (byte) (0xC0 | c >> 6));
        Memory.putByte(at++, continuation(c));
      } else if (isPair(text, i)) {
        int codePoint = Character.toCodePoint(c, text.charAt(++i));
        Memory.putByte(at++, (byte) (0xF0 | codePoint >> 18));
        Memory.putByte(at++, continuation(codePoint >> 12));
        Memory.putByte(at++, continuation(codePoint >> 6));
        Memory.putByte(at++, continuation(codePoint));
      } else if (Character.isSurrogate(c)) {
        Memory.putByte(at++, (byte) REPLACEMENT);
      } else {
        Memory.putByte(at++, (byte) (0xE0 | c >> 12));
        Memory.putByte(at++, continuation(c >> 6));
        Memory.putByte(at++, continuation(c));
      }
    }
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private static boolean isPair(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1));
  }
}
