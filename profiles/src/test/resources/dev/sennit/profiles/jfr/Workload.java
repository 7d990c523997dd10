import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A little of everything that a flight recorder sees. Runs from source on any JDK from 17 on. */
public class Workload {
  static volatile Object sink;

  public static void main(String[] args) throws Exception {
    Thread burner = new Thread(Workload::burn, "burner \u00fc\u4e2d");
    burner.start();
    contend();
    waitOnMonitor();
    Thread.sleep(30);
    LockSupport.parkNanos(30_000_000);
    files();
    sockets();
    burner.join();
  }

  static void burn() {
    long end = System.nanoTime() + 1_000_000_000L;
    double sum = 0;
    while (System.nanoTime() < end) {
      sum += recurse(10);
      sink = new byte[2000];
      sink = new long[100_000];
    }
    sink = sum;
  }

  static double recurse(int depth) {
    double sum = 0;
    for (int i = 0; i < 100; i++) {
      sum += Math.sin(i + depth);
    }
    return depth == 0 ? sum : sum + recurse(depth - 1);
  }

  static void contend() throws Exception {
    Object lock = new Object();
    CountDownLatch started = new CountDownLatch(1);
    Thread rival =
        new Thread(
            () -> {
              started.countDown();
              synchronized (lock) {
                sink = lock;
              }
            },
            "rival");
    synchronized (lock) {
      rival.start();
      started.await();
      while (rival.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      Thread.sleep(40);
    }
    rival.join();
  }

  static void waitOnMonitor() throws Exception {
    Object lock = new Object();
    synchronized (lock) {
      lock.wait(30);
    }
  }

  static void files() throws Exception {
    Path file = Files.createTempFile("workload", ".txt");
    byte[] bytes = new byte[1 << 20];
    Files.write(file, bytes);
    sink = Files.readAllBytes(file);
    Files.delete(file);
  }

  static void sockets() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread client =
          new Thread(
              () -> {
                try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                  Thread.sleep(40);
                  socket.getOutputStream().write(new byte[100]);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              "client");
      client.start();
      try (Socket socket = server.accept()) {
        sink = socket.getInputStream().readAllBytes();
      }
      client.join();
    }
  }
}
