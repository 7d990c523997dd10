/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.List;
import org.junit.jupiter.api.Test;

@Requires
class CarrierRecordTest {
  /** A virtual thread that says when it has set a context, with hooks that are called by hand. */
  static final class Application {
    public static void main(String[] arguments) throws InterruptedException {
      ContextApi.initialize("ctxstorage=otel");
      CarrierRecord record = CarrierRecord.prepare();
      var _ = ContextApi.followVirtualThreads(record::isOpen);
      Thread virtual = Thread.ofVirtual().unstarted(() -> serve(record));
      virtual.start();
      virtual.join();
    }

    private static void serve(CarrierRecord record) {
      Thread self = Thread.currentThread();
      ContextApi.setOtel(1, 2, 3, 1);
      print("set while closed");
      record.accept(self);
      print("mounted while closed");
      ContextApi.setOtel(1, 2, 4, 1);
      record.open();
      print("opened");
      record.accept(self);
      print("mounted");
      ContextApi.setOtel(1, 2, 5, 1);
      print("set");
      record.run();
      print("unmounted");
    }

    private static void print(String when) {
      ContextSnapshot seen = new ContextSnapshot();
      System.out.println(when + ": " + (ContextApi.get(seen) ? seen.spanId() : "none"));
    }
  }

  /** A hook that is there must not show what a thread, which does not know of it, has changed. */
  @Test
  void hooksShowContextsFromTheMomentThatThreadsWriteThemAndNotBefore() {
    try (ChildProcess application =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of("--add-opens=java.base/java.lang=ALL-UNNAMED"), Application.class))) {
      assertThat(application.readAll())
          .containsExactly(
              "set while closed: none",
              "mounted while closed: none",
              "opened: none",
              "mounted: 4",
              "set: 5",
              "unmounted: none");
    }
  }
}
