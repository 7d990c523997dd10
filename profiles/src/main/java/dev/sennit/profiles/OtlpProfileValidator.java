/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Checks profiles against every rule of the specification and of OpenTelemetry's profcheck, in
 * memory and encoded. What it is given may be anything: it answers with findings, not exceptions.
 */
public final class OtlpProfileValidator {
  private OtlpProfileValidator() {}

  /** The rules of the tables: entry 0, uniqueness, references, ids, keys. */
  public static ValidationResult validateDictionaries(ProfilesDictionary dictionary) {
    Findings findings = new Findings();
    checkDictionary(findings, dictionary);
    return findings.result();
  }

  /** The rules of a profile and its samples; the tables are taken to be right. */
  public static ValidationResult validateSamples(Profile profile, ProfilesDictionary dictionary) {
    DictionaryRules rules = checkDictionary(new Findings(), dictionary);
    Findings findings = new Findings();
    checkProfile(findings, rules.reportingTo(findings), profile, dictionary, 0);
    return findings.result();
  }

  /**
   * All rules. An entry that nothing refers to is a warning here and an error in encoded bytes,
   * since {@link OtlpProfileWriter} leaves it out.
   */
  public static ValidationResult validateProfile(ProfileExport export) {
    Findings findings = new Findings();
    DictionaryRules rules = checkDictionary(findings, export.dictionary());
    List<Profile> profiles = export.profiles();
    for (int i = 0; i < profiles.size(); i++) {
      checkProfile(findings, rules, profiles.get(i), export.dictionary(), i);
    }
    rules.checkOrphans(false);
    return findings.result();
  }

  /** All rules, on protobuf. */
  public static ValidationResult validate(byte[] bytes) {
    return validate(MemorySegment.ofArray(bytes));
  }

  /** All rules, on protobuf that is read as needed, such as a mapped file. */
  public static ValidationResult validate(MemorySegment bytes) {
    return new EncodedProfiles(bytes).validate();
  }

  /** All rules, on protobuf that is read into an array first; map a file that may be large. */
  public static ValidationResult validate(InputStream in) throws IOException {
    return validate(in.readAllBytes());
  }

  private static DictionaryRules checkDictionary(Findings findings, ProfilesDictionary dictionary) {
    DictionaryRules rules = new DictionaryRules(findings);
    try {
      rules.check(new ModelDictionary(dictionary));
    } catch (MalformedProfileException e) {
      throw new AssertionError("a dictionary in memory is not encoded", e);
    }
    return rules;
  }

  private static void checkProfile(
      Findings findings,
      DictionaryRules dictionaryRules,
      Profile profile,
      ProfilesDictionary dictionary,
      int index) {
    SampleRules rules = new SampleRules(findings, dictionaryRules, "profiles[" + index + "]");
    SampleRules.Head head = new SampleRules.Head();
    head.sampleType = profile.sampleType();
    head.sampleUnit = profile.sampleUnit();
    head.periodType = profile.periodType();
    head.periodUnit = profile.periodUnit();
    head.time = profile.timeUnixNano();
    head.duration = profile.durationNano();
    head.profileIdLength = profile.hasProfileId() ? 16 : 0;
    head.profileIdZero = !profile.hasProfileId();
    head.payload = profile.originalPayload() != null;
    head.payloadFormat = head.payload;
    ModelDictionary.attributes(dictionary, profile.attributeSet(), head.attributes);
    rules.head(head);
    SampleRules.Sample sample = new SampleRules.Sample();
    for (int i = 0; i < profile.sampleCount(); i++) {
      sample.clear();
      sample.stack = profile.stack(i);
      sample.link = profile.link(i);
      ModelDictionary.attributes(dictionary, profile.attributeSet(i), sample.attributes);
      int observations = profile.observations(i);
      sample.values = profile.shape() == SampleShape.TIMESTAMPS ? 0 : observations;
      for (int k = 0; profile.shape() != SampleShape.AGGREGATED && k < observations; k++) {
        sample.timestamps.add(profile.timestamp(i, k));
      }
      rules.sample(sample);
    }
  }
}
