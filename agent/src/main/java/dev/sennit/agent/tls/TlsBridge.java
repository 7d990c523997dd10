/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK's changed classes call. It is never used as it stands here, but as a copy in {@code
 * java.lang}, with its parts as constants that the compiler sees through. Whatever a part throws
 * ends here: the application has nothing to do with it.
 */
public final class TlsBridge {
  /** Where the parts are while the copy is initialised, among the system properties. */
  static final String PARTS = "sennit.tls.parts";

  private static final Object[] GIVEN =
      (Object[]) Objects.requireNonNull(System.getProperties().remove(PARTS));
  private static final MethodHandle READ = (MethodHandle) GIVEN[0];
  private static final MethodHandle WRITING = (MethodHandle) GIVEN[1];
  private static final MethodHandle QUEUED = (MethodHandle) GIVEN[2];
  private static final MethodHandle UNWRAPPING = (MethodHandle) GIVEN[3];
  private static final MethodHandle UNWRAPPED = (MethodHandle) GIVEN[4];
  private static final MethodHandle WRAPPING = (MethodHandle) GIVEN[5];
  private static final MethodHandle INSTEAD = (MethodHandle) GIVEN[6];
  private static final MethodHandle WRAPPED = (MethodHandle) GIVEN[7];
  private static final MethodHandle NOT_WRAPPED = (MethodHandle) GIVEN[8];
  private static final MethodHandle SENDING = (MethodHandle) GIVEN[9];

  private TlsBridge() {}

  /** Headers are about to be sent by HTTP/2; the result is sent instead. */
  public static Object sending(Object headers) {
    try {
      return (Object) SENDING.invokeExact(headers);
    } catch (Throwable e) {
      return headers;
    }
  }

  /** A socket was read. */
  public static void read(int count, Object socket, byte[] bytes, int offset) {
    try {
      READ.invokeExact(count, socket, bytes, offset);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A socket is about to be written to; the result is what is written instead, or null. */
  public static byte @Nullable [] writing(Object socket, byte[] bytes, int offset, int length) {
    try {
      return (byte[]) WRITING.invokeExact(socket, bytes, offset, length);
    } catch (Throwable e) {
      return null;
    }
  }

  /** Buffers are queued for an engine. */
  public static void queued(List<?> buffers) {
    try {
      QUEUED.invokeExact(buffers);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** An engine is about to decrypt; the result is for {@link #unwrapped}. */
  public static int @Nullable [] unwrapping(
      Object engine, ByteBuffer[] from, int offset, int length, ByteBuffer[] to, int first, int n) {
    try {
      return (int[]) UNWRAPPING.invokeExact(engine, from, offset, length, to, first, n);
    } catch (Throwable e) {
      return null;
    }
  }

  /** An engine has decrypted. */
  public static void unwrapped(
      SSLEngineResult result,
      Object engine,
      ByteBuffer[] to,
      int first,
      int n,
      int @Nullable [] positions) {
    try {
      UNWRAPPED.invokeExact(result, engine, to, first, n, positions);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** An engine is about to encrypt; the result is for the three that follow. */
  public static @Nullable Object wrapping(
      Object engine, ByteBuffer[] sources, int offset, int length) {
    try {
      return (Object) WRAPPING.invokeExact(engine, sources, offset, length);
    } catch (Throwable e) {
      return null;
    }
  }

  /** What it encrypts instead, or null. */
  public static ByteBuffer @Nullable [] instead(@Nullable Object call) {
    if (call == null) {
      return null;
    }
    try {
      return (ByteBuffer[]) INSTEAD.invokeExact(call);
    } catch (Throwable e) {
      return null;
    }
  }

  /** An engine has encrypted; the result is the one for the application. */
  public static SSLEngineResult wrapped(
      SSLEngineResult result, @Nullable Object call, ByteBuffer[] to, int first) {
    if (call == null) {
      return result;
    }
    try {
      return (SSLEngineResult) WRAPPED.invokeExact(result, call, to, first);
    } catch (Throwable e) {
      return result;
    }
  }

  /** An engine has failed to encrypt. */
  public static void notWrapped(@Nullable Object call) {
    try {
      if (call != null) {
        NOT_WRAPPED.invokeExact(call);
      }
    } catch (Throwable e) {
      // See above.
    }
  }
}
