/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.handoff.ClassChanges.Place;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.MethodModel;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is not there would be left out in silence: a new version of Netty must not lose it. */
class NettyChangesTest {
  private static final ClassLoader LOADER = NettyChangesTest.class.getClassLoader();

  private static Map<String, List<Place>> placesByType() {
    return NettyChanges.all().stream().collect(Collectors.groupingBy(Place::type));
  }

  private static byte[] content(String type) throws IOException {
    try (InputStream in = LOADER.getResourceAsStream(type + ".class")) {
      assertThat(in).as(type).isNotNull();
      return in.readAllBytes();
    }
  }

  private static boolean is(MethodModel method, Place place) {
    return method.methodName().equalsString(place.method())
        && method.methodType().stringValue().startsWith(place.parameters());
  }

  @Test
  void everyPlaceIsInNettyAndReactor() throws IOException {
    Map<String, List<Place>> places = placesByType();
    // Reactor Netty has a copy of its own, and here is no other.
    places.remove("reactor/pool/AbstractPool$Borrower");
    for (String type : places.keySet()) {
      List<MethodModel> methods = ClassFile.of().parse(content(type)).methods();
      for (Place place : places.getOrDefault(type, List.of())) {
        assertThat(methods).as(place.toString()).anyMatch(method -> is(method, place));
      }
    }
  }

  @Test
  void copiesOfNettyUnderOtherNamesAreChangedTheSame() throws IOException {
    String prefix = "io/grpc/netty/shaded/";
    ClassFile classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.defaultResolver()
                    .orElse(ClassHierarchyResolver.ofResourceParsing(LOADER))));
    for (Map.Entry<String, List<Place>> entry : placesByType().entrySet()) {
      if (!entry.getKey().startsWith("io/netty/")) {
        continue;
      }
      String type = prefix + entry.getKey();
      assertThat(NettyChanges.plainName(type)).isEqualTo(entry.getKey());
      byte[] changed = HandOffTransformer.changed(content(type), entry.getValue(), LOADER);
      assertThat(changed).as(type).isNotEqualTo(content(type));
      assertThat(classFile.verify(changed)).as(type).isEmpty();
    }
  }
}
