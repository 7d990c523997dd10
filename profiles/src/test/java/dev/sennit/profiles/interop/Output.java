/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import com.google.protobuf.ByteString;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.Official;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.IOException;

/** Something that the converter wrote, as a whole or one part of several. */
record Output(String name, Kind kind, ByteString bytes) {
  ProfilesData parse() throws IOException {
    return kind == Kind.PROTO
        ? ProfilesData.parseFrom(bytes)
        : Official.parseJson(bytes.toByteArray());
  }

  @Override
  public String toString() {
    return name + " (" + kind + ", " + bytes.size() + " bytes)";
  }
}
