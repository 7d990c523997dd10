/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import java.util.function.Consumer;

/**
 * The stacks of all chunks, with the functions and locations that they consist of, in the
 * dictionary that will be exported. Chunks are converted side by side, so one thread at a time may
 * change it; the order in which they do so does not show, for the writer numbers anew what it
 * writes.
 */
final class SharedStacks {
  private final ProfilesDictionary dictionary;
  private final int frameTypeKey;

  SharedStacks(ProfilesDictionary dictionary) {
    this.dictionary = dictionary;
    this.frameTypeKey = dictionary.strings().intern("profile.frame.type");
  }

  synchronized int function(String name, String systemName) {
    return dictionary
        .functions()
        .intern(dictionary.strings().intern(name), dictionary.strings().intern(systemName), 0, 0);
  }

  /** The attribute set of a location that has a type of frame, such as {@code jvm}. */
  synchronized int frameType(String type) {
    int attribute = dictionary.attributes().internString(frameTypeKey, type, 0);
    return dictionary.attributeSets().intern(attribute);
  }

  synchronized int location(int function, int line, int attributeSet) {
    return dictionary.locations().intern(0, 0, function, line, 0, attributeSet);
  }

  synchronized void intern(PendingStacks pending) {
    pending.intern(dictionary.stacks());
  }

  /** A stack with one more frame, the innermost. */
  synchronized int withLeaf(int stack, int location) {
    int length = dictionary.stacks().length(stack);
    int[] all = new int[length + 1];
    all[0] = location;
    for (int i = 0; i < length; i++) {
      all[i + 1] = dictionary.stacks().location(stack, i);
    }
    return dictionary.stacks().intern(all, 0, all.length);
  }

  /** Lets somebody else use the dictionary, alone. */
  synchronized void use(Consumer<ProfilesDictionary> user) {
    user.accept(dictionary);
  }
}
