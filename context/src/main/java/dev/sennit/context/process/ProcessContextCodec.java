/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static dev.sennit.context.process.ProtoReader.FIXED64;
import static dev.sennit.context.process.ProtoReader.LENGTH_DELIMITED;
import static dev.sennit.context.process.ProtoReader.VARINT;
import static dev.sennit.context.process.ProtoReader.tag;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payload of the process record: message {@code ProcessContext} of {@code
 * opentelemetry.proto.processcontext.v1development} to and from {@link ProcessContext}.
 *
 * <p>Decoding takes what protobuf takes: unknown fields are passed over, a repeated message field
 * is merged, the last of several equal keys counts. It holds memory in proportion to the payload
 * and fails in one way only.
 */
public final class ProcessContextCodec {
  /**
   * Arrays and key-value lists inside one another. A list in a list takes three protobuf messages,
   * and decoders stop at a hundred: so what is written here can be read everywhere.
   */
  static final int MAX_NESTING = 32;

  private static final int CONTEXT_RESOURCE = tag(1, LENGTH_DELIMITED);
  private static final int CONTEXT_ATTRIBUTES = tag(2, LENGTH_DELIMITED);

  private static final int RESOURCE_ATTRIBUTES = tag(1, LENGTH_DELIMITED);

  private static final int KEY_VALUE_KEY = tag(1, LENGTH_DELIMITED);
  private static final int KEY_VALUE_VALUE = tag(2, LENGTH_DELIMITED);

  private static final int ANY_VALUE_STRING = tag(1, LENGTH_DELIMITED);
  private static final int ANY_VALUE_BOOL = tag(2, VARINT);
  private static final int ANY_VALUE_INT = tag(3, VARINT);
  private static final int ANY_VALUE_DOUBLE = tag(4, FIXED64);
  private static final int ANY_VALUE_ARRAY = tag(5, LENGTH_DELIMITED);
  private static final int ANY_VALUE_KVLIST = tag(6, LENGTH_DELIMITED);
  private static final int ANY_VALUE_BYTES = tag(7, LENGTH_DELIMITED);
  private static final int ANY_VALUE_STRING_INDEX = tag(8, VARINT);

  private static final int LIST_VALUES = tag(1, LENGTH_DELIMITED);

  private static final AttributeValue EMPTY = new AttributeValue.Empty();

  private ProcessContextCodec() {}

  /**
   * Encodes a context.
   *
   * @throws IllegalArgumentException if arrays and lists are nested in more than 32 levels
   */
  public static byte[] encode(ProcessContext context) {
    ProtoWriter out = new ProtoWriter();
    // Also when it is empty: readers take a payload of no bytes for a mistake.
    int resource = out.open(CONTEXT_RESOURCE);
    writeKeyValues(out, RESOURCE_ATTRIBUTES, context.resource(), 0);
    out.close(resource);
    writeKeyValues(out, CONTEXT_ATTRIBUTES, context.attributes(), 0);
    return out.toByteArray();
  }

  /** Decodes a payload, which may come from a stranger. */
  public static ProcessContext decode(byte[] payload) throws MalformedContextException {
    Map<String, AttributeValue> resource = new LinkedHashMap<>();
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    ProtoReader in = new ProtoReader("ProcessContext", payload);
    while (in.next()) {
      if (in.tag() == CONTEXT_RESOURCE) {
        readKeyValues(in.message("Resource"), RESOURCE_ATTRIBUTES, resource, 0);
      } else if (in.tag() == CONTEXT_ATTRIBUTES) {
        readKeyValue(in.message("KeyValue"), attributes, 0);
      } else {
        in.skip();
      }
    }
    return new ProcessContext(resource, attributes);
  }

  /**
   * Changes {@code attributes} in a payload and leaves every other byte of it as it is, for it may
   * hold fields that this codec does not know.
   *
   * @param remove keys to leave out; those of {@code put} are replaced
   */
  static byte[] amend(byte[] payload, Map<String, AttributeValue> put, Collection<String> remove)
      throws MalformedContextException {
    ProtoWriter out = new ProtoWriter();
    ProtoReader in = new ProtoReader("ProcessContext", payload);
    while (in.next()) {
      if (in.tag() == CONTEXT_ATTRIBUTES) {
        Map<String, AttributeValue> entry = new LinkedHashMap<>();
        readKeyValue(in.message("KeyValue"), entry, 0);
        String key = entry.keySet().iterator().next();
        if (put.containsKey(key) || remove.contains(key)) {
          continue;
        }
      } else {
        in.skip();
      }
      out.raw(payload, in.tagOffset(), in.position());
    }
    writeKeyValues(out, CONTEXT_ATTRIBUTES, put, 0);
    return out.toByteArray();
  }

  private static void writeKeyValues(
      ProtoWriter out, int tag, Map<String, AttributeValue> entries, int nesting) {
    entries.forEach(
        (key, value) -> {
          int entry = out.open(tag);
          if (!key.isEmpty()) {
            out.text(KEY_VALUE_KEY, key);
          }
          int any = out.open(KEY_VALUE_VALUE);
          writeValue(out, value, nesting);
          out.close(any);
          out.close(entry);
        });
  }

  private static void writeValue(ProtoWriter out, AttributeValue value, int nesting) {
    switch (value) {
      case AttributeValue.Text(String text) -> out.text(ANY_VALUE_STRING, text);
      case AttributeValue.Flag(boolean flag) -> out.varint(ANY_VALUE_BOOL, flag ? 1 : 0);
      case AttributeValue.Whole(long whole) -> out.varint(ANY_VALUE_INT, whole);
      case AttributeValue.Real(double real) ->
          out.fixed64(ANY_VALUE_DOUBLE, Double.doubleToRawLongBits(real));
      case AttributeValue.Bytes bytes -> out.bytes(ANY_VALUE_BYTES, bytes.value());
      case AttributeValue.Array(List<AttributeValue> values) -> {
        requireNesting(nesting);
        int array = out.open(ANY_VALUE_ARRAY);
        for (AttributeValue element : values) {
          int any = out.open(LIST_VALUES);
          writeValue(out, element, nesting + 1);
          out.close(any);
        }
        out.close(array);
      }
      case AttributeValue.Entries(Map<String, AttributeValue> entries) -> {
        requireNesting(nesting);
        int list = out.open(ANY_VALUE_KVLIST);
        writeKeyValues(out, LIST_VALUES, entries, nesting + 1);
        out.close(list);
      }
      case AttributeValue.Empty() -> {
        // An AnyValue without a field.
      }
    }
  }

  private static void requireNesting(int nesting) {
    if (nesting == MAX_NESTING) {
      throw new IllegalArgumentException(
          "an attribute nests arrays or lists in more than " + MAX_NESTING + " levels");
    }
  }

  private static void readKeyValues(
      ProtoReader in, int tag, Map<String, AttributeValue> into, int nesting)
      throws MalformedContextException {
    while (in.next()) {
      if (in.tag() == tag) {
        readKeyValue(in.message("KeyValue"), into, nesting);
      } else {
        in.skip();
      }
    }
  }

  /** Reads a message {@code KeyValue}, which other messages of OTLP have as well. */
  public static void readKeyValue(ProtoReader in, Map<String, AttributeValue> into)
      throws MalformedContextException {
    readKeyValue(in, into, 0);
  }

  private static void readKeyValue(ProtoReader in, Map<String, AttributeValue> into, int nesting)
      throws MalformedContextException {
    String key = "";
    AnyValue value = new AnyValue();
    while (in.next()) {
      if (in.tag() == KEY_VALUE_KEY) {
        key = in.text();
      } else if (in.tag() == KEY_VALUE_VALUE) {
        value.merge(in.message("AnyValue"), nesting);
      } else {
        in.skip();
      }
    }
    into.put(key, value.build());
  }

  /**
   * The oneof while it is read: the last field counts, and an array or list that comes again goes
   * on where it stopped.
   */
  private static final class AnyValue {
    private AttributeValue scalar = EMPTY;
    private @Nullable List<AttributeValue> array;
    private @Nullable Map<String, AttributeValue> entries;

    void merge(ProtoReader in, int nesting) throws MalformedContextException {
      while (in.next()) {
        int tag = in.tag();
        if (tag == ANY_VALUE_STRING) {
          set(AttributeValue.of(in.text()));
        } else if (tag == ANY_VALUE_BOOL) {
          set(AttributeValue.of(in.varint() != 0));
        } else if (tag == ANY_VALUE_INT) {
          set(AttributeValue.of(in.varint()));
        } else if (tag == ANY_VALUE_DOUBLE) {
          set(AttributeValue.of(Double.longBitsToDouble(in.fixed64())));
        } else if (tag == ANY_VALUE_BYTES) {
          set(AttributeValue.of(in.bytes()));
        } else if (tag == ANY_VALUE_STRING_INDEX) {
          // Points into the string table of a profile, which a process record has not.
          in.skip();
          set(EMPTY);
        } else if (tag == ANY_VALUE_ARRAY) {
          mergeArray(in, nesting);
        } else if (tag == ANY_VALUE_KVLIST) {
          mergeEntries(in, nesting);
        } else {
          in.skip();
        }
      }
    }

    private void set(AttributeValue value) {
      scalar = value;
      array = null;
      entries = null;
    }

    private void mergeArray(ProtoReader outer, int nesting) throws MalformedContextException {
      checkNesting(outer, nesting);
      List<AttributeValue> values = array;
      if (values == null) {
        set(EMPTY);
        values = new ArrayList<>();
        array = values;
      }
      ProtoReader in = outer.message("ArrayValue");
      while (in.next()) {
        if (in.tag() == LIST_VALUES) {
          AnyValue element = new AnyValue();
          element.merge(in.message("AnyValue"), nesting + 1);
          values.add(element.build());
        } else {
          in.skip();
        }
      }
    }

    private void mergeEntries(ProtoReader outer, int nesting) throws MalformedContextException {
      checkNesting(outer, nesting);
      Map<String, AttributeValue> values = entries;
      if (values == null) {
        set(EMPTY);
        values = new LinkedHashMap<>();
        entries = values;
      }
      readKeyValues(outer.message("KeyValueList"), LIST_VALUES, values, nesting + 1);
    }

    private static void checkNesting(ProtoReader in, int nesting) throws MalformedContextException {
      if (nesting == MAX_NESTING) {
        throw in.malformed("arrays and lists are nested in more than " + MAX_NESTING + " levels");
      }
    }

    AttributeValue build() {
      if (array != null) {
        return AttributeValue.of(array);
      }
      return entries != null ? AttributeValue.of(entries) : scalar;
    }
  }
}
