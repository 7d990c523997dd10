/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.jfr.Recordings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlamegraphWriterTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");

  @TempDir Path folder;

  @Test
  void aHostileNameIsTextAndNothingElse() throws IOException {
    String page = page(HandMade.spans());
    assertThat(page.split("<script", -1)).as("the data and the script").hasSize(3);
    assertThat(page.split("</script", -1)).hasSize(3);
    assertThat(page).doesNotContain("alert(1)//\"").doesNotContain("\u202e");
    Struct data = data(page);
    assertThat(texts(data, "frames"))
        .contains("a</script><script>alert(1)//\"'&\\;\\u000a\\u202eb", "main", "run");
    assertThat(data.getFieldsOrThrow("title").getStringValue()).startsWith("shop a</script>");
  }

  @Test
  void thePolicyAllowsThePagesOwnScriptAndStyleOnly() throws Exception {
    String page = page(HandMade.spans());
    assertThat(page)
        .contains(
            "content=\"default-src 'none'; script-src '"
                + hash(page, "<script>", "</script>")
                + "'; style-src '"
                + hash(page, "<style>", "</style>")
                + "'; base-uri 'none'; form-action 'none'\"");
    assertThat(page)
        .doesNotContainPattern("(?i)(src|href|action)=")
        .doesNotContainPattern("(?i)https?://")
        .doesNotContain("innerHTML")
        .doesNotContain("eval(");
  }

  @Test
  void theDataIsTheTreeWithItsSpans() throws IOException {
    Struct data = data(page(HandMade.spans()));
    assertThat(texts(data, "links"))
        .containsExactly("00000000000000ab00000000000000ab 00000000000000cd");
    assertThat(texts(data, "types")).containsExactly("jvm", "native");
    Struct tree = data.getFieldsOrThrow("trees").getListValue().getValues(0).getStructValue();
    assertThat(tree.getFieldsOrThrow("name").getStringValue()).isEqualTo("cpu");
    assertThat(numbers(tree, "parent")).containsExactly(0, 0, 1, 2, 1);
    assertThat(numbers(tree, "frame")).containsExactly(-1, 0, 1, 2, 3);
    assertThat(numbers(tree, "self")).containsExactly(0, 0, 5, 4, 1);
    assertThat(numbers(tree, "linked")).containsExactly(2, 0, 3);
  }

  @Test
  void aRecordingIsThereWithEveryTypeOfProfile() throws IOException {
    ProfileExport export = new JfrToOtlpConverter().addFile(Recordings.hotSpot(folder)).read();
    Struct data = data(page(export));
    assertThat(data.getFieldsOrThrow("trees").getListValue().getValuesCount())
        .isEqualTo(export.profiles().size());
    assertThat(texts(data, "frames")).anyMatch(name -> name.startsWith("Workload."));
  }

  private static String page(ProfileExport export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlamegraphWriter.write(export, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String json(String page) {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static Struct data(String page) throws IOException {
    Struct.Builder data = Struct.newBuilder();
    JsonFormat.parser().merge(json(page), data);
    return data.build();
  }

  private static List<String> texts(Struct data, String name) {
    return data.getFieldsOrThrow(name).getListValue().getValuesList().stream()
        .map(Value::getStringValue)
        .toList();
  }

  private static List<Integer> numbers(Struct data, String name) {
    return data.getFieldsOrThrow(name).getListValue().getValuesList().stream()
        .map(value -> (int) value.getNumberValue())
        .toList();
  }

  private static String hash(String page, String start, String end)
      throws GeneralSecurityException {
    byte[] content = between(page, start, end).getBytes(StandardCharsets.UTF_8);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }

  private static String between(String page, String start, String end) {
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf(end, from));
  }
}
