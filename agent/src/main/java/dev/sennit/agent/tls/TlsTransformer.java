/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.agent.tls.TlsChanges.Place;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Changes the classes of the JDK's TLS, mostly when they are loaded: few applications use all. */
final class TlsTransformer implements ClassFileTransformer {
  private final Consumer<String> problem;

  TlsTransformer(Consumer<String> problem) {
    this.problem = problem;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] content) {
    if (className == null || !(loader == null || className.startsWith("jdk/"))) {
      return null;
    }
    try {
      List<Place> wanted = of(className);
      return wanted.isEmpty() ? null : changed(content, wanted);
    } catch (Throwable e) {
      problem.accept(className.replace('/', '.') + " is left as it is: " + e.getMessage());
      return null;
    }
  }

  private static List<Place> of(String className) {
    // Asked of every class, and streams are of many.
    for (Place place : TlsChanges.PLACES) {
      if (place.type().equals(className)) {
        return TlsChanges.PLACES.stream().filter(p -> p.type().equals(className)).toList();
      }
    }
    return List.of();
  }

  static byte[] changed(byte[] content, List<Place> wanted) {
    ClassFile classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.defaultResolver()
                    .orElse(
                        ClassHierarchyResolver.ofResourceParsing(
                            ClassLoader.getSystemClassLoader()))));
    ClassModel model = classFile.parse(content);
    for (Place place : wanted) {
      if (model.methods().stream().noneMatch(method -> is(method, place))) {
        throw new IllegalStateException("it has no method " + place.method() + place.descriptor());
      }
    }
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method) {
            for (Place place : wanted) {
              if (is(method, place)) {
                builder.transformMethod(
                    method, MethodTransform.transformingCode(place.change().get()));
                return;
              }
            }
          }
          builder.with(element);
        };
    return classFile.transformClass(model, transform);
  }

  private static boolean is(MethodModel method, Place place) {
    return method.methodName().equalsString(place.method())
        && method.methodType().equalsString(place.descriptor());
  }
}
