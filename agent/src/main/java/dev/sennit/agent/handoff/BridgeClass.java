/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;

/** Puts a class of the agent where every other class, also of the JDK, can see it. */
public final class BridgeClass {
  /** That of {@link HandOffBridge}. */
  static final ClassDesc NAME = ClassDesc.of("java.lang.SennitHandOff");

  /** That of {@link ChannelBridge}. */
  static final ClassDesc CHANNELS = ClassDesc.of("java.lang.SennitChannels");

  /** Keeps a method out of stack traces; of classes of the boot loader the JVM heeds it. */
  private static final ClassDesc HIDDEN = ClassDesc.of("jdk.internal.vm.annotation.Hidden");

  private static final MethodTransform HIDE =
      MethodTransform.endHandler(
          method -> method.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(HIDDEN))));

  private BridgeClass() {}

  /** Defines the class, with the parts it calls; {@code java.lang} must be open to the agent. */
  static void define(Class<?> source, ClassDesc name, Object[] parts)
      throws ReflectiveOperationException, IOException {
    define(source, name, HandOffBridge.PARTS, parts);
  }

  /** The same of a class that takes its parts from another of the system properties. */
  public static void define(Class<?> source, ClassDesc name, String property, Object[] parts)
      throws ReflectiveOperationException, IOException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    Class<?> defined = lookup.defineClass(content(source, name));
    System.getProperties().put(property, parts);
    try {
      lookup.ensureInitialized(defined);
    } finally {
      System.getProperties().remove(property);
    }
  }

  private static byte[] content(Class<?> source, ClassDesc name) throws IOException {
    String file = source.getSimpleName() + ".class";
    ClassDesc before = source.describeConstable().orElseThrow();
    try (InputStream in = source.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is not in the agent's file");
      }
      ClassFile classFile = ClassFile.of();
      byte[] renamed =
          classFile.transformClass(
              classFile.parse(in.readAllBytes()),
              name,
              ClassTransform.transformingMethodBodies(
                  (code, element) -> rename(code, element, before, name)));
      return classFile.transformClass(
          classFile.parse(renamed), ClassTransform.transformingMethods(BridgeClass::isRun, HIDE));
    }
  }

  private static boolean isRun(MethodModel method) {
    return method.methodName().equalsString("run");
  }

  /** What the class has of its own it finds under its new name. */
  private static void rename(
      CodeBuilder code, CodeElement element, ClassDesc before, ClassDesc name) {
    switch (element) {
      case FieldInstruction field when field.owner().asSymbol().equals(before) ->
          code.fieldAccess(field.opcode(), name, field.name().stringValue(), field.typeSymbol());
      case InvokeInstruction call when call.owner().asSymbol().equals(before) ->
          code.invoke(call.opcode(), name, call.name().stringValue(), call.typeSymbol(), false);
      default -> code.with(element);
    }
  }
}
