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

/** Puts {@link HandOffBridge} where the JDK's own classes can see it. */
final class BridgeClass {
  static final ClassDesc NAME = ClassDesc.of("java.lang.SennitHandOff");

  private static final ClassDesc SOURCE = HandOffBridge.class.describeConstable().orElseThrow();

  /** Keeps a method out of stack traces; of classes of the boot loader the JVM heeds it. */
  private static final ClassDesc HIDDEN = ClassDesc.of("jdk.internal.vm.annotation.Hidden");

  private static final MethodTransform HIDE =
      MethodTransform.endHandler(
          method -> method.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(HIDDEN))));

  private BridgeClass() {}

  /** Defines the class, with the parts it calls; {@code java.lang} must be open to the agent. */
  static void define(Object[] parts) throws ReflectiveOperationException, IOException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    Class<?> defined = lookup.defineClass(content());
    System.getProperties().put(HandOffBridge.PARTS, parts);
    try {
      lookup.ensureInitialized(defined);
    } finally {
      System.getProperties().remove(HandOffBridge.PARTS);
    }
  }

  static byte[] content() throws IOException {
    String file = HandOffBridge.class.getSimpleName() + ".class";
    try (InputStream in = HandOffBridge.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(file + " is not in the agent's file");
      }
      ClassFile classFile = ClassFile.of();
      byte[] renamed =
          classFile.transformClass(
              classFile.parse(in.readAllBytes()),
              NAME,
              ClassTransform.transformingMethodBodies(BridgeClass::rename));
      return classFile.transformClass(
          classFile.parse(renamed), ClassTransform.transformingMethods(BridgeClass::isRun, HIDE));
    }
  }

  private static boolean isRun(MethodModel method) {
    return method.methodName().equalsString("run");
  }

  /** What the class has of its own it finds under its new name. */
  private static void rename(CodeBuilder code, CodeElement element) {
    switch (element) {
      case FieldInstruction field when field.owner().asSymbol().equals(SOURCE) ->
          code.fieldAccess(field.opcode(), NAME, field.name().stringValue(), field.typeSymbol());
      case InvokeInstruction call when call.owner().asSymbol().equals(SOURCE) ->
          code.invoke(call.opcode(), NAME, call.name().stringValue(), call.typeSymbol(), false);
      default -> code.with(element);
    }
  }
}
