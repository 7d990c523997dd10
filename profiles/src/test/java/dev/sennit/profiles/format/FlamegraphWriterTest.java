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
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    String page = page(handMade());
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
    String page = page(handMade());
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
    Struct data = data(page(handMade()));
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

  @Test
  @Requires(commands = "node")
  void thePageZoomsSearchesReversesAndFilters() throws IOException {
    assertThat(
            node(
                page(handMade()),
                """
                const tree = data.trees[0];
                const rank = ranks(data.frames);
                const at = (view, name) => view.order.find(i => data.frames[view.frame[i]] === name);
                const all = viewOf(data, tree, rank, "", false);
                console.log(all.total[0], all.deepest, all.total[at(all, "run")]);
                console.log(percent(searchIn(data, all, "RUN").share), searchIn(data, all, "main").sum);
                console.log(JSON.stringify(placeOf(all, at(all, "write()"), at(all, "run"))));
                console.log(JSON.stringify(placeOf(all, at(all, "main"), at(all, "run"))));
                const back = viewOf(data, tree, rank, "", true);
                console.log(back.total[0], back.total[at(back, "write()")], back.depth[at(back, "write()")]);
                console.log(viewOf(data, tree, rank, "00000000000000cd", false).total[0],
                  viewOf(data, tree, rank, "00000000000000ab", false).total[0],
                  viewOf(data, tree, rank, "dead", false).total[0]);
                console.log(format(1536, "bytes"), format(2500000, "nanoseconds"), format(12345, "count"));
                """))
        .containsExactly(
            "10 3 9",
            "90.00% 10",
            "[0,0.4444444444444444]",
            "[0,1]",
            "10 4 1",
            "3 3 0",
            "1.50 KiB 2.50 ms 12,345");
  }

  @Test
  @Requires(commands = "node")
  void aHundredThousandFramesAreLaidOut() throws IOException {
    HandMade model = new HandMade();
    for (int i = 0; i < 10_000; i++) {
      String[] frames = new String[12];
      for (int k = 0; k < frames.length; k++) {
        frames[k] = "frame" + (k < 2 ? k : i + k);
      }
      model.sample(1, frames);
    }
    ProfileExport export = model.profile("cpu", "samples", "count").export();
    assertThat(
            node(
                page(export),
                """
                const rank = ranks(data.frames);
                for (const reverse of [false, true]) {
                  const view = viewOf(data, data.trees[0], rank, "", reverse);
                  console.log(view.total[0], view.order.length > 99999, view.deepest);
                }
                """))
        .containsExactly("10000 true 12", "10000 true 12");
  }

  private static ProfileExport handMade() {
    return new HandMade()
        .sample(2, "main", "run")
        .sample(3, 0xab, 0xcd, "main", "run")
        .sample(4, "main", "run", "write()")
        .sample(1, "main", HandMade.HOSTILE)
        .profile("cpu", "samples", "count")
        .export();
  }

  private static String page(ProfileExport export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlamegraphWriter.write(export, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Runs the page's functions without the page: {@code data} and what stands before the drawing.
   */
  private List<String> node(String page, String test) throws IOException {
    String script = between(page, "<script>", "</script>");
    String model = script.substring(0, script.indexOf("// Draws the view"));
    Path file = folder.resolve("test.js");
    Files.writeString(file, model + "\nconst data = " + json(page) + ";\n" + test);
    try (ChildProcess node = ChildProcess.start(List.of("node", file.toString()))) {
      List<String> lines = node.readAll();
      assertThat(node.waitFor()).as(node.errors()).isZero();
      return lines;
    }
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
