/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.arbitraries.StringArbitrary;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ProcessContextCodecPropertyTest {
  @Property(tries = 300)
  void whatIsEncodedIsDecodedAgain(@ForAll("contexts") ProcessContext context) throws Exception {
    assertThat(ProcessContextCodec.decode(ProcessContextCodec.encode(context))).isEqualTo(context);
  }

  @Property(tries = 300)
  void encodingIsByteForByteTheOfficialOne(@ForAll("contexts") ProcessContext context) {
    assertThat(ProcessContextCodec.encode(context))
        .isEqualTo(OfficialContexts.toOfficial(context).toByteArray());
  }

  @Property(tries = 300)
  void aPayloadCutAnywhereIsDecodedOrRefusedAsByTheOfficialClasses(
      @ForAll("contexts") ProcessContext context, @ForAll @IntRange(max = 10_000) int cut) {
    byte[] payload = ProcessContextCodec.encode(context);
    agreesWithTheOfficialClasses(Arrays.copyOf(payload, cut % (payload.length + 1)));
  }

  @Property(tries = 1000)
  void aPayloadWithOneWrongByteIsDecodedOrRefusedAsByTheOfficialClasses(
      @ForAll("contexts") ProcessContext context,
      @ForAll @IntRange(max = 10_000) int place,
      @ForAll byte value) {
    byte[] payload = ProcessContextCodec.encode(context);
    payload[place % payload.length] = value;
    agreesWithTheOfficialClasses(payload);
  }

  @Property(tries = 1000)
  void anyBytesAreDecodedOrRefusedAsByTheOfficialClasses(
      @ForAll @Size(max = 200) List<@IntRange(max = 63) Byte> small, @ForAll byte[] any) {
    byte[] likely = new byte[small.size()];
    for (int i = 0; i < likely.length; i++) {
      likely[i] = small.get(i);
    }
    agreesWithTheOfficialClasses(likely);
    agreesWithTheOfficialClasses(any);
  }

  @Property(tries = 300)
  void amendedPayloadsHaveTheNewAttributesAndTheOldResource(
      @ForAll("contexts") ProcessContext before, @ForAll("contexts") ProcessContext change)
      throws Exception {
    byte[] payload =
        ProcessContextCodec.amend(
            ProcessContextCodec.encode(before), change.attributes(), change.resource().keySet());
    ProcessContext after = ProcessContextCodec.decode(payload);
    assertThat(after.resource()).isEqualTo(before.resource());
    assertThat(after.attributes()).containsAllEntriesOf(change.attributes());
    assertThat(after.attributes().keySet())
        .allMatch(
            key ->
                change.attributes().containsKey(key)
                    || (before.attributes().containsKey(key)
                        && !change.resource().containsKey(key)));
  }

  /**
   * The official classes refuse text that is not UTF-8, which ours replaces, and take lengths and
   * tags that wrap around at 32 bits, which ours refuse; in all else both agree.
   */
  private static void agreesWithTheOfficialClasses(byte[] payload) {
    ProcessContext ours;
    try {
      ours = ProcessContextCodec.decode(payload);
    } catch (MalformedContextException e) {
      assertThat(e).hasMessageContaining(" at offset ");
      return;
    }
    try {
      assertThat(ours)
          .isEqualTo(
              OfficialContexts.fromOfficial(
                  io.opentelemetry.proto.processcontext.v1development.ProcessContext.parseFrom(
                      payload)));
    } catch (InvalidProtocolBufferException e) {
      assertThat(e).hasMessageContaining("UTF-8");
    }
  }

  @Provide
  Arbitrary<ProcessContext> contexts() {
    Arbitrary<Map<String, AttributeValue>> entries =
        Arbitraries.maps(text().ofMinLength(1), values(3)).ofMaxSize(5);
    return Combinators.combine(entries, entries).as(ProcessContext::new).withoutEdgeCases();
  }

  private static StringArbitrary text() {
    return Arbitraries.strings().withCharRange('\0', '\uD7FF').ofMaxLength(20);
  }

  private static Arbitrary<AttributeValue> values(int depth) {
    Arbitrary<AttributeValue> scalars =
        Arbitraries.oneOf(
            text().map(AttributeValue::of),
            Arbitraries.of(true, false).map(AttributeValue::of),
            Arbitraries.longs().map(AttributeValue::of),
            Arbitraries.doubles().map(AttributeValue::of),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(40).map(AttributeValue::of),
            Arbitraries.just(new AttributeValue.Empty()));
    if (depth == 0) {
      return scalars;
    }
    return Arbitraries.frequencyOf(
        Tuple.of(5, scalars),
        Tuple.of(
            1,
            Arbitraries.lazy(() -> values(depth - 1)).list().ofMaxSize(4).map(AttributeValue::of)),
        Tuple.of(
            1,
            Arbitraries.maps(text(), Arbitraries.lazy(() -> values(depth - 1)))
                .ofMaxSize(4)
                .map(AttributeValue::of)));
  }
}
