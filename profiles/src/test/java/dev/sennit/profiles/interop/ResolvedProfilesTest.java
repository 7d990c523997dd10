/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.sennit.profiles.Fixtures;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.OtlpProfileWriter;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The comparison that {@link InteropTest} relies on: it sees every change and no renumbering. */
class ResolvedProfilesTest {
  private ProfilesData data = ProfilesData.getDefaultInstance();

  @BeforeEach
  void make() throws IOException {
    data =
        ProfilesData.parseFrom(OtlpProfileWriter.toByteArray(Fixtures.export(1, 50), Kind.PROTO));
  }

  @Test
  void whateverIsChangedOrLostIsSeen() {
    ResolvedProfiles original = ResolvedProfiles.of(data);
    Map<String, Message> changed = new TreeMap<>();
    change(data, "", changed, message -> message);
    assertThat(changed)
        .hasSizeGreaterThan(100)
        .allSatisfy(
            (what, message) ->
                assertThat(ResolvedProfiles.of((ProfilesData) message).lines())
                    .as(what)
                    .isNotEqualTo(original.lines()));
  }

  @Test
  void whatWasLostAndWhatWasAddedIsNamed() {
    ProfilesData.Builder less = data.toBuilder();
    var samples =
        less.getResourceProfilesBuilder(0).getScopeProfilesBuilder(0).getProfilesBuilder(2);
    samples.removeSamples(samples.getSamplesCount() - 1);
    ResolvedProfiles before = ResolvedProfiles.of(data);
    ResolvedProfiles after = ResolvedProfiles.of(less.build());
    assertThat(before.without(after))
        .isNotEmpty()
        .anySatisfy(line -> assertThat(line).contains(" has {"));
    assertThat(after.without(before)).isEmpty();
  }

  @Test
  void anotherNumberingIsTheSame() {
    assertThat(ResolvedProfiles.of(withStringsBackwards(data)).lines())
        .isEqualTo(ResolvedProfiles.of(data).lines());
  }

  @Test
  void anEntryThatNothingLeadsToIsAnOrphan() {
    assertThat(ResolvedProfiles.of(data).orphans()).isEmpty();
    ProfilesData.Builder more = data.toBuilder();
    more.getDictionaryBuilder().addStringTable("nobody");
    assertThat(ResolvedProfiles.of(more.build()).orphans())
        .containsExactly("string[" + data.getDictionary().getStringTableCount() + "]: nobody");
  }

  @Test
  void anEntryThatIsThereTwiceIsADuplicate() {
    assertThat(ResolvedProfiles.of(data).duplicates()).isEmpty();
    ProfilesData.Builder more = data.toBuilder();
    int last = data.getDictionary().getFunctionTableCount() - 1;
    more.getDictionaryBuilder().addFunctionTable(data.getDictionary().getFunctionTable(last));
    more.getDictionaryBuilder()
        .getLocationTableBuilderList()
        .forEach(
            location ->
                location
                    .getLinesBuilderList()
                    .forEach(
                        line -> {
                          if (line.getFunctionIndex() == last) {
                            line.setFunctionIndex(last + 1);
                          }
                        }));
    more.getDictionaryBuilder()
        .addLocationTable(data.getDictionary().getLocationTable(1))
        .getStackTableBuilderList()
        .getLast()
        .addLocationIndices(data.getDictionary().getLocationTableCount());
    assertThat(ResolvedProfiles.of(more.build()).duplicates())
        .singleElement()
        .asString()
        .startsWith("location[" + data.getDictionary().getLocationTableCount() + "] is as [1]: ");
  }

  /** What a message is part of, given with a change. */
  private interface Whole {
    Message with(Message part);
  }

  /**
   * Changes each field of each message, one at a time, or of the last where there are many. The
   * last of a table is in use, since the writer leaves no orphans.
   */
  private static void change(
      Message message, String path, Map<String, Message> changed, Whole whole) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      String name = path + "/" + field.getName();
      if (field.isRepeated()) {
        List<?> elements = (List<?>) message.getField(field);
        if (!elements.isEmpty()) {
          int last = elements.size() - 1;
          changed.put(
              name + " without the last",
              whole.with(message.toBuilder().setField(field, elements.subList(0, last)).build()));
          for (int i = path.equals("/dictionary") || last > 2 ? last : 0; i <= last; i++) {
            int index = i;
            changeOne(
                field,
                elements.get(i),
                name + "[" + i + "]",
                changed,
                value ->
                    whole.with(message.toBuilder().setRepeatedField(field, index, value).build()));
          }
        }
      } else if (isChosen(field, message)) {
        changeOne(
            field,
            message.getField(field),
            name,
            changed,
            value -> whole.with(message.toBuilder().setField(field, value).build()));
      }
    }
  }

  /** Of several fields that exclude each other, a change of the one that is set will do. */
  private static boolean isChosen(FieldDescriptor field, Message message) {
    return field.getContainingOneof() == null || message.hasField(field);
  }

  private interface WithValue {
    Message with(Object value);
  }

  private static void changeOne(
      FieldDescriptor field,
      Object value,
      String name,
      Map<String, Message> changed,
      WithValue whole) {
    if (value instanceof Message message) {
      change(message, name, changed, whole::with);
    } else {
      changed.put(name, whole.with(other(field, value)));
    }
  }

  private static Object other(FieldDescriptor field, Object value) {
    return switch (value) {
      case Integer number -> number == 0 ? 1 : number - 1;
      case Long number -> number + 1;
      case Double number -> number + 1;
      case Boolean flag -> !flag;
      case String text -> text + "x";
      case ByteString bytes -> bytes.concat(ByteString.copyFrom(new byte[] {1}));
      default -> throw new AssertionError(field + " has " + value);
    };
  }

  private static ProfilesData withStringsBackwards(ProfilesData data) {
    List<String> strings = data.getDictionary().getStringTableList();
    ProfilesData.Builder turned = (ProfilesData.Builder) turn(data.toBuilder(), strings.size());
    turned.getDictionaryBuilder().clearStringTable().addStringTable("");
    strings
        .subList(1, strings.size())
        .reversed()
        .forEach(turned.getDictionaryBuilder()::addStringTable);
    return turned.build();
  }

  private static Message.Builder turn(Message.Builder builder, int strings) {
    builder
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getName().endsWith("strindex")) {
                builder.setField(field, strings - (Integer) value);
              } else if (field.isRepeated()
                  && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                for (int i = 0; i < builder.getRepeatedFieldCount(field); i++) {
                  Message element = (Message) builder.getRepeatedField(field, i);
                  builder.setRepeatedField(field, i, turn(element.toBuilder(), strings).build());
                }
              } else if (value instanceof Message message) {
                builder.setField(field, turn(message.toBuilder(), strings).build());
              }
            });
    return builder;
  }
}
