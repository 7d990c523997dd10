/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.reader.Readings.threads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stopping threads must not cost the application a signal, nor what comes with it. */
@Requires(commands = "gcc")
class SignalsTest {
  private static final int ROUNDS = 20_000;

  @TempDir Path folder;

  @Test
  void everySignalArrivesWhileItsThreadIsStoppedTimeAndAgain() throws Exception {
    Path program =
        CProgram.compile(SignalsTest.class, "signal_target.c", folder, "-pthread", "-rdynamic");
    try (var target = ChildProcess.start(List.of(program.toString(), Integer.toString(ROUNDS)))) {
      int pid = Integer.parseInt(target.expect("pid "));
      int tid = Integer.parseInt(target.expect("thread "));
      target.expect("ready");
      try (var reader = ThreadRecordReader.open(pid, OtepPublisher.context())) {
        Thread reading =
            Thread.ofVirtual()
                .unstarted(
                    () -> {
                      while (!Thread.currentThread().isInterrupted()) {
                        reader.read(tid);
                      }
                    });
        assertThat(threads(reader.read(tid)).threads()).hasSize(1);
        reading.start();
        target.send("go");
        assertThat(target.readLine()).isEqualTo("arrived " + ROUNDS + " " + ROUNDS);
        reading.interrupt();
        reading.join();
      }
    }
  }
}
