/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what HotSpot prints for {@code Thread.print}, in the shapes of JDK 17 to 25:
 *
 * <pre>{@code
 * "main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x0000… nid=0x5492 runnable  [0x0000…]
 * "main" #3 [21723] daemon prio=5 os_prio=0 cpu=… elapsed=… tid=0x0000… nid=21723 runnable  [0x0000…]
 *    java.lang.Thread.State: RUNNABLE
 * 	at …
 * }</pre>
 *
 * <p>A carrier has {@code Carrying virtual thread #n} in place of the state and no nid, and the
 * virtual thread's frames after {@code Mounted virtual thread #n}. Threads of the JVM have neither
 * number, priority nor state. What is not understood is left out.
 */
final class ThreadDumpParser {
  /** A name may have quotes in it; nothing after it has any. */
  private static final Pattern HEADER =
      Pattern.compile(
          "\"(?<name>.*)\" (?:#(?<number>\\d{1,18}) )?(?:\\[(?<osid>\\d{1,9})] )?(?:daemon"
              + " )?(?:prio=(?<prio>\\d{1,9}) )?os_prio=(?<osprio>-?\\d{1,9}) (?:cpu=(?<cpu>\\S+)"
              + " )?(?:elapsed=(?<elapsed>\\S+) )?.*?tid=0x(?<tid>[0-9a-f]{1,16})(?:"
              + " nid=(?<nid>0x[0-9a-f]{1,8}|\\d{1,9}))? ?(?<status>.*)",
          Pattern.DOTALL);

  private static final String STATE = "   java.lang.Thread.State: ";
  private static final String CARRYING = "   Carrying virtual thread #";
  private static final String MOUNTED = "   Mounted virtual thread #";

  private final List<ThreadStack> threads = new ArrayList<>();
  private @Nullable Matcher header;
  private String state = "";
  private boolean carries;
  private long mounted;
  private List<StackFrame> frames = new ArrayList<>();
  private @Nullable List<StackFrame> carrierFrames;

  private ThreadDumpParser() {}

  /** The threads of a dump, in its order. */
  static List<ThreadStack> parse(String dump) {
    ThreadDumpParser parser = new ThreadDumpParser();
    for (String line : dump.split("\n", -1)) {
      parser.line(line);
    }
    parser.endThread();
    return parser.threads;
  }

  private void line(String line) {
    if (line.isEmpty()) {
      endThread();
    } else if (line.startsWith("\"")) {
      endThread();
      Matcher matcher = HEADER.matcher(line);
      header = matcher.matches() ? matcher : null;
    } else if (header == null) {
      return;
    } else if (line.startsWith(STATE)) {
      state = line.substring(STATE.length());
    } else if (line.startsWith(CARRYING)) {
      carries = true;
    } else if (line.startsWith(MOUNTED)) {
      mounted = number(line.substring(MOUNTED.length()));
      carrierFrames = frames;
      frames = new ArrayList<>();
    } else {
      StackFrame frame = FrameParser.parse(line);
      if (frame != null) {
        frames.add(frame);
      }
    }
  }

  private void endThread() {
    Matcher found = header;
    if (found != null) {
      if (carrierFrames == null) {
        threads.add(thread(found, carries ? Kind.CARRIER : Kind.PLATFORM, frames));
      } else {
        threads.add(thread(found, Kind.CARRIER, carrierFrames));
        threads.add(mountedThread(found));
      }
    }
    header = null;
    state = "";
    carries = false;
    carrierFrames = null;
    frames = new ArrayList<>();
  }

  private ThreadStack thread(Matcher found, Kind kind, List<StackFrame> ownFrames) {
    return new ThreadStack(
        DumpNames.restore(found.group("name")),
        kind,
        number(found.group("number")),
        (int) number(found.group("prio")),
        (int) number(found.group("osprio")),
        orElse(found.group("cpu"), "0ms"),
        orElse(found.group("elapsed"), "0s"),
        Long.parseUnsignedLong(found.group("tid"), 16),
        nid(found),
        kind == Kind.CARRIER ? "runnable " + found.group("status") : found.group("status"),
        kind == Kind.CARRIER ? "RUNNABLE" : state,
        ownFrames);
  }

  /** What the JVM knows of a virtual thread's own times and priorities is nothing. */
  private ThreadStack mountedThread(Matcher found) {
    boolean parks = !frames.isEmpty() && frames.getFirst().function().equals("park");
    return new ThreadStack(
        "",
        Kind.MOUNTED,
        mounted,
        Thread.NORM_PRIORITY,
        0,
        "0ms",
        "0s",
        Long.parseUnsignedLong(found.group("tid"), 16),
        nid(found),
        (parks ? "waiting on condition " : "runnable ") + found.group("status"),
        parks ? "WAITING (parking)" : "RUNNABLE",
        frames);
  }

  private static int nid(Matcher found) {
    String nid = orElse(found.group("nid"), orElse(found.group("osid"), "0"));
    return nid.startsWith("0x")
        ? Integer.parseUnsignedInt(nid.substring(2), 16)
        : Integer.parseInt(nid);
  }

  private static long number(@Nullable String digits) {
    try {
      return digits == null ? 0 : Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value == null ? otherwise : value;
  }
}
