/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the hooks into {@code java.lang.VirtualThread}: at the entry of {@code mount} and before
 * every return of {@code unmount}, where the current thread is the carrier, and nowhere else.
 * Between those two places the thread is neither one nor the other, and a lock that is taken there
 * breaks the carrier for good.
 */
final class HookTransformer implements ClassFileTransformer {
  private static final String MOUNT = "mount";
  private static final String UNMOUNT = "unmount";
  private static final String ONLY_CALLER = "runContinuation";
  private static final String SWITCH = "setCurrentThread";
  private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(ConstantDescs.CD_void);

  private final Class<?> target;
  private @Nullable String problem = "the JVM did not hand it out";

  HookTransformer(Class<?> target) {
    this.target = target;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] content) {
    if (redefined != target) {
      return null;
    }
    try {
      byte[] changed = withHooks(content);
      problem = null;
      return changed;
    } catch (RuntimeException | LinkageError e) {
      problem = String.valueOf(e.getMessage());
      return null;
    }
  }

  void requireSuccess() {
    if (problem != null) {
      throw new IllegalStateException(target.getName() + " is left as it is: " + problem);
    }
  }

  static byte[] withHooks(byte[] content) {
    ClassFile classFile = ClassFile.of();
    ClassModel model = classFile.parse(content);
    requireExpectedShape(model);
    return classFile.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method && is(method, MOUNT)) {
            builder.transformMethod(method, MethodTransform.transformingCode(new EntryHook()));
          } else if (element instanceof MethodModel method && is(method, UNMOUNT)) {
            builder.transformMethod(method, MethodTransform.transformingCode(returnHook()));
          } else {
            builder.with(element);
          }
        });
  }

  private static final class EntryHook implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder.aload(0).invokestatic(HookClass.NAME, HookClass.MOUNT, HookClass.MOUNT_TYPE);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      builder.with(element);
    }
  }

  private static CodeTransform returnHook() {
    return (builder, element) -> {
      if (element instanceof ReturnInstruction) {
        builder.invokestatic(HookClass.NAME, HookClass.UNMOUNT, HookClass.UNMOUNT_TYPE);
      }
      builder.with(element);
    };
  }

  /** Other JDKs do, or did, it otherwise; what is not known is left alone. */
  private static void requireExpectedShape(ClassModel model) {
    for (String name : List.of(MOUNT, UNMOUNT)) {
      MethodModel method =
          model.methods().stream()
              .filter(candidate -> is(candidate, name))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("it has no method " + name + "()"));
      if (calls(method, SWITCH) != 1) {
        throw new IllegalStateException(
            name + "() calls " + SWITCH + " " + calls(method, SWITCH) + " times and not once");
      }
      List<String> callers =
          model.methods().stream()
              .filter(candidate -> calls(candidate, name) > 0)
              .map(candidate -> candidate.methodName().stringValue())
              .toList();
      if (!callers.equals(List.of(ONLY_CALLER))) {
        throw new IllegalStateException(
            name + "() is called by " + callers + " and not by " + ONLY_CALLER + " alone");
      }
    }
  }

  private static boolean is(MethodModel method, String name) {
    return method.methodName().equalsString(name) && method.methodTypeSymbol().equals(NO_ARGUMENTS);
  }

  private static long calls(MethodModel method, String name) {
    CodeModel code = method.code().orElse(null);
    return code == null
        ? 0
        : code.elementStream()
            .filter(
                element ->
                    element instanceof InvokeInstruction call && call.name().equalsString(name))
            .count();
  }
}
