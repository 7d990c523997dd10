/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.kernel.Observation.Seen;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs write to their logs, and nothing else that they write to files, is told. */
@Requires(root = true, commands = "python3")
final class LogWritesTest {
  private static final String PRELUDE =
      """
      import os, sys
      folder = sys.argv[1]
      def create(name):
          return os.open(folder + '/' + name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
      os.write(1, b'BEGIN %d' % os.getpid())
      """;

  @TempDir private static Path folder;
  private static Observation observation;

  @BeforeAll
  static void observe() {
    observation =
        Observation.start(
            new TracerSettings.Builder()
                .logFiles(List.of(LogPattern.of(folder + "/out*.txt"), LogPattern.of("*.journal")))
                .build());
  }

  @AfterAll
  static void end() throws IOException {
    observation.close();
  }

  @Test
  void standardOutputAndErrorAreLogs() throws Exception {
    assertThat(lines("os.write(1, b'one'); os.write(2, b'two')")).containsExactly("one", "two");
  }

  @Test
  void standardOutputMayBeASocketOfTheHost() throws Exception {
    assertThat(
            lines(
                """
                import socket
                ours, journal = socket.socketpair()
                os.dup2(ours.fileno(), 1)
                os.write(1, b'one')
                os.writev(1, [b't', b'wo'])
                os.write(ours.fileno(), b'not')
                os.dup2(ours.fileno(), 0)
                os.write(1, b'an answer')
                """))
        .containsExactly("one", "two");
  }

  @Test
  void aFileIsALogByItsName() throws Exception {
    assertThat(
            lines(
                """
                os.write(create('a.log'), b'log')
                os.write(create('a.logs'), b'not')
                os.write(create('out1.txt'), b'named')
                os.write(create('other.txt'), b'not')
                os.write(create('x.journal'), b'anywhere')
                os.chdir(folder); os.write(os.open('b.log', os.O_WRONLY | os.O_CREAT), b'relative')
                """))
        .containsExactly("log", "named", "anywhere", "relative");
  }

  @Test
  void everyCallThatWritesIsSeen() throws Exception {
    assertThat(
            lines(
                """
                fd = create('calls.log')
                os.write(fd, b'write')
                os.writev(fd, [b'wri', b'te', b'v'])
                os.pwrite(fd, b'pwrite', 0)
                os.pwritev(fd, [b'not ', b'named'], 0)
                """))
        .containsExactly("write", "writev", "pwrite");
  }

  @Test
  void aDuplicateIsALogAndWhatTakesItsNumberIsNot() throws Exception {
    assertThat(
            lines(
                """
                fd = create('d.log')
                twin = os.dup(fd)
                os.write(twin, b'twin')
                other = create('data')
                os.dup2(other, fd)
                os.write(fd, b'not')
                os.close(twin)
                again = create('data')
                assert again == twin
                os.write(again, b'not')
                """))
        .containsExactly("twin");
  }

  @Test
  void aLogThatIsTurnedOverGoesOn() throws Exception {
    assertThat(
            lines(
                """
                for i in range(20):
                    fd = create('turned.log')
                    os.write(fd, b'%d' % i)
                    os.close(fd)
                    os.rename(folder + '/turned.log', folder + '/turned.%d' % i)
                """))
        .hasSize(20);
  }

  @Test
  void anotherProgramInTheProcessInheritsNoNumbers() throws Exception {
    assertThat(
            lines(
                """
                fd = create('e.log')
                assert fd == 3
                os.write(fd, b'before')
                code = "import os,sys; fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT);" \\
                    " assert fd == 3; os.write(fd, b'not')"
                os.execv(sys.executable, [sys.executable, '-c', code, folder + '/e.data'])
                """))
        .containsExactly("before");
  }

  @Test
  void aChildWritesToWhatItWasBornWithOnceItServes() throws Exception {
    assertThat(
            lines(
                """
                import socket, time
                fd = create('born.log')
                listener = socket.create_server(('127.0.0.1', 0))
                if os.fork() == 0:
                    listener.accept()
                    for i in range(40):
                        os.write(fd, b'child')
                        time.sleep(0.05)
                    os._exit(0)
                connected = socket.create_connection(listener.getsockname())
                os.wait()
                """))
        .contains("child");
  }

  @Test
  void aLongLineComesInPartsUpToTheBound() throws Exception {
    List<Seen> parts = writes("os.write(create('long.log'), b'x' * 10_000_000)");

    assertThat(parts).hasSize(4);
    assertThat(parts).allMatch(part -> part.payload().length() == TracerSettings.LARGEST_SCAN);
    assertThat(parts.subList(0, 3)).allMatch(part -> part.size() == part.payload().length());
    assertThat(parts.getLast().size()).isEqualTo(10_000_000 - 3 * TracerSettings.LARGEST_SCAN);
  }

  @Test
  void whatIsWrittenInPartIsToldInPart() throws Exception {
    List<Seen> parts =
        writes(
            """
            import fcntl
            reader, writer = os.pipe()
            fcntl.fcntl(writer, 1031, 4096)
            os.dup2(writer, 1)
            os.set_blocking(1, False)
            assert os.write(1, b'y' * 10_000) == 4096
            try:
                os.write(1, b'z')
            except BlockingIOError:
                pass
            """);

    assertThat(parts).extracting(Seen::payload).containsExactly("y".repeat(4096));
  }

  @Test
  void bytesThatAreNoTextSurvive() throws Exception {
    assertThat(lines("os.write(1, bytes([0, 255, 10, 0]))")).containsExactly("\0\u00ff\n\0");
  }

  @Test
  void threadsAreToldWithTheirNamesAndTheirEnds() throws Exception {
    Seen line =
        writes(
                """
                import threading
                def work():
                    task = '/proc/self/task/%d/comm' % threading.get_native_id()
                    with open(task, 'w') as comm:
                        comm.write('a name that is too long')
                    os.write(1, b'named')
                thread = threading.Thread(target=work)
                thread.start()
                thread.join()
                """)
            .getFirst();
    List<String> names =
        observation.events(EventKind.NAMED).stream()
            .filter(event -> event.tid() == line.tid())
            .map(Seen::threadName)
            .toList();

    assertThat(line.threadName()).isEqualTo("a name that is ");
    assertThat(names).containsExactly("a name that is ", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "relative.txt", "/a/*/b*"})
  void aPatternThatCannotBeMeantIsRefused(String pattern) {
    assertThatThrownBy(() -> LogPattern.of(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> lines(String program) throws Exception {
    return writes(program).stream().map(Seen::payload).toList();
  }

  /** What was told of a program, once its end was. */
  @SuppressWarnings("ReferenceEquality") // the very same event
  private static List<Seen> writes(String program) throws Exception {
    ChildProcess child =
        observation.run(List.of("python3", "-c", PRELUDE + program, folder.toString()));
    int pid = child.pid();
    // Where python3 is a script that finds the real one, that script writes, too.
    Seen begin = observation.await(event -> event.payload().equals("BEGIN " + pid));
    observation.await(event -> event.kind() == EventKind.EXIT && event.pid() == pid);
    assertThat(child.waitFor()).as(child.errors()).isZero();
    return observation.events().stream()
        .dropWhile(event -> event != begin)
        .skip(1)
        .filter(event -> event.kind() == EventKind.LOG)
        .toList();
  }
}
