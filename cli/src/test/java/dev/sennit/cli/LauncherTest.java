/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a folder of its own, with a Maven, a JDK and a package manager that only say what
 * they were called with.
 */
@Requires(commands = {"sh", "find", "flock"})
class LauncherTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();

  /** Programs of the system that the scripts use. */
  private static final List<String> SYSTEM =
      List.of(
          "cat",
          "dirname",
          "find",
          "flock",
          "gcc",
          "clang",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "uname");

  @TempDir Path folder;

  /** Has a space in it, as folders of people have. */
  private Path root = Path.of("");

  private Path bin = Path.of("");
  private Path jdk = Path.of("");

  @BeforeEach
  void makeAWorldOfItsOwn() throws IOException {
    root = Files.createDirectories(folder.resolve("my sources"));
    bin = Files.createDirectories(folder.resolve("bin"));
    jdk = fakeJdk("jdk", "25.0.3");
    copy(SOURCES.resolve("sennit"), root.resolve("sennit"));
    Path support = Files.createDirectories(root.resolve("build-support"));
    copy(SOURCES.resolve("build-support/common.sh"), support.resolve("common.sh"));
    copy(SOURCES.resolve("build-support/jdk.sh"), support.resolve("jdk.sh"));
    Files.createDirectories(root.resolve("cli/src/main"));
    Files.writeString(root.resolve("cli/src/main/Some.java"), "");
    Files.writeString(root.resolve("pom.xml"), "");
    Files.writeString(root.resolve("cli/pom.xml"), "");
    for (String program : SYSTEM) {
      script(bin.resolve(program), "exec '" + onPath(program) + "' \"$@\"");
    }
    script(bin.resolve("id"), "echo 1000");
    fakeMaven("");
  }

  @Test
  void buildsOnceAndHandsOnTheArguments() {
    Run first = sennit("context", "two words", "*");
    assertThat(first.status).as(first.err).isZero();
    assertThat(first.out.lines()).endsWith("arg:context", "arg:two words", "arg:*");
    assertThat(first.err).contains("sennit: building");
    Run second = sennit("ps");
    assertThat(second.status).isZero();
    assertThat(second.err).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void theJvmGetsNativeAccessAndTheJarsOfTheBuild() {
    assertThat(sennit("ps").out)
        .contains("arg:--enable-native-access=ALL-UNNAMED", "arg:dev.sennit.cli.Main")
        .contains(
            "arg:" + root.resolve("cli/target/a.jar") + ":" + root.resolve("cli/target/lib/b.jar"));
  }

  @Test
  void aSourceThatChangedIsBuiltAgain() throws IOException {
    sennit("ps");
    changeLater(root.resolve("cli/src/main/Some.java"));
    assertThat(sennit("ps").err).contains("building");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aSourceThatWasRemovedIsBuiltAgain() throws IOException {
    sennit("ps");
    Files.delete(root.resolve("cli/src/main/Some.java"));
    changeLater(root.resolve("cli/src/main"));
    sennit("ps");
    assertThat(builds()).hasSize(2);
  }

  @Test
  void worksThroughSymbolicLinksFromAnywhere() throws IOException {
    Path elsewhere = Files.createDirectories(folder.resolve("else where"));
    Files.createSymbolicLink(elsewhere.resolve("one"), Path.of("../my sources/sennit"));
    Path link = Files.createSymbolicLink(folder.resolve("two"), Path.of("else where/one"));
    Run run = run(link, Map.of(), "ps");
    assertThat(run.status).as(run.err).isZero();
    assertThat(run.out).contains("arg:ps");
    assertThat(root.resolve("cli/target/built")).exists();
  }

  @Test
  void firstStartsAtTheSameTimeBuildOnce() throws IOException {
    fakeMaven("sleep 0.5");
    List<ChildProcess> starts = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        starts.add(ChildProcess.start(builder(root.resolve("sennit"), Map.of(), "ps")));
      }
      for (ChildProcess start : starts) {
        assertThat(start.waitFor()).as(start.errors()).isZero();
        assertThat(start.readAll()).contains("arg:ps");
      }
    } finally {
      starts.forEach(ChildProcess::close);
    }
    assertThat(builds()).hasSize(1);
  }

  @Test
  void aBuildThatFailsShowsItsLogAndIsTriedAgain() throws IOException {
    fakeMaven("echo 'the compiler is unhappy'; exit 1");
    Run run = sennit("ps");
    assertThat(run.status).isEqualTo(2);
    assertThat(run.err).contains("the compiler is unhappy").contains("the build failed");
    assertThat(run.out).isEmpty();
    fakeMaven("");
    assertThat(sennit("ps").status).isZero();
  }

  @Test
  void aJdkThatIsTooOldIsNamed() throws IOException {
    Path old = fakeJdk("old", "21.0.9");
    Run run = run(root.resolve("sennit"), Map.of("SENNIT_JAVA_HOME", old.toString()), "ps");
    assertThat(run.status).isEqualTo(2);
    assertThat(run.err).isEqualTo("sennit: SENNIT_JAVA_HOME=" + old + " is not a JDK 25 or newer");
  }

  @Test
  void aJdkWithoutAReleaseFileIsAskedForItsVersion() throws IOException {
    Files.delete(jdk.resolve("release"));
    script(jdk.resolve("bin/java"), "echo 'openjdk version \"26-ea\" 2026-03-17' >&2");
    assertThat(sennit("ps").status).isZero();
  }

  @Test
  void whatIsMissingIsNotInstalledByOrdinaryUsers() throws IOException {
    Files.delete(bin.resolve("mvn"));
    script(bin.resolve("apt-get"), "echo apt-get \"$@\" >> '" + folder + "/installs'");
    Run run = sennit("ps");
    assertThat(run.status).isEqualTo(2);
    assertThat(run.err)
        .isEqualTo(
            "sennit: missing: maven; run: sudo apt-get install -y --no-install-recommends maven");
    assertThat(folder.resolve("installs")).doesNotExist();
  }

  @Test
  void rootOnDebianGetsWhatIsMissingAndIsTold() throws IOException {
    Files.move(bin.resolve("mvn"), folder.resolve("mvn"));
    script(bin.resolve("id"), "echo 0");
    script(bin.resolve("apt-get"), "mv '" + folder + "/mvn' '" + bin + "/mvn'; echo \"$@\"");
    Run run = sennit("ps");
    assertThat(run.status).as(run.err).isZero();
    assertThat(run.err).contains("sennit: installing maven with apt-get");
    assertThat(run.out).as("nothing of it on standard output").startsWith("arg:");
  }

  @Test
  void whereThereIsNoAptTheNamesAreGiven() throws IOException {
    Files.delete(bin.resolve("mvn"));
    Run run = sennit("ps");
    assertThat(run.status).isEqualTo(2);
    assertThat(run.err).contains("package manager (Debian's names): maven");
  }

  private record Run(int status, String out, String err) {}

  private Run sennit(String... arguments) {
    return run(root.resolve("sennit"), Map.of(), arguments);
  }

  private Run run(Path launcher, Map<String, String> environment, String... arguments) {
    try (ChildProcess process = ChildProcess.start(builder(launcher, environment, arguments))) {
      String out = String.join("\n", process.readAll());
      return new Run(process.waitFor(), out, process.errors());
    }
  }

  private ProcessBuilder builder(
      Path launcher, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("SENNIT_JAVA_HOME", jdk.toString());
    builder.environment().putAll(environment);
    return builder;
  }

  private List<String> builds() {
    try (Stream<String> lines = Files.lines(folder.resolve("builds"))) {
      return lines.toList();
    } catch (IOException e) {
      throw new AssertionError("Maven was never called", e);
    }
  }

  private void fakeMaven(String work) throws IOException {
    Path target = root.resolve("cli/target");
    script(
        bin.resolve("mvn"),
        "echo \"$@\" >> '" + folder + "/builds'",
        work,
        "mkdir -p '" + target + "/lib'",
        ": > '" + target + "/a.jar'",
        ": > '" + target + "/lib/b.jar'");
  }

  /** A JDK whose java prints its arguments, each on a line. */
  private Path fakeJdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "for a; do echo \"arg:$a\"; done");
    script(home.resolve("bin/javac"), "");
    return home;
  }

  private static void script(Path file, String... lines) throws IOException {
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void changeLater(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
  }

  private static Path onPath(String program) {
    for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(place, program))) {
        return Path.of(place, program);
      }
    }
    throw new AssertionError(program + " is not on the PATH");
  }
}
