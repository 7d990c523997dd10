/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dumps of several JDKs, as they were printed. */
class ThreadDumpParserTest {
  @Test
  void readsTheHeaderOfJdk17WhereTheNidIsHexadecimal() {
    ThreadStack thread =
        one(
            """
            "main" #1 prio=5 os_prio=0 cpu=50.42ms elapsed=0.30s tid=0x00007f1b0c0130c0 nid=0x5492 \
            waiting on condition  [0x00007f1b11e1f000]
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            \tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)
            \tat Main.main(Main.java:3)
            """);
    assertThat(thread.number()).isEqualTo(1);
    assertThat(thread.priority()).isEqualTo(5);
    assertThat(thread.cpu()).isEqualTo("50.42ms");
    assertThat(thread.elapsed()).isEqualTo("0.30s");
    assertThat(thread.tid()).isEqualTo(0x00007f1b0c0130c0L);
    assertThat(thread.nid()).isEqualTo(0x5492);
    assertThat(thread.status()).isEqualTo("waiting on condition  [0x00007f1b11e1f000]");
    assertThat(thread.state()).isEqualTo("TIMED_WAITING (sleeping)");
    assertThat(thread.frames())
        .containsExactly(
            new StackFrame("java.lang.Thread", "sleep", "Native Method", 0),
            new StackFrame("Main", "main", "Main.java", 3));
  }

  @Test
  void readsTheHeaderOfJdk25WhereTheNidIsDecimalAndTheOsNumberComesFirst() {
    ThreadStack thread =
        one(
            """
            "a" #30 [21723] daemon prio=5 os_prio=-4 cpu=759.16ms elapsed=4.38s tid=0x00007fbef402aa70 \
            nid=21723 in Object.wait()  [0x00007fbef8b1e000]
               java.lang.Thread.State: WAITING (on object monitor)
            \tat java.lang.Object.wait0(java.base@25.0.3/Native Method)
            \t- waiting on <0x000000069dd000f8> (a java.lang.ref.ReferenceQueue$Lock)
            \tat java.lang.Object.wait(java.base@25.0.3/Object.java:389)
            \t- locked <0x000000069dd000f8> (a java.lang.ref.ReferenceQueue$Lock)
            """);
    assertThat(thread.nid()).isEqualTo(21723);
    assertThat(thread.osPriority()).isEqualTo(-4);
    assertThat(thread.frames()).hasSize(2);
    assertThat(CallStackText.of(thread))
        .startsWith(
            "\"a\" #30 prio=5 os_prio=-4 cpu=759.16ms elapsed=4.38s tid=0x00007fbef402aa70"
                + " nid=0x54db in Object.wait()  [0x00007fbef8b1e000]\n"
                + "   java.lang.Thread.State: WAITING (on object monitor)\n"
                + "\tat java.lang.Object.wait0(Native Method)\n");
  }

  @Test
  void splitsACarrierFromTheVirtualThreadOnIt() {
    List<ThreadStack> threads =
        ThreadDumpParser.parse(
            """
            "ForkJoinPool-1-worker-1" #24 [4828] daemon prio=5 os_prio=0 cpu=21.30ms elapsed=0.48s \
            tid=0x00007f9e68398b80  [0x00007f9e274fc000]
               Carrying virtual thread #23
            \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
               Mounted virtual thread #23
            \tat E.lambda$main$0(E.java:7)
            \tat E$$Lambda/0x000000006a164210.run(Unknown Source)
            """);
    assertThat(threads).extracting(ThreadStack::kind).containsExactly(Kind.CARRIER, Kind.MOUNTED);
    ThreadStack mounted = threads.getLast();
    assertThat(mounted.number()).isEqualTo(23);
    assertThat(mounted.nid()).isEqualTo(4828);
    assertThat(mounted.state()).isEqualTo("RUNNABLE");
    assertThat(mounted.frames())
        .containsExactly(
            new StackFrame("E", "lambda$main$0", "E.java", 7),
            new StackFrame("E$$Lambda", "run", "unknown", 0));
  }

  @Test
  void leavesOutWhatIsNoThreadAndKnowsThreadsOfTheJvm() {
    List<ThreadStack> threads =
        ThreadDumpParser.parse(
            """
            2026-11-15 06:49:08
            Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

            Threads class SMR info:
            _java_thread_list=0x00007f9e684e4760, length=213, elements={
            0x00007f9e6802ad40
            }

            "C1 CompilerThread0" #18 [4475] daemon prio=9 os_prio=0 cpu=408.62ms elapsed=4.21s \
            tid=0x00007f9e680beb70 nid=4475 runnable  [0x0000000000000000]
               java.lang.Thread.State: RUNNABLE
               No compile task

            "GC Thread#1" os_prio=0 cpu=5.61ms elapsed=2.30s tid=0x00007f9e30006290 nid=4608 runnable\s\s

            JNI global refs: 8, weak refs: 5
            """);
    assertThat(threads)
        .extracting(ThreadStack::name)
        .containsExactly("C1 CompilerThread0", "GC Thread#1");
    assertThat(CallStackText.of(threads.getLast()))
        .isEqualTo(
            "\"GC Thread#1\" #0 prio=0 os_prio=0 cpu=5.61ms elapsed=2.30s"
                + " tid=0x00007f9e30006290 nid=0x1200 runnable\n   JVM internal thread\n");
  }

  @Test
  void takesANameThatLooksLikeAHeaderForAName() {
    String name = "a\" #7 [9] prio=1 os_prio=0 tid=0x1 nid=0x1 \\b\r";
    ThreadStack thread =
        one(
            "\""
                + name
                + "\" #8 [10] prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x2 nid=10 r\n"
                + "   java.lang.Thread.State: RUNNABLE\n");
    assertThat(thread.name()).isEqualTo(name);
    assertThat(thread.number()).isEqualTo(8);
    assertThat(CallStackText.of(thread))
        .startsWith("\"a\\\" #7 [9] prio=1 os_prio=0 tid=0x1 nid=0x1 \\\\b\\u000d\" #8 prio=5 ");
  }

  @Test
  void readsFramesWithAndWithoutModulesFilesAndLines() {
    assertThat(FrameParser.parse("\tat a.B.c(my.module@1.0/B.java:12)"))
        .isEqualTo(new StackFrame("a.B", "c", "B.java", 12));
    assertThat(
            FrameParser.parse(
                "\tat java.lang.invoke.LambdaForm$MH/0x6a16b400.invoke(java.base@25.0.3/LambdaForm$MH)"))
        .isEqualTo(new StackFrame("java.lang.invoke.LambdaForm$MH", "invoke", "LambdaForm$MH", 0));
    assertThat(FrameParser.parse("\tat my.module.B.c(my.module/B.java:12)"))
        .isEqualTo(new StackFrame("my.module.B", "c", "B.java", 12));
    assertThat(FrameParser.parse("\tat a.B.c(src/b.groovy:12)"))
        .isEqualTo(new StackFrame("a.B", "c", "src/b.groovy", 12));
    assertThat(FrameParser.parse("\tat a.B.c(Unknown Source)"))
        .isEqualTo(new StackFrame("a.B", "c", "unknown", 0));
    assertThat(FrameParser.parse("\tat c(B.java:1)"))
        .isEqualTo(new StackFrame("unknown", "c", "B.java", 1));
    assertThat(FrameParser.parse("\t- locked <0x000000069dd000f8> (a a.B)")).isNull();
  }

  private static ThreadStack one(String dump) {
    List<ThreadStack> threads = ThreadDumpParser.parse(dump);
    assertThat(threads).hasSize(1);
    return threads.getFirst();
  }
}
