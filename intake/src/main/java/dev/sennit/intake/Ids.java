/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Set;

/** Which fields OTLP's JSON writes unlike the JSON of protobuf: ids are hexadecimal. */
final class Ids {
  private static final Set<String> NAMES =
      Set.of("trace_id", "span_id", "parent_span_id", "profile_id");

  private Ids() {}

  static boolean isId(FieldDescriptor field) {
    return NAMES.contains(field.getName());
  }
}
