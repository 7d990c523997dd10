/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * The changes of Netty's classes, whose own types they find next to the class that they change: it
 * may be a copy under another name.
 */
final class ChannelChange {
  private static final ClassDesc BRIDGE = BridgeClass.CHANNELS;
  private static final ClassDesc QUEUE = ClassDesc.of("java.util.Queue");
  private static final MethodTypeDesc AN_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_Object);
  private static final MethodTypeDesc TELL_TWO = MethodChange.TWO_OBJECTS;
  private static final MethodTypeDesc TELL_ONE = MethodChange.ONE_OBJECT;

  private ChannelChange() {}

  /** This pipeline hands on something; the bridge has a function for each kind. */
  static MethodChange event(String function) {
    return MethodChange.around(
        (code, _) -> code.aload(0).invokestatic(BRIDGE, function, MethodChange.ENTERED));
  }

  /** All of the method is done for whom this channel is. */
  static MethodChange inChannel() {
    return MethodChange.around(
        (code, method) -> {
          pipelineOfThis(code, method);
          code.invokestatic(BRIDGE, "enter", MethodChange.ENTERED);
        });
  }

  /** The same, if something is under way, of a handler's context that is a field of this object. */
  static MethodChange inOpenChannelOf(String field) {
    return MethodChange.around(
        (code, method) -> {
          ClassDesc context = netty(method, "channel.ChannelHandlerContext");
          if (has(method, field, context)) {
            code.aload(0).getfield(owner(method), field, context);
            pipelineOf(code, method);
            code.invokestatic(BRIDGE, "enterOpen", MethodChange.ENTERED);
          } else {
            code.invokestatic(BRIDGE, "beginNobodys", AN_OBJECT);
          }
        });
  }

  /** Something is to be told of the channel whose handler's context is the first parameter. */
  static MethodChange tellPipeline(String function) {
    return MethodChange.first(
        (code, method) -> {
          code.aload(1);
          pipelineOf(code, method);
          code.invokestatic(BRIDGE, function, TELL_ONE);
        });
  }

  /** The same of a message, and whether the channel was accepted by a server. */
  static MethodChange written() {
    return MethodChange.first(
        (code, method) -> {
          ClassDesc channel = netty(method, "channel.Channel");
          code.aload(1);
          pipelineOf(code, method);
          code.aload(1)
              .invokeinterface(
                  netty(method, "channel.ChannelHandlerContext"),
                  "channel",
                  MethodTypeDesc.of(channel))
              .invokeinterface(channel, "parent", MethodTypeDesc.of(channel))
              .instanceOf(netty(method, "channel.ServerChannel"))
              .invokestatic(
                  BRIDGE,
                  "written",
                  MethodTypeDesc.of(
                      ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_boolean));
        });
  }

  /** A promise and a listener, which are in these variables. */
  static MethodChange listen(String function, int promise, int listener) {
    return MethodChange.first(
        (code, _) -> code.aload(promise).aload(listener).invokestatic(BRIDGE, function, TELL_TWO));
  }

  /** All of the method is the call of a listener. */
  static MethodChange notifying() {
    return MethodChange.around(
        (code, _) ->
            code.aload(0)
                .aload(1)
                .invokestatic(
                    BRIDGE,
                    "notifying",
                    MethodTypeDesc.of(
                        ConstantDescs.CD_Object,
                        ConstantDescs.CD_Object,
                        ConstantDescs.CD_Object)));
  }

  /** All of the method is done for who made this object. */
  static MethodChange own() {
    return MethodChange.around(
        (code, _) -> code.aload(0).invokestatic(BRIDGE, "beginOwn", MethodChange.ENTERED));
  }

  /** All of the method is done for who made the first in a queue, which is in a field. */
  static MethodChange ownOfFirst(String field) {
    return MethodChange.around(
        (code, method) -> {
          if (has(method, field, QUEUE)) {
            code.aload(0)
                .getfield(owner(method), field, QUEUE)
                .invokeinterface(QUEUE, "peek", AN_OBJECT)
                .invokestatic(BRIDGE, "beginOwn", MethodChange.ENTERED);
          } else {
            code.invokestatic(BRIDGE, "beginNobodys", AN_OBJECT);
          }
        });
  }

  /** All of the method is nobody's work. */
  static MethodChange nobodys() {
    return MethodChange.around((code, _) -> code.invokestatic(BRIDGE, "beginNobodys", AN_OBJECT));
  }

  /** The method looks for the head of a message, and results in null if it is not complete. */
  static MethodChange decoded() {
    return _ ->
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            code.dup().invokestatic(BRIDGE, "decoded", TELL_ONE);
          }
          code.with(element);
        };
  }

  /** This object was made, and goes on in the context that is current. */
  static MethodChange attachMade() {
    return _ ->
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            code.aload(0).invokestatic(MethodChange.BRIDGE, "attach", TELL_ONE);
          }
          code.with(element);
        };
  }

  /** The channel that the method takes from a field is from now on for whom the method runs. */
  static MethodChange acquired() {
    return _ ->
        (code, element) -> {
          code.with(element);
          if (element instanceof FieldInstruction field
              && field.opcode() == Opcode.GETFIELD
              && field.name().equalsString("channel")) {
            ClassDesc channel = field.typeSymbol();
            code.dup()
                .invokeinterface(
                    channel,
                    "pipeline",
                    MethodTypeDesc.of(ClassDesc.of(channel.packageName(), "ChannelPipeline")))
                .invokestatic(BRIDGE, "connecting", TELL_ONE);
          }
        };
  }

  /** The method reads from this channel. */
  static MethodChange received() {
    return Received::new;
  }

  /**
   * The method decrypts what came by the channel whose handler's context is the first parameter.
   */
  static MethodChange decrypted() {
    return Decrypted::new;
  }

  private static void pipelineOfThis(CodeBuilder code, MethodModel method) {
    code.aload(0)
        .invokevirtual(
            owner(method), "pipeline", MethodTypeDesc.of(netty(method, "channel.ChannelPipeline")));
  }

  private static void pipelineOf(CodeBuilder code, MethodModel method) {
    code.invokeinterface(
        netty(method, "channel.ChannelHandlerContext"),
        "pipeline",
        MethodTypeDesc.of(netty(method, "channel.ChannelPipeline")));
  }

  /** Of another version, a field may be gone. */
  private static boolean has(MethodModel method, String field, ClassDesc type) {
    return method.parent().orElseThrow().fields().stream()
        .anyMatch(
            each -> each.fieldName().equalsString(field) && each.fieldTypeSymbol().equals(type));
  }

  private static ClassDesc owner(MethodModel method) {
    return method.parent().orElseThrow().thisClass().asSymbol();
  }

  private static ClassDesc netty(MethodModel method, String name) {
    String of = owner(method).packageName();
    return ClassDesc.of(of.substring(0, of.indexOf("io.netty.")) + "io.netty." + name);
  }

  /** Notes what the thread's slot says, and results in the variable for it. */
  private static int noteSlot(CodeBuilder builder) {
    int before = builder.allocateLocal(TypeKind.LONG);
    builder
        .invokestatic(MethodChange.BRIDGE, "beforeRead", MethodTypeDesc.of(ConstantDescs.CD_long))
        .lstore(before);
    return before;
  }

  /** Tells what it said, and the pipeline that is on the stack. */
  private static void tellSlot(CodeBuilder builder, String function, int before) {
    builder
        .lload(before)
        .invokestatic(
            BRIDGE,
            function,
            MethodTypeDesc.of(
                ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_long));
  }

  /** Notes what the thread's slot said before, and tells it with the channel that was read. */
  private static final class Received implements CodeTransform {
    private final MethodModel method;
    private int before;

    Received(MethodModel method) {
      this.method = method;
    }

    @Override
    public void atStart(CodeBuilder builder) {
      before = noteSlot(builder);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        pipelineOfThis(builder, method);
        tellSlot(builder, "received", before);
      }
      builder.with(element);
    }
  }

  /** The same around each call of the engine, behind which handlers get what it has decrypted. */
  private static final class Decrypted implements CodeTransform {
    private final MethodModel method;

    Decrypted(MethodModel method) {
      this.method = method;
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof InvokeInstruction invoke
          && invoke.name().equalsString("unwrap")
          && invoke.owner().asInternalName().endsWith("SslEngineType")) {
        int before = noteSlot(builder);
        builder.with(element).aload(1);
        pipelineOf(builder, method);
        tellSlot(builder, "decrypted", before);
      } else {
        builder.with(element);
      }
    }
  }
}
