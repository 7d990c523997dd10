/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.AttributeTable;
import dev.sennit.profiles.dictionary.ProfilesDictionary;

/** What a profile is called: by its attribute {@code profile.type}, else by its sample type. */
public final class ProfileName {
  private ProfileName() {}

  public static String of(ProfileExport export, Profile profile) {
    ProfilesDictionary dictionary = export.dictionary();
    int set = profile.attributeSet();
    for (int k = 0; k < dictionary.attributeSets().length(set); k++) {
      int attribute = dictionary.attributeSets().attribute(set, k);
      if (dictionary.strings().get(dictionary.attributes().key(attribute)).equals("profile.type")
          && dictionary.attributes().kind(attribute) == AttributeTable.Kind.STRING) {
        return dictionary.attributes().stringValue(attribute);
      }
    }
    return dictionary.strings().get(profile.sampleType());
  }
}
