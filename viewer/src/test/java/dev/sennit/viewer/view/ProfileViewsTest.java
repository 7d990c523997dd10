/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileViewsTest {
  private static ProfileSite site;

  @BeforeAll
  static void start() throws Exception {
    site = new ProfileSite();
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  @Test
  void typesAreThoseOfWhatIsChosen() throws Exception {
    assertThat(text("profile-types?service=shop"))
        .isEqualTo(
            "{\"types\":[{\"type\":\"allocated_space\",\"unit\":\"bytes\",\"samples\":1,\"total\":4096},"
                + "{\"type\":\"cpu\",\"unit\":\"count\",\"samples\":13,\"total\":100}]}");
    assertThat(text("profile-types?trace=" + ProfileSite.TRACE + "&span=" + ProfileSite.SPAN))
        .isEqualTo(
            "{\"types\":[{\"type\":\"cpu\",\"unit\":\"count\",\"samples\":10,\"total\":10}]}");
    assertThat(text("profile-types?last=1")).isEqualTo("{\"types\":[]}");
  }

  @Test
  void namesToChooseByAreThere() throws Exception {
    assertThat(text("threads?type=cpu&service=shop"))
        .isEqualTo("{\"names\":[\"http-1\",\"main\"],\"more\":false}");
    assertThat(text("threads?type=cpu&service=shop&limit=1"))
        .isEqualTo("{\"names\":[\"http-1\"],\"more\":true}");
    assertThat(text("profile-services?type=cpu&service=shop"))
        .as("the choice does not end with the first")
        .contains("\"shop\"", "\"orders\"", "<b>hostile");
    assertThat(text("profile-spans?type=cpu"))
        .isEqualTo("{\"names\":[\"GET /prices\"],\"more\":false}");
  }

  @Test
  void aFlameGraphIsTheSumOfItsSamples() throws Exception {
    Struct flame = json("flame?type=cpu&service=shop");
    assertThat(flame.getFieldsOrThrow("unit").getStringValue()).isEqualTo("count");
    assertThat(flame.getFieldsOrThrow("total").getNumberValue()).isEqualTo(100);
    assertThat(flame.getFieldsOrThrow("samples").getNumberValue()).isEqualTo(13);
    assertThat(flame.getFieldsOrThrow("more").getBoolValue()).isFalse();
    assertThat(stacks(flame)).containsExactlyInAnyOrderElementsOf(ProfileSite.SHOP);
    assertThat(json("flame?type=cpu&service=shop&limit=1").getFieldsOrThrow("more").getBoolValue())
        .isTrue();
  }

  @Test
  void everyFilterHolds() throws Exception {
    String inSpan = "&trace=" + ProfileSite.TRACE + "&span=" + ProfileSite.SPAN;
    List<String> prices = List.of("main;run;acme.Prices.load 10");
    assertThat(stacks(json("flame?type=cpu" + inSpan))).isEqualTo(prices);
    assertThat(stacks(json("flame?type=cpu&name=GET%20/prices"))).isEqualTo(prices);
    assertThat(stacks(json("flame?type=cpu&thread=http-1"))).isEqualTo(prices);
    assertThat(stacks(json("flame?type=cpu&trace=" + ProfileSite.TRACE + "&last=1"))).isEmpty();
    long from = site.begin + 1000;
    assertThat(stacks(json("flame?type=cpu&service=shop&from=" + from + "&to=" + (from + 1))))
        .containsExactly("main;run;acme.Cart.total;read() 20");
  }

  @Test
  void amountsStandInPartsOfTheTime() throws Exception {
    Struct times =
        json(
            "profile-times?type=cpu&service=shop&parts=4&from="
                + site.begin
                + "&to="
                + (site.begin + 4000));
    assertThat(times.getFieldsOrThrow("from").getNumberValue()).isEqualTo((double) site.begin);
    assertThat(times.getFieldsOrThrow("step").getNumberValue()).isEqualTo(1000);
    assertThat(numbers(times, "totals")).containsExactly(50L, 20L, 10L, 20L);
    assertThat(numbers(times, "samples")).containsExactly(1L, 1L, 10L, 1L);
    Struct ofTrace = json("profile-times?type=cpu&parts=10&trace=" + ProfileSite.TRACE);
    assertThat(numbers(ofTrace, "totals"))
        .as("all times are those with samples")
        .hasSize(10)
        .containsOnly(1L);
    assertThat(numbers(json("profile-times?type=none"), "totals")).hasSize(120).containsOnly(0L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flame                          | type is missing; profile-types tells which there are
          flame?type=cpu&trace=12        | trace is 12, but must have 32 digits of 0 to 9 and a to f
          flame?type=cpu&span=XY         | span is XY, but must have 16 digits of 0 to 9 and a to f
          flame?type=cpu&limit=0         | limit is 0, but must be a number from 1 to 100000
          threads?last=x                 | last is x, but must be a number from 1 to 315360000
          profile-times?type=a&parts=0   | parts is 0, but must be a number from 1 to 1000
          flame/export?type=cpu&format=x | format is x, but must be html, pprof, speedscope or collapsed
          """)
  void whatIsAskedWronglyIsSaid(String path, String words) throws Exception {
    HttpResponse<byte[]> response = site.get(path);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(new String(response.body(), UTF_8)).isEqualTo("{\"error\":\"" + words + "\"}");
  }

  @Test
  void whereThereIsNothingThereIsNoFile() throws Exception {
    assertThat(site.get("flame/export?type=none").statusCode()).isEqualTo(404);
  }

  @Test
  void collapsedStacksAreTheSame() throws Exception {
    HttpResponse<byte[]> file = site.get("flame/export?format=collapsed&type=cpu&service=shop");
    assertThat(file.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"shop-cpu.collapsed\"");
    assertThat(new String(file.body(), UTF_8).lines())
        .containsExactlyInAnyOrderElementsOf(ProfileSite.SHOP);
  }

  @Test
  void speedscopeHasWhatItsSchemaRequires() throws Exception {
    Struct file = json("flame/export?format=speedscope&type=cpu&service=shop");
    assertThat(file.getFieldsMap()).containsKeys("$schema", "shared", "profiles");
    Struct profile = file.getFieldsOrThrow("profiles").getListValue().getValues(0).getStructValue();
    assertThat(profile.getFieldsMap())
        .containsKeys("type", "name", "unit", "startValue", "endValue", "samples", "weights");
    assertThat(profile.getFieldsOrThrow("type").getStringValue()).isEqualTo("sampled");
    assertThat(profile.getFieldsOrThrow("unit").getStringValue()).isEqualTo("none");
    assertThat(profile.getFieldsOrThrow("endValue").getNumberValue()).isEqualTo(100);
    List<String> names =
        file
            .getFieldsOrThrow("shared")
            .getStructValue()
            .getFieldsOrThrow("frames")
            .getListValue()
            .getValuesList()
            .stream()
            .map(frame -> frame.getStructValue().getFieldsOrThrow("name").getStringValue())
            .toList();
    List<Value> samples = profile.getFieldsOrThrow("samples").getListValue().getValuesList();
    List<Long> weights = numbers(profile, "weights");
    List<String> stacks = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      stacks.add(
          String.join(
                  ";",
                  samples.get(i).getListValue().getValuesList().stream()
                      .map(frame -> names.get((int) frame.getNumberValue()))
                      .toList())
              + " "
              + weights.get(i));
    }
    assertThat(stacks).containsExactlyInAnyOrderElementsOf(ProfileSite.SHOP);
    Struct bytes = json("flame/export?format=speedscope&type=allocated_space");
    assertThat(
            bytes
                .getFieldsOrThrow("profiles")
                .getListValue()
                .getValues(0)
                .getStructValue()
                .getFieldsOrThrow("unit")
                .getStringValue())
        .isEqualTo("bytes");
  }

  @Test
  void pprofHasTheSameByItsFields() throws Exception {
    byte[] gzip = site.get("flame/export?format=pprof&type=cpu&service=shop").body();
    UnknownFieldSet profile =
        UnknownFieldSet.parseFrom(
            new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes());
    List<String> strings =
        profile.getField(6).getLengthDelimitedList().stream()
            .map(ByteString::toStringUtf8)
            .toList();
    Map<Long, String> functions = new HashMap<>();
    for (UnknownFieldSet function : messages(profile, 5)) {
      functions.put(number(function, 1), strings.get((int) number(function, 2)));
      assertThat(strings.get((int) number(function, 4))).isEqualTo("Source.java");
    }
    Map<Long, String> locations = new HashMap<>();
    for (UnknownFieldSet location : messages(profile, 4)) {
      locations.put(
          number(location, 1), functions.get(number(messages(location, 4).getFirst(), 1)));
    }
    List<String> stacks = new ArrayList<>();
    for (UnknownFieldSet sample : messages(profile, 2)) {
      stacks.add(
          String.join(";", packed(sample, 1).reversed().stream().map(locations::get).toList())
              + " "
              + packed(sample, 2).getFirst());
    }
    assertThat(stacks).containsExactlyInAnyOrderElementsOf(ProfileSite.SHOP);
    UnknownFieldSet type = messages(profile, 1).getFirst();
    assertThat(strings.get((int) number(type, 1))).isEqualTo("cpu");
    assertThat(strings.get((int) number(type, 2))).isEqualTo("count");
    assertThat(number(profile, 9)).isEqualTo(site.begin * 1_000_000);
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field)
      throws IOException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString bytes : message.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(bytes));
    }
    return messages;
  }

  private static long number(UnknownFieldSet message, int field) {
    return message.hasField(field) ? message.getField(field).getVarintList().getFirst() : 0;
  }

  private static List<Long> packed(UnknownFieldSet message, int field) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (ByteString bytes : message.getField(field).getLengthDelimitedList()) {
      CodedInputStream in = bytes.newCodedInput();
      while (!in.isAtEnd()) {
        numbers.add(in.readInt64());
      }
    }
    return numbers;
  }

  /** The stacks of a flame graph with what ended in them; its own sums must agree. */
  private static List<String> stacks(Struct flame) {
    List<Value> frames = flame.getFieldsOrThrow("frames").getListValue().getValuesList();
    List<Long> parents = numbers(flame, "parents");
    List<Long> frame = numbers(flame, "frame");
    List<Long> self = numbers(flame, "self");
    List<Long> totals = numbers(flame, "totals");
    List<Long> sums = new ArrayList<>(self);
    for (int i = parents.size() - 1; i > 0; i--) {
      assertThat(parents.get(i)).as("a parent stands before").isLessThan(i);
      int parent = parents.get(i).intValue();
      sums.set(parent, sums.get(parent) + sums.get(i));
    }
    assertThat(totals).isEqualTo(sums);
    List<String> paths = new ArrayList<>(List.of(""));
    List<String> stacks = new ArrayList<>();
    for (int i = 1; i < parents.size(); i++) {
      Value name = frames.get(frame.get(i).intValue()).getListValue().getValues(0);
      String above = paths.get(parents.get(i).intValue());
      paths.add((above.isEmpty() ? "" : above + ";") + name.getStringValue());
      if (self.get(i) > 0) {
        stacks.add(paths.get(i) + " " + self.get(i));
      }
    }
    return stacks;
  }

  private static List<Long> numbers(Struct object, String name) {
    return object.getFieldsOrThrow(name).getListValue().getValuesList().stream()
        .map(value -> (long) value.getNumberValue())
        .toList();
  }

  private static Struct json(String path) throws IOException, InterruptedException {
    Struct.Builder object = Struct.newBuilder();
    JsonFormat.parser().merge(text(path), object);
    return object.build();
  }

  private static String text(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = site.get(path);
    String text = new String(response.body(), UTF_8);
    assertThat(response.statusCode()).as(text).isEqualTo(200);
    return text;
  }
}
