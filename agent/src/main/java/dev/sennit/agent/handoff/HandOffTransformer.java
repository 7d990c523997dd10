/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.agent.handoff.ClassChanges.Place;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes the classes in which work goes from thread to thread. Those of frameworks it changes when
 * they are loaded, so it stays for good; of all others it looks at the name.
 */
final class HandOffTransformer implements ClassFileTransformer {
  private final Map<String, List<Place>> places;
  private final RunOverrides overrides;
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();

  HandOffTransformer(List<Place> places, RunOverrides overrides) {
    this.places = places.stream().collect(Collectors.groupingBy(Place::type));
    this.overrides = overrides;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] content) {
    if (className == null) {
      return null;
    }
    List<Place> wanted = places.get(NettyChanges.plainName(className));
    if (wanted == null) {
      if (redefined == null || !overrides.wants(redefined)) {
        return null;
      }
      wanted = List.of(new Place(className, "run", "()V", MethodChange.runOfThis(), true));
    }
    try {
      return changed(content, wanted, loader);
    } catch (Throwable e) {
      problems.add(className.replace('/', '.') + ": " + e.getMessage());
      return null;
    }
  }

  /** What could not be changed, and why; each is told once. */
  List<String> problems() {
    List<String> told = List.copyOf(problems);
    problems.removeAll(told);
    return told;
  }

  static byte[] changed(byte[] content, List<Place> wanted, @Nullable ClassLoader loader) {
    ClassLoader source = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    ClassFile classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.defaultResolver()
                    .orElse(ClassHierarchyResolver.ofResourceParsing(source))));
    ClassModel model = classFile.parse(content);
    for (Place place : wanted) {
      if (place.required() && model.methods().stream().noneMatch(method -> is(method, place))) {
        throw new IllegalStateException("it has no method " + place.method() + place.parameters());
      }
    }
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            MethodTransform change = changeOf(method, wanted);
            if (change != null) {
              builder.transformMethod(method, change);
              return;
            }
          }
          builder.with(element);
        };
    return classFile.transformClass(model, transform);
  }

  private static @Nullable MethodTransform changeOf(MethodModel method, List<Place> wanted) {
    MethodTransform change = null;
    for (Place place : wanted) {
      if (is(method, place)) {
        MethodTransform next = MethodTransform.transformingCode(place.change().of(method));
        change = change == null ? next : change.andThen(next);
      }
    }
    return change;
  }

  private static boolean is(MethodModel method, Place place) {
    return method.methodName().equalsString(place.method())
        && method.methodType().stringValue().startsWith(place.parameters());
  }
}
