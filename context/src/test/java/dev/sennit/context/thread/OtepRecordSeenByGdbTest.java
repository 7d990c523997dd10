package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.OsThread;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The record is found and read by a debugger that knows ELF and threads, and nothing of Sennit. */
@Requires(root = true, commands = "gdb")
class OtepRecordSeenByGdbTest {
  @Test
  void aDebuggerFindsTheRecordBehindTheSymbol() {
    try (ChildProcess child = ChildProcess.java(Publisher.class)) {
      int tid = Integer.parseInt(child.expect("tid "));
      List<String> output;
      try (ChildProcess gdb =
          ChildProcess.start(
              List.of(
                  "gdb",
                  "-q",
                  "-nx",
                  "-batch",
                  "-iex",
                  "set debuginfod enabled off",
                  "-p",
                  Integer.toString(tid),
                  "-ex",
                  "x/64xb *(unsigned char**)&otel_thread_ctx_v1"))) {
        output = gdb.readAll();
      }
      byte[] record = bytes(output);
      ByteBuffer fields = ByteBuffer.wrap(record);
      assertThat(fields.getLong(0)).isEqualTo(0x0123456789ABCDEFL);
      assertThat(fields.getLong(8)).isEqualTo(0xFEDCBA9876543210L);
      assertThat(fields.getLong(16)).isEqualTo(0x1112131415161718L);
      assertThat(fields.get(24)).isEqualTo((byte) 1);
      assertThat(fields.get(25)).isEqualTo((byte) 1);
      assertThat(Short.reverseBytes(fields.getShort(26))).isEqualTo((short) 8);
      assertThat(fields.get(28)).isEqualTo((byte) 1);
      assertThat(fields.get(29)).isEqualTo((byte) 6);
      assertThat(new String(record, 30, 6, StandardCharsets.UTF_8)).isEqualTo("/carts");
    }
  }

  /** The numbers of lines such as {@code 0x7f..: 0x01 0x23 ...}. */
  private static byte[] bytes(List<String> gdbOutput) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : gdbOutput) {
      int colon = line.indexOf(":\t0x");
      if (line.startsWith("0x") && colon > 0) {
        for (String number : line.substring(colon + 2).strip().split("\\s+")) {
          bytes.write(Integer.decode(number));
        }
      }
    }
    assertThat(bytes.size()).as("bytes printed by gdb in " + gdbOutput).isEqualTo(64);
    return bytes.toByteArray();
  }

  /** The child: one thread in one span. */
  static final class Publisher {
    private Publisher() {}

    public static void main(String[] args) throws IOException {
      ContextApi.initialize("ctxstorage=otep,attributes=http.route");
      ContextApi.setOtel(0x0123456789ABCDEFL, 0xFEDCBA9876543210L, 0x1112131415161718L, 1);
      if (ContextApi.setAttribute("http.route", "/carts") != AttributeOutcome.SET) {
        throw new AssertionError("attribute refused");
      }
      System.out.println("tid " + OsThread.id());
      System.in.read();
    }
  }
}
