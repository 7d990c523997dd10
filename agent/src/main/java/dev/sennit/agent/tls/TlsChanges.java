/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which methods are changed, how, and why there. Each change calls {@link TlsBridge}'s copy. */
final class TlsChanges {
  static final ClassDesc BRIDGE = ClassDesc.of("java.lang.SennitTls");

  private static final String INPUT = "sun/security/ssl/SSLSocketImpl$AppInputStream";
  private static final String OUTPUT = "sun/security/ssl/SSLSocketImpl$AppOutputStream";
  private static final String ENGINE = "sun/security/ssl/SSLEngineImpl";
  private static final String HTTP_CLIENT = "jdk/internal/net/http/common/SSLFlowDelegate$Writer";

  private static final String HTTP_STREAM = "jdk/internal/net/http/Stream";

  private static final ClassDesc SOCKET = ClassDesc.of("sun.security.ssl.SSLSocketImpl");
  private static final ClassDesc RESULT = ClassDesc.of("javax.net.ssl.SSLEngineResult");
  private static final ClassDesc BYTES = ClassDesc.ofDescriptor("[B");
  private static final ClassDesc INTS = ClassDesc.ofDescriptor("[I");
  private static final ClassDesc BUFFERS = ClassDesc.ofDescriptor("[Ljava/nio/ByteBuffer;");
  private static final ClassDesc LIST = ClassDesc.of("java.util.List");
  private static final String BUFFERS_TO_BUFFERS =
      "([Ljava/nio/ByteBuffer;II[Ljava/nio/ByteBuffer;II)Ljavax/net/ssl/SSLEngineResult;";

  /**
   * One change.
   *
   * @param type the class, as it is written in class files
   */
  record Place(String type, String method, String descriptor, Supplier<CodeTransform> change) {}

  /** All others of these classes' methods that move plaintext come through these. */
  static final List<Place> PLACES =
      List.of(
          new Place(INPUT, "read", "([BII)I", Reading::new),
          new Place(OUTPUT, "write", "([BII)V", Writing::new),
          new Place(ENGINE, "unwrap", BUFFERS_TO_BUFFERS, Unwrapping::new),
          new Place(ENGINE, "wrap", BUFFERS_TO_BUFFERS, Wrapping::new),
          // Where the bytes of a request wait for a handshake that ends on another thread.
          new Place(HTTP_CLIENT, "incoming", "(Ljava/util/List;Z)V", Queueing::new),
          // The last place where a request of HTTP/2 is by itself, with or without TLS.
          new Place(
              HTTP_STREAM,
              "headerFrame",
              "(J)Ljdk/internal/net/http/frame/OutgoingHeaders;",
              Sending::new));

  private TlsChanges() {}

  private static CodeBuilder call(
      CodeBuilder code, String name, ClassDesc result, ClassDesc... of) {
    return code.invokestatic(BRIDGE, name, MethodTypeDesc.of(result, of));
  }

  private static CodeBuilder loadSocket(CodeBuilder code, String type) {
    return code.aload(0).getfield(ClassDesc.ofInternalName(type), "this$0", SOCKET);
  }

  /** What was read is told when it is there. */
  private static final class Reading implements CodeTransform {
    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        code.dup();
        loadSocket(code, INPUT).aload(1).iload(2);
        call(code, "read", CD_void, CD_int, CD_Object, BYTES, CD_int);
      }
      code.with(element);
    }
  }

  /** Where the parameters have been checked and hands have been shaken. */
  private static final class Writing implements CodeTransform {
    private boolean found;

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof InvokeInstruction invoke && invoke.name().equalsString("deliver")) {
        found = true;
        Label same = code.newLabel();
        int instead = code.allocateLocal(TypeKind.REFERENCE);
        code.pop().pop().pop();
        loadSocket(code, OUTPUT).aload(1).iload(2).iload(3);
        call(code, "writing", BYTES, CD_Object, BYTES, CD_int, CD_int).astore(instead);
        code.aload(instead)
            .ifnull(same)
            .aload(instead)
            .astore(1)
            .iconst_0()
            .istore(2)
            .aload(1)
            .arraylength()
            .istore(3)
            .labelBinding(same)
            .aload(1)
            .iload(2)
            .iload(3);
      }
      code.with(element);
    }

    @Override
    public void atEnd(CodeBuilder code) {
      if (!found) {
        throw new IllegalStateException("it calls no method deliver");
      }
    }
  }

  private static final class Queueing implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.aload(1);
      call(code, "queued", CD_void, LIST);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }

  /** Of the application's own headers, where they are taken from the request. */
  private static final class Sending implements CodeTransform {
    private boolean found;

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
      if (element instanceof InvokeInstruction invoke
          && invoke.name().equalsString("getUserHeaders")) {
        found = true;
        call(code, "sending", CD_Object, CD_Object)
            .checkcast(ClassDesc.of("java.net.http.HttpHeaders"));
      }
    }

    @Override
    public void atEnd(CodeBuilder code) {
      if (!found) {
        throw new IllegalStateException("it calls no method getUserHeaders");
      }
    }
  }

  private static final class Unwrapping implements CodeTransform {
    private int positions;

    @Override
    public void atStart(CodeBuilder code) {
      positions = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(0).aload(1).iload(2).iload(3).aload(4).iload(5).iload(6);
      call(code, "unwrapping", INTS, CD_Object, BUFFERS, CD_int, CD_int, BUFFERS, CD_int, CD_int)
          .astore(positions);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        code.dup().aload(0).aload(4).iload(5).iload(6).aload(positions);
        call(code, "unwrapped", CD_void, RESULT, CD_Object, BUFFERS, CD_int, CD_int, INTS);
      }
      code.with(element);
    }
  }

  private static final class Wrapping implements CodeTransform {
    private int state;
    private @Nullable Label start;

    @Override
    public void atStart(CodeBuilder code) {
      Label same = code.newLabel();
      state = code.allocateLocal(TypeKind.REFERENCE);
      int instead = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(0).aload(1).iload(2).iload(3);
      call(code, "wrapping", CD_Object, CD_Object, BUFFERS, CD_int, CD_int).astore(state);
      code.aload(state);
      call(code, "instead", BUFFERS, CD_Object).astore(instead);
      code.aload(instead)
          .ifnull(same)
          .aload(instead)
          .astore(1)
          .iconst_0()
          .istore(2)
          .iconst_1()
          .istore(3)
          .labelBinding(same);
      start = code.newBoundLabel();
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        code.aload(state).aload(4).iload(5);
        call(code, "wrapped", RESULT, RESULT, CD_Object, BUFFERS, CD_int);
      }
      code.with(element);
    }

    @Override
    public void atEnd(CodeBuilder code) {
      Label end = code.newBoundLabel();
      if (start != null) {
        code.exceptionCatchAll(start, end, end);
      }
      code.aload(state);
      call(code, "notWrapped", CD_void, CD_Object);
      code.athrow();
    }
  }
}
