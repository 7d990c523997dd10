/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import com.google.protobuf.ByteString;
import dev.sennit.cli.observation.ServiceNames;
import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.otlp.export.Exporter;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Lets samples go in under the names that their traces have in the end, and their processes in the
 * spans that were observed.
 */
final class NamedProfiles implements TelemetrySink {
  private static final String SERVICE = "service.name";

  private final TraceNames names;
  private final TelemetrySink next;
  private final @Nullable Exporter exporter;

  /**
   * @param exporter to which they go as well
   */
  NamedProfiles(TraceNames names, TelemetrySink next, @Nullable Exporter exporter) {
    this.names = names;
    this.next = next;
    this.exporter = exporter;
  }

  @Override
  public Answer traces(ExportTraceServiceRequest request) {
    return next.traces(request);
  }

  @Override
  public Answer logs(ExportLogsServiceRequest request) {
    return next.logs(request);
  }

  @Override
  public Answer profiles(ExportProfilesServiceRequest request) {
    ProfilesDictionary.Builder dictionary = null;
    for (int i = 0; i < request.getDictionary().getLinkTableCount(); i++) {
      Link link = request.getDictionary().getLinkTable(i);
      String id = HexFormat.of().formatHex(link.getTraceId().toByteArray());
      String name = names.nameOf(id);
      if (!name.equals(id)) {
        dictionary = dictionary == null ? request.getDictionary().toBuilder() : dictionary;
        dictionary.setLinkTable(
            i, link.toBuilder().setTraceId(ByteString.copyFrom(HexFormat.of().parseHex(name))));
      }
    }
    ExportProfilesServiceRequest named =
        ofServices(
            dictionary == null ? request : request.toBuilder().setDictionary(dictionary).build());
    Answer answer = next.profiles(named);
    if (exporter != null && !(answer instanceof Answer.Later)) {
      exporter.export(named.toByteArray());
    }
    return answer;
  }

  private static ExportProfilesServiceRequest ofServices(ExportProfilesServiceRequest request) {
    ExportProfilesServiceRequest.Builder named = null;
    for (int i = 0; i < request.getResourceProfilesCount(); i++) {
      Resource resource = request.getResourceProfiles(i).getResource();
      String name = value(resource, SERVICE).getStringValue();
      long pid = value(resource, "process.pid").getIntValue();
      if (ServiceNames.isUnknown(name) && pid > 0 && pid <= Integer.MAX_VALUE) {
        String host = value(resource, "host.name").getStringValue();
        String instance = value(resource, "service.instance.id").getStringValue();
        named = named == null ? request.toBuilder() : named;
        named
            .getResourceProfilesBuilder(i)
            .setResource(renamed(resource, ServiceNames.ofSender(name, host, (int) pid, instance)));
      }
    }
    return named == null ? request : named.build();
  }

  private static AnyValue value(Resource resource, String key) {
    return resource.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals(key))
        .map(KeyValue::getValue)
        .findFirst()
        .orElse(AnyValue.getDefaultInstance());
  }

  private static Resource renamed(Resource resource, String name) {
    Resource.Builder renamed = resource.toBuilder().clearAttributes();
    resource.getAttributesList().stream()
        .filter(attribute -> !attribute.getKey().equals(SERVICE))
        .forEach(renamed::addAttributes);
    return renamed
        .addAttributes(
            KeyValue.newBuilder()
                .setKey(SERVICE)
                .setValue(AnyValue.newBuilder().setStringValue(name)))
        .build();
  }
}
