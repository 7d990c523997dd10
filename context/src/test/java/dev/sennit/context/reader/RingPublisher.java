/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.RingDescriptor;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A running {@code ring_publisher.c}: a process whose ring no Java code has written. */
final class RingPublisher implements AutoCloseable {
  static final ProcessContext NOTHING_PUBLISHED = ProcessContext.builder().build();

  private final ChildProcess process;
  private final int pid;
  private final long address;
  private final long capacity;
  private final List<Integer> tids = new ArrayList<>();

  private RingPublisher(ChildProcess process, boolean inNamespace) {
    this.process = process;
    String[] ring = process.expect("ring ").split(" ");
    this.pid = inNamespace ? OtepPublisher.onlyChild(process.pid()) : process.pid();
    this.address = Long.decode(ring[0]);
    this.capacity = Long.parseLong(ring[1]);
    for (String line = process.readLine(); !line.equals("ready"); line = process.readLine()) {
      if (line.startsWith("thread ")) {
        tids.add(Integer.parseInt(line.substring("thread ".length())));
      }
    }
  }

  static Path compile(Path folder) {
    return CProgram.compile(RingPublisher.class, "ring_publisher.c", folder, "-pthread");
  }

  static RingPublisher start(Path program, String... options) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(options));
    return new RingPublisher(ChildProcess.start(command), false);
  }

  /** Starts it as the first process of a PID namespace of its own. */
  static RingPublisher startInNamespace(Path program, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--"));
    command.add(program.toString());
    command.addAll(List.of(options));
    return new RingPublisher(ChildProcess.start(command), true);
  }

  int pid() {
    return pid;
  }

  long address() {
    return address;
  }

  /** The threads in spans, by the tids that they know themselves by. */
  List<Integer> tids() {
    return tids;
  }

  /** What a reader must find in all threads that are in spans. */
  List<ThreadRecord> records() {
    return records(tids.toArray(Integer[]::new));
  }

  List<ThreadRecord> records(Integer... chosen) {
    return Stream.of(chosen)
        .map(
            tid ->
                new ThreadRecord(
                    tid,
                    "worker-" + tids.indexOf(tid),
                    0xA000000000000000L | tid,
                    0xB000000000000000L | tid,
                    0xC000000000000000L | tid,
                    0xB000000000000000L | tid,
                    tid & 1,
                    Map.of()))
        .toList();
  }

  /** Sends a command and waits until it is done. */
  void tell(String command) {
    process.send(command);
    process.expect("done");
  }

  void quit() {
    process.send("quit");
  }

  /** What the publisher would announce if it published a process context. */
  ProcessContext context() {
    return contextWith(address, capacity);
  }

  static ProcessContext contextWith(long address, long capacity) {
    return ProcessContext.builder()
        .attribute(RingDescriptor.ADDRESS_KEY, AttributeValue.of(address))
        .attribute(RingDescriptor.CAPACITY_KEY, AttributeValue.of(capacity))
        .build();
  }

  @Override
  public void close() {
    process.close();
  }
}
