/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import java.io.IOException;
import java.nio.file.Path;

/** Takes the descriptor of a socket and prints the number in the memory behind it, or why not. */
final class DescriptorTaker {
  private DescriptorTaker() {}

  public static void main(String[] arguments) {
    try {
      int fd = DescriptorSocket.take(Path.of(arguments[0]));
      long address = Libc.mmap(0, Long.BYTES, Libc.PROT_READ, Libc.MAP_SHARED, fd);
      Libc.close(fd);
      System.out.println("found " + Memory.getLong(address));
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
