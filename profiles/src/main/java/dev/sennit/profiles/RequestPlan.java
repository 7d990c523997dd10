/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfString;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.proto.OtlpProtoFields.ProfilesData;
import dev.sennit.profiles.proto.OtlpProtoFields.ProfilesDictionary;
import dev.sennit.profiles.proto.OtlpProtoFields.ResourceProfiles;
import dev.sennit.profiles.proto.OtlpProtoFields.ScopeProfiles;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * What one request holds, with all lengths known, so that it can be written from front to back: the
 * slices, the length of each, and the part of the dictionary that they need. {@code ProfilesData}
 * and {@code ExportProfilesServiceRequest} are the same on the wire.
 */
record RequestPlan(
    ProfileExport export,
    DictionarySelection selection,
    List<ProfileSlice> slices,
    List<Long> sliceSizes) {

  /** More than the tags and lengths that surround the slices of a request can take. */
  static long framing(int slices) {
    return 64 + 11L * slices;
  }

  /** What every request of an export has, whatever its slices are. */
  static long sizeOfFrame(ProfileExport export) {
    return ResourceMessages.resource(export.resource()).size()
        + ResourceMessages.scope(export.scopeName(), export.scopeVersion()).size()
        + 2 * sizeOfString(ResourceProfiles.SCHEMA_URL, export.schemaUrl());
  }

  void write(OutputStream out) throws IOException {
    ProtobufEncoder resource = ResourceMessages.resource(export.resource());
    ProtobufEncoder scope = ResourceMessages.scope(export.scopeName(), export.scopeVersion());
    long schemaUrl =
        export.schemaUrl().isEmpty()
            ? 0
            : sizeOfString(ResourceProfiles.SCHEMA_URL, export.schemaUrl());
    long scopeSize = sizeOfLengthDelimited(ScopeProfiles.SCOPE, scope.size()) + schemaUrl;
    for (long size : sliceSizes) {
      scopeSize += sizeOfLengthDelimited(ScopeProfiles.PROFILES, size);
    }
    long resourceSize =
        sizeOfLengthDelimited(ResourceProfiles.RESOURCE, resource.size())
            + sizeOfLengthDelimited(ResourceProfiles.SCOPE_PROFILES, scopeSize)
            + schemaUrl;

    ProtobufEncoder encoder = new ProtobufEncoder(2 * ProfileMessages.SPILL);
    encoder.writeLengthDelimited(ProfilesData.RESOURCE_PROFILES, resourceSize);
    encoder.writeNestedMessage(ResourceProfiles.RESOURCE, resource);
    encoder.writeLengthDelimited(ResourceProfiles.SCOPE_PROFILES, scopeSize);
    encoder.writeNestedMessage(ScopeProfiles.SCOPE, scope);
    for (int i = 0; i < slices.size(); i++) {
      encoder.writeLengthDelimited(ScopeProfiles.PROFILES, sliceSizes.get(i));
      ProfileMessages.writeProfile(encoder, out, selection, slices.get(i));
    }
    if (schemaUrl != 0) {
      encoder.writeString(ScopeProfiles.SCHEMA_URL, export.schemaUrl());
      encoder.writeString(ResourceProfiles.SCHEMA_URL, export.schemaUrl());
    }
    writeDictionary(encoder, out);
    encoder.drainTo(out);
  }

  private void writeDictionary(ProtobufEncoder encoder, OutputStream out) throws IOException {
    encoder.writeLengthDelimited(ProfilesData.DICTIONARY, selection.size());
    writeTable(
        encoder,
        out,
        ProfilesDictionary.MAPPING_TABLE,
        selection.mappings,
        DictionaryMessages::writeMapping);
    writeTable(
        encoder,
        out,
        ProfilesDictionary.LOCATION_TABLE,
        selection.locations,
        DictionaryMessages::writeLocation);
    writeTable(
        encoder,
        out,
        ProfilesDictionary.FUNCTION_TABLE,
        selection.functions,
        DictionaryMessages::writeFunction);
    writeTable(
        encoder,
        out,
        ProfilesDictionary.LINK_TABLE,
        selection.links,
        DictionaryMessages::writeLink);
    encoder.writeString(ProfilesDictionary.STRING_TABLE, "");
    for (int i = 1; i < selection.strings.count(); i++) {
      encoder.writeString(
          ProfilesDictionary.STRING_TABLE,
          selection.dictionary.strings().get(selection.strings.original(i)));
      ProfileMessages.spill(encoder, out);
    }
    writeTable(
        encoder,
        out,
        ProfilesDictionary.ATTRIBUTE_TABLE,
        selection.attributes,
        DictionaryMessages::writeAttribute);
    writeTable(
        encoder,
        out,
        ProfilesDictionary.STACK_TABLE,
        selection.stacks,
        DictionaryMessages::writeStack);
  }

  /** A table with its zero entry; that of the links is empty too, for profcheck wants it so. */
  private void writeTable(
      ProtobufEncoder encoder, OutputStream out, int field, Renumbering entries, EntryWriter writer)
      throws IOException {
    encoder.writeLengthDelimited(field, 0);
    for (int i = 1; i < entries.count(); i++) {
      // Faster than to ask for the size once more: an entry is short, and moved by a byte or two.
      int start = encoder.beginMessage(field);
      writer.write(encoder, selection, entries.original(i));
      encoder.endMessage(start);
      ProfileMessages.spill(encoder, out);
    }
  }

  private interface EntryWriter {
    void write(ProtobufEncoder encoder, DictionarySelection selection, int entry);
  }
}
