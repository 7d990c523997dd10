/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This JVM and the kernel below it are the judges. */
final class NativeNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "fifteen letters",
        "sixteen letters!",
        "http-nio-8080-exec-10",
        "grüße-aus-köln-1",
        "a name of more than thirty bytes, by far"
      })
  void aThreadHasTheNameThatItsJvmGivesIt(String name) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              begun.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.start();
    begun.await();
    try {
      assertThat(names()).contains(NativeName.ofJava(name));
    } finally {
      end.countDown();
      thread.join();
    }
  }

  private static Set<NativeName> names() throws IOException {
    Set<NativeName> names = new HashSet<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        byte[] line = Files.readAllBytes(thread.resolve("comm"));
        names.add(NativeName.of(Arrays.copyOf(line, line.length - 1)));
      }
    }
    return names;
  }
}
