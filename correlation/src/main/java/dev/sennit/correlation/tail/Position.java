/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.nio.file.Path;

/**
 * How far a file was read.
 *
 * @param path the name under which it is followed, which another file may have by now
 * @param skipping whether that is inside of a line that was cut
 * @param finished whether it was read to its end and left its name, and is only kept in mind so
 *     that it is not read again
 */
record Position(
    Path path,
    FileId id,
    Fingerprint fingerprint,
    long offset,
    boolean skipping,
    boolean finished) {
  static Position beginning(Path path, FileId id) {
    return new Position(path, id, Fingerprint.NONE, 0, false, false);
  }

  Position finish() {
    return new Position(path, id, fingerprint, offset, skipping, true);
  }

  /** The same place in a copy. */
  Position in(FileId copy) {
    return new Position(path, copy, fingerprint, offset, skipping, false);
  }
}
