/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.ProcessRow;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who sent something: the process that a resource describes, named by all that it says. */
final class Origin {
  /** As the semantic conventions call a service that does not say its name. */
  private static final String UNKNOWN = "unknown_service";

  private Origin() {}

  static ProcessRow of(Resource resource, ContentHash hash) {
    List<KeyValue> attributes = resource.getAttributesList();
    @Nullable String json = AttributesJson.sorted(attributes);
    @Nullable String service = Attributes.text(attributes, "service.name");
    return new ProcessRow(
        hash.of(json),
        service == null || service.isEmpty() ? UNKNOWN : service,
        Attributes.text(attributes, "service.instance.id"),
        Attributes.text(attributes, "host.name"),
        Attributes.number(attributes, "process.pid"),
        json);
  }

  static @Nullable String scope(InstrumentationScope scope) {
    return textOrNull(scope.getName());
  }

  /** Protobuf has no text that is absent, but for empty text. */
  static @Nullable String textOrNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
