/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The agent in another JVM, and a line to it. Each failure is one line for the user. */
final class AttachedAgent implements AutoCloseable {
  /**
   * What the agent says of the last command: {@code done}, and in further lines what it answers, or
   * {@code failed: } and why.
   */
  private static final String REPLY_PROPERTY = "sennit.agent.reply";

  private static final String FAILED = "failed: ";

  private final int pid;
  private final Path file;
  private final VirtualMachine machine;

  private AttachedAgent(int pid, Path file, VirtualMachine machine) {
    this.pid = pid;
    this.file = file;
    this.machine = machine;
  }

  static AttachedAgent attach(int pid) {
    requireJvm(pid);
    Path file = AgentFile.find();
    try {
      return new AttachedAgent(pid, file, VirtualMachine.attach(Integer.toString(pid)));
    } catch (AttachNotSupportedException | IOException e) {
      throw refused(pid, e);
    }
  }

  /** Others may take the signal by which one attaches for their end. */
  private static void requireJvm(int pid) {
    if (!Pids.isRunning(pid)) {
      throw CommandFailure.wrongInput("there is no process " + pid);
    }
    String maps;
    try {
      maps = Files.readString(Path.of("/proc/" + pid + "/maps"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw CommandFailure.wrongInput(
          "process "
              + pid
              + " may not be looked into: it belongs to another user, or is protected; try sudo "
              + Main.COMMAND);
    }
    if (!maps.contains("/libjvm.so")) {
      throw CommandFailure.wrongInput("process " + pid + " is not a JVM");
    }
  }

  /**
   * Has the agent carry out a command; a failure of the command is the failure of this one.
   *
   * @return what it answers; an agent of an earlier version that is there already says nothing
   */
  String execute(String command) {
    try {
      machine.loadAgent(file.toString(), command);
      String reply = machine.getSystemProperties().getProperty(REPLY_PROPERTY, "");
      if (reply.startsWith(FAILED)) {
        throw CommandFailure.wrongInput(
            "process " + pid + ": " + reply.substring(FAILED.length()).strip());
      }
      int end = reply.indexOf('\n');
      return end < 0 ? "" : reply.substring(end + 1);
    } catch (AgentLoadException | AgentInitializationException | IOException e) {
      throw refused(pid, e);
    }
  }

  private static CommandFailure refused(int pid, Exception e) {
    return CommandFailure.wrongInput(
        "process " + pid + " does not take the agent: " + String.valueOf(e.getMessage()).strip());
  }

  @Override
  public void close() {
    try {
      machine.detach();
    } catch (IOException e) {
      // The process has ended, and the line with it.
    }
  }
}
