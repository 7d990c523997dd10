/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Writes collapsed stacks, which most flame graph tools read: one line for each different stack,
 * {@code root;caller;leaf value}. A line has no place for what else a sample says, so a file is of
 * one profile.
 */
public final class CollapsedWriter {
  private CollapsedWriter() {}

  /** Writes one profile of an export; the stream is flushed and left open. */
  public static void write(ProfileExport export, Profile profile, OutputStream out)
      throws IOException {
    Frames frames = new Frames(export.dictionary(), false);
    StackTree tree = new StackTree(profile, export.dictionary().stacks(), frames);
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    String[] names = new String[frames.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = clean(frames.get(i).name());
    }
    for (int node = 1; node < tree.size(); node++) {
      if (tree.value(node) == 0) {
        continue;
      }
      int[] path = tree.path(node);
      for (int k = 0; k < path.length; k++) {
        writer.write(names[path[k]]);
        writer.write(k == path.length - 1 ? ' ' : ';');
      }
      writer.write(Long.toString(tree.value(node)));
      writer.write('\n');
    }
    writer.flush();
  }

  /** A semicolon or the end of a line in a name would make two frames or two stacks of it. */
  private static String clean(String name) {
    StringBuilder clean = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean ends = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
      clean.append(c == ';' ? ':' : ends ? '_' : c);
    }
    return clean.toString();
  }
}
