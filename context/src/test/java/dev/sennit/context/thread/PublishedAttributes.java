package dev.sennit.context.thread;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;

/** What this process, or another, has told the world about its thread contexts. */
final class PublishedAttributes {
  private PublishedAttributes() {}

  static ProcessContext of(long pid) {
    ProcessReading reading = new ProcessContextReader().read((int) pid);
    if (reading instanceof ProcessReading.Published published) {
      return published.context();
    }
    throw new AssertionError("pid " + pid + ": " + reading);
  }

  static long ringAddress() {
    AttributeValue address =
        of(ProcessHandle.current().pid()).attributes().get("sennit.thread_ring.address");
    if (address instanceof AttributeValue.Whole whole) {
      return whole.value();
    }
    throw new AssertionError("the ring's address is published as " + address);
  }
}
