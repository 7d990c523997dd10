/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Contexts as OpenTelemetry's own generated classes have them: the judge of the codec. */
final class OfficialContexts {
  private OfficialContexts() {}

  static io.opentelemetry.proto.processcontext.v1development.ProcessContext toOfficial(
      ProcessContext context) {
    return io.opentelemetry.proto.processcontext.v1development.ProcessContext.newBuilder()
        .setResource(Resource.newBuilder().addAllAttributes(keyValues(context.resource())))
        .addAllAttributes(keyValues(context.attributes()))
        .build();
  }

  static ProcessContext fromOfficial(
      io.opentelemetry.proto.processcontext.v1development.ProcessContext context) {
    return new ProcessContext(
        entries(context.getResource().getAttributesList()), entries(context.getAttributesList()));
  }

  private static List<KeyValue> keyValues(Map<String, AttributeValue> entries) {
    List<KeyValue> result = new ArrayList<>();
    entries.forEach(
        (key, value) ->
            result.add(KeyValue.newBuilder().setKey(key).setValue(anyValue(value)).build()));
    return result;
  }

  static AnyValue anyValue(AttributeValue value) {
    AnyValue.Builder any = AnyValue.newBuilder();
    return switch (value) {
      case AttributeValue.Text(String text) -> any.setStringValue(text).build();
      case AttributeValue.Flag(boolean flag) -> any.setBoolValue(flag).build();
      case AttributeValue.Whole(long whole) -> any.setIntValue(whole).build();
      case AttributeValue.Real(double real) -> any.setDoubleValue(real).build();
      case AttributeValue.Bytes bytes ->
          any.setBytesValue(ByteString.copyFrom(bytes.value())).build();
      case AttributeValue.Array(List<AttributeValue> values) ->
          any.setArrayValue(
                  ArrayValue.newBuilder()
                      .addAllValues(values.stream().map(OfficialContexts::anyValue).toList()))
              .build();
      case AttributeValue.Entries(Map<String, AttributeValue> entries) ->
          any.setKvlistValue(KeyValueList.newBuilder().addAllValues(keyValues(entries))).build();
      case AttributeValue.Empty() -> any.build();
    };
  }

  private static Map<String, AttributeValue> entries(List<KeyValue> keyValues) {
    Map<String, AttributeValue> result = new LinkedHashMap<>();
    keyValues.forEach(entry -> result.put(entry.getKey(), value(entry.getValue())));
    return result;
  }

  private static AttributeValue value(AnyValue any) {
    return switch (any.getValueCase()) {
      case STRING_VALUE -> AttributeValue.of(any.getStringValue());
      case BOOL_VALUE -> AttributeValue.of(any.getBoolValue());
      case INT_VALUE -> AttributeValue.of(any.getIntValue());
      case DOUBLE_VALUE -> AttributeValue.of(any.getDoubleValue());
      case BYTES_VALUE -> AttributeValue.of(any.getBytesValue().toByteArray());
      case ARRAY_VALUE ->
          AttributeValue.of(
              any.getArrayValue().getValuesList().stream().map(OfficialContexts::value).toList());
      case KVLIST_VALUE -> AttributeValue.of(entries(any.getKvlistValue().getValuesList()));
      case STRING_VALUE_STRINDEX, VALUE_NOT_SET -> new AttributeValue.Empty();
    };
  }
}
