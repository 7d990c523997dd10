/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

/**
 * One line of {@code /proc/PID/maps}: a range of addresses, what may be done with it, and what it
 * is called.
 *
 * @param start first address
 * @param end address after the last
 * @param permissions as printed, for example {@code rw-p}
 * @param fileOffset where in the file the region begins; 0 for anonymous memory
 * @param inode 0 for anonymous memory
 * @param name path or bracketed name; empty for unnamed anonymous memory
 */
public record MappedRegion(
    long start, long end, String permissions, long fileOffset, long inode, String name) {

  public long size() {
    return end - start;
  }

  public boolean isReadable() {
    return permissions.charAt(0) == 'r';
  }

  public boolean isWritable() {
    return permissions.charAt(1) == 'w';
  }

  /** Whether writes to it stay in the process. */
  public boolean isPrivate() {
    return permissions.charAt(3) == 'p';
  }

  /** Whether no file is behind it. */
  public boolean isAnonymous() {
    return inode == 0;
  }
}
