/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Somebody who is not the superuser and has no rights, for a test that is. A JVM of theirs cannot
 * read the class path of this one, which may be anywhere.
 */
public final class AnotherUser {
  private AnotherUser() {}

  /** The command, run by that user; it needs the program {@code setpriv}. */
  public static List<String> command(List<String> command) {
    List<String> changed =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    changed.addAll(command);
    return changed;
  }

  /**
   * As {@link ChildProcess#javaCommand}, run by that user, with nothing but some modules on its
   * class path.
   *
   * @param folder takes copies of the modules, and can be entered by everybody from now on
   * @param members one class of each module, or of its tests
   */
  public static List<String> javaCommand(
      Path folder, List<Class<?>> members, Class<?> main, String... arguments) {
    List<String> classPath = new ArrayList<>();
    try {
      openToEverybody(folder);
      for (Class<?> member : members) {
        classPath.add(copy(member, folder.resolve("module-" + classPath.size())).toString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command = new ArrayList<>(ChildProcess.javaCommand(List.of(), main, arguments));
    command.set(command.indexOf("-cp") + 1, String.join(File.pathSeparator, classPath));
    return command(command);
  }

  /** Copies a folder of classes, or a jar. */
  private static Path copy(Class<?> member, Path target) throws IOException {
    Path source = Path.of(member.getProtectionDomain().getCodeSource().getLocation().getPath());
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = target.resolve(source.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
        openToEverybody(copy);
      }
    }
    return target;
  }

  private static void openToEverybody(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
