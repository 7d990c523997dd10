/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How recordings are converted.
 *
 * @param types what to convert
 * @param aggregate whether samples are sums without timestamps
 * @param resource attributes that win over what recordings say of their JVM
 * @param descriptors whether functions have their method descriptor in the system name
 * @param originalPayload whether the recordings are included as they are
 * @param validate whether what was made is checked against every rule
 */
public record ConversionOptions(
    Set<ProfileType> types,
    boolean aggregate,
    Map<String, AttributeValue> resource,
    boolean descriptors,
    boolean originalPayload,
    boolean validate) {

  public ConversionOptions {
    if (types.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no type to convert; choose at least one of "
              + Arrays.stream(ProfileType.values())
                  .map(ProfileType::optionName)
                  .collect(Collectors.joining(", ")));
    }
    types = Collections.unmodifiableSet(EnumSet.copyOf(types));
    resource = Collections.unmodifiableMap(new LinkedHashMap<>(resource));
  }

  /** Everything, sample by sample. */
  public static ConversionOptions defaults() {
    return new ConversionOptions(
        EnumSet.allOf(ProfileType.class), false, Map.of(), false, false, false);
  }

  public ConversionOptions withTypes(Set<ProfileType> chosen) {
    return new ConversionOptions(
        chosen, aggregate, resource, descriptors, originalPayload, validate);
  }

  public ConversionOptions withAggregate(boolean sums) {
    return new ConversionOptions(types, sums, resource, descriptors, originalPayload, validate);
  }

  public ConversionOptions withResource(Map<String, AttributeValue> attributes) {
    return new ConversionOptions(
        types, aggregate, attributes, descriptors, originalPayload, validate);
  }

  public ConversionOptions withDescriptors(boolean included) {
    return new ConversionOptions(types, aggregate, resource, included, originalPayload, validate);
  }

  public ConversionOptions withOriginalPayload(boolean included) {
    return new ConversionOptions(types, aggregate, resource, descriptors, included, validate);
  }

  public ConversionOptions withValidate(boolean checked) {
    return new ConversionOptions(types, aggregate, resource, descriptors, originalPayload, checked);
  }
}
