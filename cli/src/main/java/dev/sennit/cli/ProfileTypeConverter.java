/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.profiles.ProfileType;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Profile types as {@code --types} names them. */
final class ProfileTypeConverter implements ITypeConverter<ProfileType> {
  @Override
  public ProfileType convert(String value) {
    try {
      return ProfileType.parse(value.strip());
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** All names, for the help. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(ProfileType.values()).map(ProfileType::optionName).iterator();
    }
  }
}
