/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.OtlpProfileValidator;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The samples of a recording, as OpenTelemetry's classes decode what the converter made of it. */
public final class SampledProfile {
  /**
   * One sample of the workload.
   *
   * @param type of its profile
   * @param methods of the workload, which begin with {@code in} and no other letter of lower case,
   *     the innermost first
   * @param thread its name
   * @param link trace and span, or nothing
   */
  public record Sample(String type, List<String> methods, String thread, String link, long time) {
    /** The innermost. */
    public String method() {
      return methods.getFirst();
    }
  }

  private static final Pattern METHOD = Pattern.compile("dev\\.sennit\\..*\\.(in[0-9A-Z]\\w*)");

  private final List<Sample> samples = new ArrayList<>();

  private SampledProfile() {}

  public static SampledProfile of(Path recording) throws IOException {
    return of(new JfrToOtlpConverter().addFile(recording).convert());
  }

  public static SampledProfile of(byte[] bytes) throws IOException {
    assertThat(OtlpProfileValidator.validate(bytes).findings()).isEmpty();
    SampledProfile result = new SampledProfile();
    result.add(ProfilesData.parseFrom(bytes));
    return result;
  }

  private void add(ProfilesData data) {
    ProfilesDictionary dictionary = data.getDictionary();
    for (var resource : data.getResourceProfilesList()) {
      for (var scope : resource.getScopeProfilesList()) {
        scope.getProfilesList().forEach(profile -> add(profile, dictionary));
      }
    }
  }

  private void add(Profile profile, ProfilesDictionary dictionary) {
    String type = attribute("profile.type", profile.getAttributeIndicesList(), dictionary);
    for (var sample : profile.getSamplesList()) {
      List<String> methods = methods(sample.getStackIndex(), dictionary);
      if (methods.isEmpty()) {
        continue;
      }
      String thread = attribute("thread.name", sample.getAttributeIndicesList(), dictionary);
      String link = link(dictionary.getLinkTable(sample.getLinkIndex()));
      for (int i = 0; i < sample.getTimestampsUnixNanoCount(); i++) {
        // Of a thread that waited, one may stand for several, the first of which was then.
        long count = sample.getValuesCount() == 0 ? 1 : sample.getValues(i);
        samples.addAll(
            Collections.nCopies(
                type.equals("wall") ? Math.toIntExact(count) : 1,
                new Sample(type, methods, thread, link, sample.getTimestampsUnixNano(i))));
      }
    }
  }

  private static List<String> methods(int stack, ProfilesDictionary dictionary) {
    List<String> methods = new ArrayList<>();
    for (int location : dictionary.getStackTable(stack).getLocationIndicesList()) {
      for (var line : dictionary.getLocationTable(location).getLinesList()) {
        Matcher name =
            METHOD.matcher(
                dictionary.getStringTable(
                    dictionary.getFunctionTable(line.getFunctionIndex()).getNameStrindex()));
        if (name.matches()) {
          methods.add(name.group(1));
        }
      }
    }
    return methods;
  }

  private static String attribute(
      String key, List<Integer> indices, ProfilesDictionary dictionary) {
    for (int index : indices) {
      var attribute = dictionary.getAttributeTable(index);
      if (dictionary.getStringTable(attribute.getKeyStrindex()).equals(key)) {
        return attribute.getValue().getStringValue();
      }
    }
    return "";
  }

  private static String link(Link link) {
    return link.getTraceId().isEmpty() ? "" : hex(link.getTraceId()) + "-" + hex(link.getSpanId());
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  public List<Sample> samples() {
    return samples;
  }

  public List<Sample> of(String type, String method) {
    return samples.stream()
        .filter(sample -> sample.type.equals(type) && sample.method().equals(method))
        .toList();
  }
}
