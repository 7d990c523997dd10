/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The library made of {@code thread_context.c}, taken out of the jar and loaded.
 *
 * <p>The file stays on disk, in a folder of the user's own, because debuggers and profilers outside
 * look for the thread-local symbol in it; its name carries a checksum, so that versions do not
 * meet.
 */
public final class NativeLibrary {
  /** {@code off} does without the library; a path says where to unpack it. */
  public static final String PROPERTY = "sennit.native";

  private static final String RESOURCE_FOLDER = "/dev/sennit/context/native/";
  private static final String FILE_NAME = "libsennit_context.so";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final ForeignLibrary functions;

  private NativeLibrary(ForeignLibrary functions) {
    this.functions = functions;
  }

  /** What came of loading: a library, or the reason why there is none. */
  public record Loading(Optional<NativeLibrary> library, String problem) {}

  /**
   * Loads the library for this platform. Loading twice gives the same one, as the dynamic linker
   * counts by file.
   */
  public static Loading load() {
    String setting = System.getProperty(PROPERTY, "");
    if (setting.equals("off")) {
      return new Loading(Optional.empty(), "switched off by " + PROPERTY + "=off");
    }
    String platform = platform();
    byte[] content;
    try (InputStream in =
        NativeLibrary.class.getResourceAsStream(RESOURCE_FOLDER + platform + "/" + FILE_NAME)) {
      if (in == null) {
        return new Loading(Optional.empty(), "there is none for " + platform);
      }
      content = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + FILE_NAME + " from the jar", e);
    }
    List<String> problems = new ArrayList<>();
    for (Path folder : folders(setting)) {
      try {
        return new Loading(Optional.of(loadFrom(unpack(content, folder))), "");
      } catch (IOException | IllegalArgumentException e) {
        problems.add(folder + ": " + e.getMessage());
      }
    }
    return new Loading(Optional.empty(), String.join("; ", problems));
  }

  /**
   * A function without parameters that returns an address. It must be short and must not call back:
   * the thread stays in the Java state while it runs, which is what makes the call cheap and keeps
   * a virtual thread on its carrier.
   */
  public MethodHandle addressFunction(String name) {
    return functions.addressFunction(name);
  }

  private static NativeLibrary loadFrom(Path file) {
    return new NativeLibrary(ForeignLibrary.open(file));
  }

  static String platform() {
    String architecture =
        switch (System.getProperty("os.arch", "")) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> System.getProperty("os.arch", "unknown");
        };
    String os = System.getProperty("os.name", "unknown");
    return (os.equals("Linux") ? "linux" : os) + "-" + architecture;
  }

  /** The folders to try in turn: one may be on a file system from which nothing may be executed. */
  private static List<Path> folders(String setting) {
    if (!setting.isEmpty()) {
      return List.of(Path.of(setting));
    }
    String own = "sennit-" + System.getProperty("user.name", "user");
    return List.of(
        Path.of(System.getProperty("java.io.tmpdir", "/tmp"), own),
        Path.of(System.getProperty("user.home", "/"), ".cache", "sennit"));
  }

  private static Path unpack(byte[] content, Path folder) throws IOException {
    FileAttribute<?> ownerOnly = PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    Files.createDirectories(folder, ownerOnly);
    requirePrivate(folder);
    CRC32 checksum = new CRC32();
    checksum.update(content);
    Path file = folder.resolve(String.format("%08x-%s", checksum.getValue(), FILE_NAME));
    if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), content)) {
      return file;
    }
    Path incomplete = Files.createTempFile(folder, FILE_NAME, ".part", ownerOnly);
    Files.write(incomplete, content);
    return Files.move(
        incomplete, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Code is loaded from here, so nobody else may be able to put it there. */
  private static void requirePrivate(Path folder) throws IOException {
    Path home = Path.of("/proc/self");
    Object owner = Files.getAttribute(folder, "unix:uid");
    Object self = Files.getAttribute(home, "unix:uid");
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (!owner.equals(self)
        || permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("the folder belongs to user " + owner + " or others may write to it");
    }
  }
}
