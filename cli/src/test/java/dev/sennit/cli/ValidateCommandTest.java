/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.EventColumns;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.dictionary.SampleIdentities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidateCommandTest {
  @TempDir Path folder;

  @Test
  void aValidFileIsSaidToBe() throws IOException {
    String file = write("good.otlp", profiles(1_500));
    Sennit validate = Sennit.run("validate", file);
    assertThat(validate.status()).isZero();
    assertThat(validate.out()).isEqualTo(file + ": valid\n");
    assertThat(validate.err()).isEmpty();
  }

  @Test
  void aBreachIsALineThatSaysWhereAndWhat() throws IOException {
    String file = write("late.otlp", profiles(9_000));
    Sennit validate = Sennit.run("validate", file);
    assertThat(validate.status()).isEqualTo(1);
    assertThat(validate.out().lines())
        .singleElement()
        .asString()
        .startsWith(file + ": ")
        .contains("profiles[0]", "9000");
    assertThat(validate.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "7b7d, it is JSON",
    "'', it is empty",
    "504b0304, it is a zip",
    "1f8b08, it is compressed with gzip",
    "464c520000020000, it is a JFR recording",
    "0a7f616263, not protobuf"
  })
  void whatIsNotProtobufCannotBeJudged(String content, String reason) throws IOException {
    Path file = folder.resolve("other");
    Files.write(file, HexFormat.of().parseHex(content));
    Sennit validate = Sennit.run("validate", file.toString());
    assertThat(validate.status()).isEqualTo(2);
    assertThat(validate.out()).isEmpty();
    assertThat(validate.err().lines())
        .singleElement()
        .asString()
        .startsWith("sennit: " + file + ": ")
        .contains(reason);
  }

  @Test
  void theWorstOfSeveralIsTheStatus() throws IOException {
    String good = write("good.otlp", profiles(1_500));
    String late = write("late.otlp", profiles(9_000));
    assertThat(Sennit.run("validate", good, late).status()).isEqualTo(1);
    Sennit all = Sennit.run("validate", late, folder.resolve("none").toString(), good);
    assertThat(all.status()).isEqualTo(2);
    assertThat(all.err()).contains("there is no such file");
    assertThat(all.out()).contains(good + ": valid");
  }

  @Test
  void asJsonHasTheDocumentedForm() throws IOException {
    String good = write("good.otlp", profiles(1_500));
    String late = write("late.otlp", profiles(9_000));
    Sennit validate = Sennit.run("validate", "--json", good, late, folder.toString());
    assertThat(validate.status()).isEqualTo(2);
    List<JsonObject> files = validate.json().objects("files");
    assertThat(files.get(0).flag("valid")).isTrue();
    assertThat(files.get(0).isNull("failure")).isTrue();
    JsonObject finding = files.get(1).objects("findings").getFirst();
    assertThat(finding.flag("error")).isTrue();
    assertThat(finding.text("where")).contains("profiles[0]");
    assertThat(finding.text("problem")).contains("9000");
    assertThat(files.get(2).text("failure")).isEqualTo("it is a folder");
  }

  private String write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes).toString();
  }

  /** One sample in a profile from 1000 to 2000. */
  private static byte[] profiles(long timestamp) {
    ProfilesDictionary dictionary = new ProfilesDictionary();
    int function = dictionary.functions().intern(dictionary.strings().intern("main"), 0, 0, 0);
    int location = dictionary.locations().intern(0, 0, function, 1, 0, 0);
    SampleIdentities identities = new SampleIdentities();
    EventColumns events = EventColumns.ofTimestamps();
    events.add(
        identities.intern(dictionary.stacks().intern(new int[] {location}, 0, 1), 0, 0),
        timestamp,
        1);
    Profile profile =
        Profile.of(identities, events)
            .sampleType(
                dictionary.strings().intern("samples"), dictionary.strings().intern("count"))
            .time(1_000, 1_000)
            .build();
    return OtlpProfileWriter.toByteArray(
        new ProfileExport(Map.of(), "test", "", "", List.of(profile), dictionary), Kind.PROTO);
  }
}
