/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A change of one method, which adds a call of the bridge or puts one in the place of another. */
@FunctionalInterface
interface MethodChange {
  ClassDesc BRIDGE = BridgeClass.NAME;
  ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");
  MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
  MethodTypeDesc ONE_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
  MethodTypeDesc ENTERED = MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object);
  MethodTypeDesc TWO_OBJECTS =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object);

  /** The change of the code of {@code method}; a new one each time, for it may have variables. */
  CodeTransform of(MethodModel method);

  /** A parameter, counted from 0, takes along what is current. */
  static MethodChange carry(int parameter) {
    return replace("carry", parameter);
  }

  /** A parameter must not take along what is current, though what it is given to would. */
  static MethodChange bare(int parameter) {
    return replace("bare", parameter);
  }

  private static MethodChange replace(String function, int parameter) {
    return method ->
        atStart(
            code -> {
              ClassDesc type = method.methodTypeSymbol().parameterType(parameter);
              int slot = slotOf(method, parameter);
              code.aload(slot)
                  .invokestatic(BRIDGE, function, MethodTypeDesc.of(type, type))
                  .astore(slot);
            });
  }

  /** A parameter takes along what is current, unless this pool is the one of virtual threads. */
  static MethodChange carryInto(int parameter) {
    return method ->
        atStart(
            code -> {
              ClassDesc type = method.methodTypeSymbol().parameterType(parameter);
              int slot = slotOf(method, parameter);
              code.aload(0)
                  .aload(slot)
                  .invokestatic(
                      BRIDGE, "carry", MethodTypeDesc.of(type, ConstantDescs.CD_Object, type))
                  .astore(slot);
            });
  }

  /** A parameter is handed over as it is. */
  static MethodChange attach(int parameter) {
    return method ->
        atStart(
            code ->
                code.aload(slotOf(method, parameter)).invokestatic(BRIDGE, "attach", ONE_OBJECT));
  }

  /** The same, unless this pool is the one of virtual threads. */
  static MethodChange attachInto(int parameter) {
    return method ->
        atStart(
            code ->
                code.aload(0)
                    .aload(slotOf(method, parameter))
                    .invokestatic(BRIDGE, "attach", TWO_OBJECTS));
  }

  /** This object is handed over. */
  static MethodChange attachThis() {
    return _ -> atStart(code -> code.aload(0).invokestatic(BRIDGE, "attach", ONE_OBJECT));
  }

  /** This thread is about to be started. */
  static MethodChange tellThread(String function) {
    return _ ->
        atStart(
            code ->
                code.aload(0)
                    .invokestatic(
                        BRIDGE, function, MethodTypeDesc.of(ConstantDescs.CD_void, THREAD)));
  }

  /** Something without arguments is to be told. */
  static MethodChange tell(String function) {
    return _ -> atStart(code -> code.invokestatic(BRIDGE, function, NOTHING));
  }

  /** All of the method is the run of this task. */
  static MethodChange runOfThis() {
    return around((code, _) -> code.aload(0).invokestatic(BRIDGE, "begin", ENTERED));
  }

  /** All of the method is the run of a task that is a parameter. */
  static MethodChange runOf(int parameter) {
    return around(
        (code, method) ->
            code.aload(slotOf(method, parameter)).invokestatic(BRIDGE, "begin", ENTERED));
  }

  /** What the method starts is nobody's work. */
  static MethodChange muted() {
    return _ ->
        new Around(
            code -> code.invokestatic(BRIDGE, "mute", NOTHING),
            false,
            (code, _) -> code.invokestatic(BRIDGE, "unmute", NOTHING));
  }

  /** One thread at a time is in the method of this object. */
  static MethodChange alone() {
    return _ ->
        new Around(
            code -> code.aload(0).monitorenter(), false, (code, _) -> code.aload(0).monitorexit());
  }

  /** All of the method is done in a context; {@code enter} leaves on the stack what to end with. */
  static MethodChange around(BiConsumer<CodeBuilder, MethodModel> enter) {
    return method ->
        new Around(
            code -> enter.accept(code, method),
            true,
            (code, kept) -> code.aload(kept).invokestatic(BRIDGE, "end", ONE_OBJECT));
  }

  /** Every call of {@code run()} of that type is one of the bridge's. */
  static MethodChange replaceRun(ClassDesc owner) {
    return _ ->
        (code, element) -> {
          if (element instanceof InvokeInstruction call
              && call.name().equalsString("run")
              && call.typeSymbol().equals(NOTHING)
              && call.owner().asSymbol().equals(owner)) {
            code.invokestatic(BRIDGE, "run", MethodTypeDesc.of(ConstantDescs.CD_void, RUNNABLE));
          } else {
            code.with(element);
          }
        };
  }

  /** What the method hands to {@code function} takes along what is current. */
  static MethodChange carryTo(String function) {
    return _ ->
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString(function)) {
            code.invokestatic(BRIDGE, "carry", MethodTypeDesc.of(RUNNABLE, RUNNABLE));
          }
          code.with(element);
        };
  }

  /** The method reads from a socket. */
  static MethodChange read() {
    return _ -> new Reading();
  }

  /** Something is done first. */
  static MethodChange first(BiConsumer<CodeBuilder, MethodModel> added) {
    return method -> atStart(code -> added.accept(code, method));
  }

  private static CodeTransform atStart(Consumer<CodeBuilder> added) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        added.accept(builder);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        builder.with(element);
      }
    };
  }

  private static int slotOf(MethodModel method, int parameter) {
    int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
    for (int i = 0; i < parameter; i++) {
      slot += TypeKind.from(method.methodTypeSymbol().parameterType(i)).slotSize();
    }
    return slot;
  }

  /** Something before all of a method and something after it, however it ends. */
  final class Around implements CodeTransform {
    private final Consumer<CodeBuilder> first;
    private final boolean keeps;
    private final BiConsumer<CodeBuilder, Integer> last;
    private int before;
    private @Nullable Label start;

    /**
     * @param keeps whether the first has a result, which is for the last
     * @param last gets the local variable in which that is
     */
    Around(Consumer<CodeBuilder> first, boolean keeps, BiConsumer<CodeBuilder, Integer> last) {
      this.first = first;
      this.keeps = keeps;
      this.last = last;
    }

    @Override
    public void atStart(CodeBuilder builder) {
      if (keeps) {
        before = builder.allocateLocal(TypeKind.REFERENCE);
      }
      first.accept(builder);
      if (keeps) {
        builder.astore(before);
      }
      start = builder.newBoundLabel();
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        last.accept(builder, before);
      }
      builder.with(element);
    }

    @Override
    public void atEnd(CodeBuilder builder) {
      Label end = builder.newBoundLabel();
      if (start != null) {
        builder.exceptionCatchAll(start, end, end);
      }
      last.accept(builder, before);
      builder.athrow();
    }
  }

  /** Notes what the thread's slot said before the method reads, and tells it when it has read. */
  final class Reading implements CodeTransform {
    private int before;

    @Override
    public void atStart(CodeBuilder builder) {
      before = builder.allocateLocal(TypeKind.LONG);
      builder
          .invokestatic(BRIDGE, "beforeRead", MethodTypeDesc.of(ConstantDescs.CD_long))
          .lstore(before);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        builder
            .lload(before)
            .invokestatic(
                BRIDGE,
                "afterRead",
                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
      }
      builder.with(element);
    }
  }
}
