/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of the publication protocol, as the kernel sees them, and what happens when one fails.
 */
@Requires(commands = {"gcc", "strace"})
class PublicationProtocolTest {
  private static final Pattern CALL =
      Pattern.compile("(?<name>\\w+)\\((?<arguments>.*?)\\)\\s+= (?<result>\\S+).*");

  private static final String MEMFD_ARGUMENTS = "\"OTEL_CTX\", MFD_CLOEXEC|MFD_ALLOW_SEALING";

  @TempDir private Path folder;

  private record Call(String name, String arguments, String result) {}

  @Test
  void everyStepIsTakenAndNamingComesLastOnPublishingAndOnUpdating() throws IOException {
    List<Call> calls = trace(List.of(), "publish a=1", "publish a=2", "contribute b=3", "drop");

    assertThat(calls)
        .extracting(Call::name)
        .containsExactly(
            "memfd_create",
            "ftruncate",
            "mmap",
            "close",
            "madvise",
            "prctl",
            "prctl",
            "prctl",
            "munmap");
    String fd = calls.get(0).result;
    String address = calls.get(2).result;
    // An older strace has no name for MFD_NOEXEC_SEAL.
    assertThat(calls.get(0).arguments)
        .isIn(MEMFD_ARGUMENTS + "|0x8", MEMFD_ARGUMENTS + "|MFD_NOEXEC_SEAL");
    assertThat(calls.get(1).arguments).isEqualTo(fd + ", 135168");
    assertThat(calls.get(2).arguments)
        .isEqualTo("NULL, 135168, PROT_READ|PROT_WRITE, MAP_PRIVATE, " + fd + ", 0");
    assertThat(calls.get(3).arguments).isEqualTo(fd);
    assertThat(calls.get(4).arguments).isEqualTo(address + ", 135168, MADV_DONTFORK");
    assertThat(calls.get(4).result).isEqualTo("0");
    assertThat(calls.subList(5, 8))
        .extracting(Call::arguments)
        .containsOnly("PR_SET_VMA, PR_SET_VMA_ANON_NAME, " + address + ", 135168, \"OTEL_CTX\"");
    assertThat(calls.get(8).arguments).isEqualTo(address + ", 135168");
  }

  @Test
  void withoutMemfdAnAnonymousMappingIsUsedIfTheKernelCanNameIt() throws IOException {
    List<Call> calls = trace(List.of("-e", "inject=memfd_create:error=ENOSYS"), "publish a=1");

    assertThat(calls.subList(0, 5))
        .extracting(Call::name)
        .containsExactly("memfd_create", "memfd_create", "mmap", "madvise", "prctl");
    assertThat(calls.get(1).arguments).isEqualTo(MEMFD_ARGUMENTS);
    assertThat(calls.get(2).arguments)
        .isEqualTo("NULL, 135168, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0");
    if (calls.get(4).result.equals("0")) {
      assertThat(calls).hasSize(5);
    } else {
      assertThat(calls).hasSize(6);
      assertThat(calls.get(5).name).isEqualTo("munmap");
      assertThat(calls.get(5).arguments).isEqualTo(calls.get(2).result + ", 135168");
    }
  }

  @Test
  void withoutMemfdAndNamesPublicationFailsAndLeavesNothing() throws IOException {
    try (ChildProcess child = without("memfd")) {
      String answer = ask(child, "publish a=1");
      if (answer.equals("ok")) {
        assertThat(IndependentReader.read(child.pid()).mapping()).endsWith("[anon:OTEL_CTX]");
        return;
      }
      assertThat(answer)
          .isEqualTo(
              "error: no reader could find the record: memfd_create failed with ENOSYS (not"
                  + " implemented by this kernel), and naming an anonymous mapping with EINVAL"
                  + " (invalid argument)");
      assertThat(IndependentReader.mappings(child.pid())).isEmpty();
      assertThat(ask(child, "published")).isEqualTo("false");
    }
  }

  @Test
  void aKernelThatDoesNotKnowNoexecSealIsAskedAgainWithoutIt() throws IOException {
    try (ChildProcess child = without("noexec")) {
      assertThat(ask(child, "publish a=1")).isEqualTo("ok");
      assertThat(IndependentReader.read(child.pid()).context().resource())
          .containsEntry("a", AttributeValue.of("1"));
    }
  }

  @Test
  void withoutProtectionFromForkPublicationFailsAndLeavesNothing() throws IOException {
    try (ChildProcess child = without("dontfork")) {
      assertThat(ask(child, "publish a=1"))
          .isEqualTo(
              "error: madvise(MADV_DONTFORK) for a record of 135168 bytes: EINVAL (invalid"
                  + " argument)");
      assertThat(IndependentReader.mappings(child.pid())).isEmpty();
    }
  }

  @Test
  void withoutProcessVmReadvARecordIsStillFoundAndUpdated() throws IOException {
    try (ChildProcess child = without("process_vm_readv")) {
      assertThat(ask(child, "publish a=1")).isEqualTo("ok");
      assertThat(ask(child, "copy publish a=2")).isEqualTo("ok");
      assertThat(IndependentReader.read(child.pid()).context().resource())
          .containsEntry("a", AttributeValue.of("2"));
    }
  }

  @Test
  void elsewhereThanOnLinuxPublicationIsRefusedAndTheRestDoesNothing() {
    List<String> command =
        ChildProcess.javaCommand(List.of("-Dos.name=Plan 9"), TalkingPublisher.class);
    try (ChildProcess child = ChildProcess.start(command)) {
      child.expect("ready");
      assertThat(ask(child, "publish a=1"))
          .isEqualTo("error: a process context can be published only on Linux; this is Plan 9");
      assertThat(ask(child, "contribute b=2")).isEqualTo("ok");
      assertThat(ask(child, "published")).isEqualTo("false");
      assertThat(ask(child, "drop")).isEqualTo("false");
    }
  }

  private ChildProcess without(String feature) {
    List<String> command = new ArrayList<>();
    command.add(CProgram.compile(getClass(), "without.c", folder).toString());
    command.add(feature);
    command.addAll(ChildProcess.javaCommand(List.of(), TalkingPublisher.class));
    ChildProcess child = ChildProcess.start(command);
    child.expect("ready");
    return child;
  }

  /**
   * The calls that concern the record while a JVM carries out commands: those of the thread that
   * publishes, from memfd_create on, about memory of the record's size or the record's descriptor.
   */
  private List<Call> trace(List<String> options, String... commands) throws IOException {
    // One log per thread, so that no other thread's calls cut lines in two.
    List<String> command =
        new ArrayList<>(List.of("strace", "-ff", "-o", folder.resolve("strace").toString()));
    command.addAll(List.of("-e", "trace=memfd_create,ftruncate,mmap,munmap,close,madvise,prctl"));
    command.addAll(options);
    command.addAll(ChildProcess.javaCommand(List.of(), TalkingPublisher.class));
    try (ChildProcess child = ChildProcess.start(command)) {
      child.expect("ready");
      for (String line : commands) {
        ask(child, line);
      }
      child.send("end");
      assertThat(child.waitFor()).isZero();
    }
    List<Call> calls = callsOfThePublishingThread();
    // Only the first: the number of the descriptor is used again.
    int close = calls.indexOf(new Call("close", calls.getFirst().result, "0"));
    return IntStream.range(0, calls.size())
        .filter(
            i ->
                i == close
                    || calls.get(i).name.equals("memfd_create")
                    || calls.get(i).arguments.contains("135168"))
        .mapToObj(calls::get)
        .toList();
  }

  private List<Call> callsOfThePublishingThread() throws IOException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "strace.*")) {
      for (Path log : logs) {
        List<Call> calls =
            Files.readAllLines(log).stream()
                .map(CALL::matcher)
                .filter(Matcher::matches)
                .map(
                    line ->
                        new Call(line.group("name"), line.group("arguments"), line.group("result")))
                .dropWhile(call -> !call.name.equals("memfd_create"))
                .toList();
        if (!calls.isEmpty()) {
          return calls;
        }
      }
    }
    throw new AssertionError("no thread has called memfd_create");
  }

  private static String ask(ChildProcess child, String line) {
    child.send(line);
    return child.readLine();
  }
}
