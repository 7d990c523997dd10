/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.proto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every constant against the .proto files that opentelemetry-proto ships, and the other way. */
class OtlpProtoFieldsTest {
  private static final Pattern MESSAGE = Pattern.compile("\\bmessage (\\w+) \\{");
  private static final Pattern FIELD =
      Pattern.compile("^\\s*(?:repeated )?[\\w.]+\\s+(\\w+)\\s*=\\s*(\\d+)\\s*(?:\\[.*])?;");

  @ParameterizedTest
  @MethodSource("messages")
  void theConstantsOfAMessageAreItsFields(Class<?> message) throws Exception {
    Map<String, Integer> constants = new TreeMap<>();
    for (Field field : message.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        constants.put(field.getName().toLowerCase(Locale.ROOT), field.getInt(null));
      }
    }
    assertThat(constants).isNotEmpty().isEqualTo(official().get(message.getSimpleName()));
  }

  static Class<?>[] messages() {
    return OtlpProtoFields.class.getDeclaredClasses();
  }

  private static Map<String, Map<String, Integer>> official() throws IOException {
    Map<String, Map<String, Integer>> messages = new TreeMap<>();
    for (String file :
        new String[] {
          "collector/profiles/v1development/profiles_service",
          "profiles/v1development/profiles",
          "common/v1/common",
          "resource/v1/resource"
        }) {
      String message = "";
      for (String line : read("/opentelemetry/proto/" + file + ".proto").split("\n")) {
        String code = line.replaceFirst("//.*", "");
        Matcher begin = MESSAGE.matcher(code);
        if (begin.find()) {
          message = begin.group(1);
        }
        Matcher field = FIELD.matcher(code);
        if (field.find() && !message.isEmpty()) {
          messages
              .computeIfAbsent(message, name -> new TreeMap<>())
              .put(field.group(1), Integer.valueOf(field.group(2)));
        }
      }
    }
    return messages;
  }

  private static String read(String resource) throws IOException {
    try (InputStream in = OtlpProtoFieldsTest.class.getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
