/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.SampleOwner;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import org.junit.jupiter.api.Test;

/** What becomes of the profiles of a request where some of them are rejected. */
class ProfileDecoderTest {
  private static final int MOST = 1_000_000;

  @Test
  void aProfileThatIsTooLargeLeavesTheRoomToThoseThatFollow() {
    Batch batch = decode(profile(10), profile(MOST), profile(MOST - 10));
    assertThat(batch.samples()).isEqualTo(MOST);
    assertThat(batch.rejected()).isEqualTo(1);
    assertThat(batch.reason()).contains("too many samples: a request may have " + MOST);
  }

  @Test
  void soDoesOneThatContradictsItself() {
    Profile.Builder dangling = profile(10).addSamples(Sample.newBuilder().setStackIndex(99));
    Profile.Builder uneven =
        profile(10)
            .addSamples(Sample.newBuilder().addTimestampsUnixNano(1).addValues(1).addValues(2));
    Batch batch = decode(dangling, uneven, profile(MOST));
    assertThat(batch.samples()).isEqualTo(MOST);
    assertThat(batch.rejected()).isEqualTo(2);
  }

  @Test
  void theProfilesOfARequestShareTheRoom() {
    Batch batch = decode(profile(MOST - 10), profile(11), profile(10));
    assertThat(batch.samples()).isEqualTo(MOST);
    assertThat(batch.rejected()).isEqualTo(1);
  }

  private static Profile.Builder profile(int moments) {
    Sample.Builder sample = Sample.newBuilder();
    for (int i = 0; i < moments; i++) {
      sample.addTimestampsUnixNano(1000 + i);
    }
    return Profile.newBuilder()
        .setSampleType(ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
        .addSamples(sample);
  }

  private static Batch decode(Profile.Builder... profiles) {
    ScopeProfiles.Builder scope = ScopeProfiles.newBuilder();
    for (Profile.Builder profile : profiles) {
      scope.addProfiles(profile);
    }
    return ProfileDecoder.decode(
        ExportProfilesServiceRequest.newBuilder()
            .setDictionary(
                ProfilesDictionary.newBuilder()
                    .addStringTable("")
                    .addStringTable("samples")
                    .addStringTable("count")
                    .addStackTable(Stack.newBuilder()))
            .addResourceProfiles(ResourceProfiles.newBuilder().addScopeProfiles(scope))
            .build(),
        SampleOwner.NONE);
  }
}
