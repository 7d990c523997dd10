/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.NativeLibrary;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The one library that is not Java, as compilers and dynamic linkers see it. */
@Requires(commands = {"gcc", "readelf"})
class ThreadContextLibraryTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"x86_64, R_X86_64_TLSDESC", "aarch64, R_AARCH64_TLSDESC"})
  @Requires(commands = "aarch64-linux-gnu-gcc")
  void theSymbolIsExportedAndReachedByDescriptor(String architecture, String relocation)
      throws IOException {
    String library = unpack(architecture).toString();
    assertThat(run("readelf", "--dyn-syms", "-W", library))
        .anyMatch(line -> line.matches(".* 8 TLS +GLOBAL DEFAULT .* otel_thread_ctx_v1"));
    assertThat(run("readelf", "-r", "-W", library))
        .anyMatch(line -> line.contains(relocation) && line.contains("otel_thread_ctx_v1"));
    assertThat(run("readelf", "-d", "-W", library))
        .as("it names no libc, so that it loads beside any")
        .noneMatch(line -> line.contains("(NEEDED)"));
  }

  @Test
  void aThreadThatEndsLeavesNothingBehind() throws IOException {
    Path program =
        CProgram.compile(ThreadContextLibraryTest.class, "thread_end.c", folder, "-pthread");
    assertThat(run(program.toString(), unpack(hostArchitecture()).toString()))
        .containsExactly(
            "slot 0 0 0 60000000000",
            "span seen by a later destructor 3",
            "block reused 1",
            "child status 0");
  }

  @Test
  void itIsLoadedHere() {
    assertThat(NativeLibrary.load().problem()).isEmpty();
    assertThat(NativeLibrary.load().library()).isPresent();
  }

  @Test
  void aFolderThatOthersMayWriteToIsNotLoadedFrom() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(List.of("-Dsennit.native=" + open), Loading.class))) {
      assertThat(child.readLine()).contains(open.toString()).contains("others may write");
    }
    assertThat(open).isEmptyDirectory();
  }

  /** The child: says why it has no library. */
  static final class Loading {
    private Loading() {}

    public static void main(String[] args) {
      System.out.println(NativeLibrary.load().problem());
    }
  }

  private static String hostArchitecture() {
    return System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
  }

  private Path unpack(String architecture) throws IOException {
    String resource = "/dev/sennit/context/native/linux-" + architecture + "/libsennit_context.so";
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      return Files.write(folder.resolve(architecture + ".so"), in.readAllBytes());
    }
  }

  private static List<String> run(String... command) {
    try (ChildProcess process = ChildProcess.start(List.of(command))) {
      List<String> output = process.readAll();
      assertThat(process.waitFor()).as(process.errors()).isZero();
      return output;
    }
  }
}
