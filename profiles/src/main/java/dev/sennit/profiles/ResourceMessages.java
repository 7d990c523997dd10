/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeMessages;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.proto.OtlpProtoFields.InstrumentationScope;
import dev.sennit.profiles.proto.OtlpProtoFields.Resource;
import java.util.Map;

/** Resource and scope in protobuf; they are small and written by way of a buffer of their own. */
final class ResourceMessages {
  private ResourceMessages() {}

  static ProtobufEncoder resource(Map<String, AttributeValue> attributes) {
    ProtobufEncoder out = new ProtobufEncoder();
    attributes.forEach(
        (key, value) -> AttributeMessages.write(out, Resource.ATTRIBUTES, key, value));
    return out;
  }

  static ProtobufEncoder scope(String name, String version) {
    ProtobufEncoder out = new ProtobufEncoder();
    if (!name.isEmpty()) {
      out.writeString(InstrumentationScope.NAME, name);
    }
    if (!version.isEmpty()) {
      out.writeString(InstrumentationScope.VERSION, version);
    }
    return out;
  }
}
