/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

/** The error numbers of Linux that Sennit decides on, and the words for all of them. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EINVAL = 22;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENODATA = 61;
  public static final int EADDRINUSE = 98;
  public static final int ECONNREFUSED = 111;

  private Errno() {}

  /** Says what an error number means, for example {@code EPERM (operation not permitted)}. */
  public static String describe(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM (operation not permitted)";
      case ENOENT -> "ENOENT (no such file)";
      case ESRCH -> "ESRCH (no such process)";
      case EINTR -> "EINTR (interrupted)";
      case EIO -> "EIO (input/output error)";
      case EAGAIN -> "EAGAIN (nothing came in time)";
      case ENOMEM -> "ENOMEM (out of memory)";
      case EACCES -> "EACCES (permission denied)";
      case EFAULT -> "EFAULT (bad address)";
      case EINVAL -> "EINVAL (invalid argument)";
      case ENAMETOOLONG -> "ENAMETOOLONG (name too long)";
      case ENOSYS -> "ENOSYS (not implemented by this kernel)";
      case ENODATA -> "ENODATA (no data)";
      case EADDRINUSE -> "EADDRINUSE (address already in use)";
      case ECONNREFUSED -> "ECONNREFUSED (connection refused)";
      default -> "error " + errno;
    };
  }
}
