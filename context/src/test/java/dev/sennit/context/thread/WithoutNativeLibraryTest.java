package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.OsThread;
import dev.sennit.testing.ChildProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The way of platforms for which no native library exists, taken here with it switched off. */
class WithoutNativeLibraryTest {
  @Test
  void profilerAndOtelWorkAndOtepSaysThatItIsNotAvailable() {
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(List.of("-Dsennit.native=off"), Program.class))) {
      assertThat(child.readAll())
          .containsExactly(
              "profiler: platform true true, virtual true",
              "otel: platform true true, virtual true",
              "otel by tid: true",
              "tids of ended threads are taken over: true",
              "otep: ctxstorage=otep is not available: it needs the native library, and switched"
                  + " off by sennit.native=off");
      assertThat(child.waitFor()).isZero();
    }
  }

  /** The child. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      for (String mode : List.of("profiler", "otel")) {
        ContextApi.initialize("ctxstorage=" + mode);
        boolean first = roundTrip();
        boolean[] results = new boolean[2];
        Thread.ofPlatform().start(() -> results[0] = roundTrip()).join();
        Thread.ofVirtual().start(() -> results[1] = roundTrip()).join();
        System.out.println(
            mode + ": platform " + first + " " + results[0] + ", virtual " + results[1]);
        if (mode.equals("otel")) {
          ContextApi.setOtel(1, 2, 3);
          System.out.println(
              "otel by tid: " + ContextApi.getByTid(OsThread.id(), new ContextSnapshot()));
        }
        ContextApi.shutdown();
      }
      ContextApi.initialize("ctxstorage=otel,ctxcapacity=1");
      Thread.ofPlatform().start(() -> ContextApi.setOtel(1, 2, 3)).join();
      System.out.println("tids of ended threads are taken over: " + roundTrip());
      ContextApi.shutdown();
      try {
        ContextApi.initialize("ctxstorage=otep");
      } catch (IllegalStateException e) {
        System.out.println("otep: " + e.getMessage());
      }
    }

    private static boolean roundTrip() {
      ContextApi.setOtel(7, 8, 9, 1);
      ContextSnapshot snapshot = new ContextSnapshot();
      boolean read = ContextApi.get(snapshot) && snapshot.spanId() == 9;
      ContextApi.clear();
      return read && !ContextApi.get(snapshot);
    }
  }
}
