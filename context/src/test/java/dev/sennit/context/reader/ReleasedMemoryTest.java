/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What is looked up once and again leaves nothing behind, for no collector would free it. */
@Requires
final class ReleasedMemoryTest {
  private static final int ROUNDS = 200;

  /** Less than any of the copies that a lookup makes, times the rounds. */
  private static final long FEW_KIB = 1024;

  /** Prints by how much the memory outside of the heap grows with lookups in this process. */
  static final class Searcher {
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=(\\d+)KB");

    public static void main(String[] arguments) throws Exception {
      int pid = (int) ProcessHandle.current().pid();
      search(pid, 2);
      long before = kib();
      search(pid, ROUNDS);
      System.out.println("grown " + (kib() - before));
    }

    private static void search(int pid, int rounds) throws Exception {
      for (int i = 0; i < rounds; i++) {
        ThreadRecordPlace.distanceFromThreadPointer(pid);
        ExportedFunctions.find(pid, List.of("getpid"), file -> false);
      }
    }

    private static long kib() throws JMException {
      String summary =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "vmNativeMemory",
                      new Object[] {new String[] {"summary"}},
                      new String[] {String[].class.getName()});
      Matcher other = OTHER.matcher(summary);
      if (!other.find()) {
        throw new AssertionError(summary);
      }
      return Long.parseLong(other.group(1));
    }
  }

  @Test
  void lookupsGiveTheirMemoryBack() {
    try (ChildProcess searcher =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of("-XX:NativeMemoryTracking=summary"), Searcher.class))) {
      assertThat(Long.parseLong(searcher.expect("grown "))).isLessThan(FEW_KIB);
    }
  }
}
