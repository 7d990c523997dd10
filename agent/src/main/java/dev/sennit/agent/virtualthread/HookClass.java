/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.util.function.Consumer;

/**
 * The one class that {@code java.lang} gets: what {@code VirtualThread} calls must be where it can
 * see it. It hands over to objects of JDK types, and whatever they throw ends here.
 *
 * <pre>{@code
 * final class SennitVirtualThreadHook {
 *   static Consumer mount;
 *   static Runnable unmount;
 *   static void mount(Thread thread) { try { mount.accept(thread); } catch (Throwable e) {} }
 *   static void unmount() { try { unmount.run(); } catch (Throwable e) {} }
 * }
 * }</pre>
 */
final class HookClass {
  static final ClassDesc NAME = ClassDesc.of("java.lang.SennitVirtualThreadHook");
  static final String MOUNT = "mount";
  static final String UNMOUNT = "unmount";
  static final MethodTypeDesc MOUNT_TYPE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of("java.lang.Thread"));
  static final MethodTypeDesc UNMOUNT_TYPE = MethodTypeDesc.of(ConstantDescs.CD_void);

  private static final ClassDesc CONSUMER = ClassDesc.of("java.util.function.Consumer");
  private static final ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");

  private HookClass() {}

  /** Defines the class and gives it {@code record} to call. */
  static void define(CarrierRecord record) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    MethodHandles.Lookup hook = lookup.in(lookup.defineClass(content()));
    hook.findStaticVarHandle(hook.lookupClass(), MOUNT, Consumer.class)
        .setVolatile((Consumer<Thread>) record);
    hook.findStaticVarHandle(hook.lookupClass(), UNMOUNT, Runnable.class)
        .setVolatile((Runnable) record);
  }

  private static byte[] content() {
    MethodTypeDesc accept = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    return ClassFile.of()
        .build(
            NAME,
            type ->
                type.withFlags(AccessFlag.FINAL, AccessFlag.SUPER, AccessFlag.SYNTHETIC)
                    .withField(MOUNT, CONSUMER, ClassFile.ACC_STATIC)
                    .withField(UNMOUNT, RUNNABLE, ClassFile.ACC_STATIC)
                    .withMethodBody(
                        MOUNT,
                        MOUNT_TYPE,
                        ClassFile.ACC_STATIC,
                        code ->
                            guarded(
                                code,
                                call ->
                                    call.getstatic(NAME, MOUNT, CONSUMER)
                                        .aload(0)
                                        .invokeinterface(CONSUMER, "accept", accept)))
                    .withMethodBody(
                        UNMOUNT,
                        UNMOUNT_TYPE,
                        ClassFile.ACC_STATIC,
                        code ->
                            guarded(
                                code,
                                call ->
                                    call.getstatic(NAME, UNMOUNT, RUNNABLE)
                                        .invokeinterface(RUNNABLE, "run", UNMOUNT_TYPE))));
  }

  private static void guarded(CodeBuilder code, Consumer<CodeBuilder> call) {
    code.trying(call::accept, handlers -> handlers.catchingAll(handler -> handler.pop())).return_();
  }
}
