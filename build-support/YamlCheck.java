/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads files of YAML; ends with status 1 and the reason if one is not. */
final class YamlCheck {
  public static void main(String[] files) throws Exception {
    for (String file : files) {
      int documents = 0;
      for (Object document :
          new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(Path.of(file)))) {
        if (document == null) {
          throw new IllegalArgumentException(file + " has an empty document");
        }
        documents++;
      }
      if (documents == 0) {
        throw new IllegalArgumentException(file + " is empty");
      }
    }
  }
}
