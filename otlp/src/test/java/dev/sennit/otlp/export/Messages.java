/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.nio.ByteBuffer;

/** Requests that carry a number as their profile id, so that each can be told from the others. */
final class Messages {
  private Messages() {}

  static byte[] numbered(int number) {
    return numbered(number, 0);
  }

  /** With a payload of so many bytes that gzip cannot shrink to nothing. */
  static byte[] numbered(int number, int payload) {
    byte[] filling = new byte[payload];
    new java.util.Random(number).nextBytes(filling);
    return ExportProfilesServiceRequest.newBuilder()
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .addScopeProfiles(
                    ScopeProfiles.newBuilder()
                        .addProfiles(
                            Profile.newBuilder()
                                .setProfileId(ByteString.copyFrom(id(number)))
                                .setOriginalPayloadFormat("random")
                                .setOriginalPayload(ByteString.copyFrom(filling)))))
        .build()
        .toByteArray();
  }

  static int numberOf(ExportProfilesServiceRequest request) {
    return request
        .getResourceProfiles(0)
        .getScopeProfiles(0)
        .getProfiles(0)
        .getProfileId()
        .asReadOnlyByteBuffer()
        .getInt(12);
  }

  private static byte[] id(int number) {
    return ByteBuffer.allocate(16).putInt(0, 0x5E221700).putInt(12, number).array();
  }
}
