/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A chunk whose integers are not compressed, byte by byte: no writer at hand makes one, but the
 * format has a flag for it. Two types of events have the same name, as with two class loaders.
 */
final class PlainIntegersTest {
  private static final List<String> TEXTS =
      List.of(
          "root",
          "metadata",
          "class",
          "field",
          "id",
          "name",
          "superType",
          "constantPool",
          "true",
          "jdk.jfr.Event",
          "acme.Event",
          "20",
          "21",
          "value",
          "9",
          "long",
          "10",
          "java.lang.String",
          "30",
          "jdk.types.Symbol",
          "string",
          "symbol");

  private final ByteBuffer out = ByteBuffer.allocate(4096);

  @TempDir Path folder;

  @Test
  void eventsOfBothTypesAndTheirConstantsAreRead() throws IOException {
    StringBuilder seen = new StringBuilder();
    try (JfrFile file = JfrFile.open(write());
        ChunkReader reader = file.chunks().getFirst().open()) {
      assertThat(reader.chunk().compressedIntegers()).isFalse();
      requireNonNull(reader.subscribe("acme.Event", "value", "symbol"));
      reader.forEachEvent(
          event ->
              seen.append(event.kind(0))
                  .append(' ')
                  .append(event.kind(0) == FieldKind.TEXT ? event.text(0) : event.longValue(0))
                  .append(' ')
                  .append(event.text(1))
                  .append('\n'));
      assertThat(file.warnings()).isEmpty();
    }
    assertThat(seen).hasToString("LONG -5 sym\nTEXT hi null\n");
  }

  private Path write() throws IOException {
    out.position(ChunkHeader.SIZE);
    int first = begin(20);
    out.putLong(-5).putLong(77);
    end(first);
    int second = begin(21);
    text("hi");
    end(second);
    int checkpoint = begin(ChunkReader.CHECKPOINT_TYPE);
    out.putLong(0).putLong(0).putLong(0).put((byte) 0).putInt(1);
    out.putLong(30).putInt(1).putLong(77);
    text("sym");
    end(checkpoint);
    int metadata = begin(ChunkReader.METADATA_TYPE);
    out.putLong(0).putLong(0).putLong(1).putInt(TEXTS.size());
    TEXTS.forEach(this::text);
    element("root", 1);
    element("metadata", 5);
    element("class", 0, "id", "9", "name", "long");
    element("class", 0, "id", "10", "name", "java.lang.String");
    element("class", 1, "id", "30", "name", "jdk.types.Symbol");
    element("field", 0, "name", "string", "class", "10");
    element("class", 2, "id", "20", "name", "acme.Event", "superType", "jdk.jfr.Event");
    element("field", 0, "name", "value", "class", "9");
    element("field", 0, "name", "symbol", "class", "30", "constantPool", "true");
    element("class", 1, "id", "21", "name", "acme.Event", "superType", "jdk.jfr.Event");
    element("field", 0, "name", "value", "class", "10");
    end(metadata);
    int size = out.position();
    out.putInt(0, ChunkHeader.MAGIC).putShort(4, (short) 2).putShort(6, (short) 0);
    out.putLong(8, size).putLong(16, checkpoint).putLong(24, metadata).putLong(56, 1_000_000_000);
    return Files.write(folder.resolve("plain.jfr"), Arrays.copyOf(out.array(), size));
  }

  private int begin(long type) {
    int start = out.position();
    out.putInt(0).putLong(type);
    return start;
  }

  private void end(int start) {
    out.putInt(start, out.position() - start);
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.put((byte) ChunkCursor.STRING_UTF_8).putInt(bytes.length).put(bytes);
  }

  private void element(String name, int children, String... attributes) {
    out.putInt(TEXTS.indexOf(name)).putInt(attributes.length / 2);
    for (String attribute : attributes) {
      out.putInt(TEXTS.indexOf(attribute));
    }
    out.putInt(children);
  }
}
