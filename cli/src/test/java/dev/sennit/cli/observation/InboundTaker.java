/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.memory.Libc;
import java.io.IOException;
import java.nio.file.Path;

/** Takes what a socket hands out, and prints whether it can be mapped, or why there is nothing. */
final class InboundTaker {
  private InboundTaker() {}

  public static void main(String[] arguments) {
    try {
      int fd = DescriptorSocket.take(Path.of(arguments[0]));
      InboundSlots slots = InboundSlots.map(fd);
      Libc.close(fd);
      System.out.println("mapped, " + slots.sequence(1));
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
