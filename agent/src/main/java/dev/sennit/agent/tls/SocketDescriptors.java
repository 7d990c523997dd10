/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.net.Socket;
import java.net.SocketImpl;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The descriptors of the sockets under the JDK's own {@code SSLSocket}s. */
final class SocketDescriptors {
  private final VarHandle carrier;
  private final VarHandle implementation;
  private final MethodHandle descriptor;
  private final VarHandle number;

  /** The packages of all of them must be open to the agent. */
  SocketDescriptors() throws ReflectiveOperationException {
    MethodHandles.Lookup caller = MethodHandles.lookup();
    Class<?> base = Class.forName("sun.security.ssl.BaseSSLSocketImpl", false, null);
    carrier = MethodHandles.privateLookupIn(base, caller).findVarHandle(base, "self", Socket.class);
    implementation =
        MethodHandles.privateLookupIn(Socket.class, caller)
            .findVarHandle(Socket.class, "impl", SocketImpl.class);
    descriptor =
        MethodHandles.privateLookupIn(SocketImpl.class, caller)
            .findVirtual(
                SocketImpl.class, "getFileDescriptor", MethodType.methodType(FileDescriptor.class));
    number =
        MethodHandles.privateLookupIn(FileDescriptor.class, caller)
            .findVarHandle(FileDescriptor.class, "fd", int.class);
  }

  /** The descriptor; -1 where there is none, or where it carries records inside of records. */
  int of(Object socket) throws Throwable {
    Socket carries = (Socket) carrier.get(socket);
    if (carries instanceof SSLSocket && !carries.equals(socket)) {
      return -1;
    }
    SocketImpl known = (SocketImpl) implementation.get(carries);
    if (known == null) {
      return -1;
    }
    @Nullable FileDescriptor found = (FileDescriptor) descriptor.invokeExact(known);
    return found == null ? -1 : (int) number.get(found);
  }
}
