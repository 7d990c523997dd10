/* Sends exactly what it is told, in exactly the calls it is told; a line on standard input for each. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST (4 << 20)

static unsigned char bytes[MOST];
static char line[2 * MOST + 100];
static int fd = -1, send_buffer, non_blocking, no_delay = 1;

static void fail(const char *what) {
  printf("error %s: %s\n", what, strerror(errno));
  fflush(stdout);
  exit(1);
}

static size_t unhex(const char *text) {
  size_t n = 0;
  unsigned value;
  while (sscanf(text + 2 * n, "%2x", &value) == 1 && text[2 * n] > ' ')
    bytes[n++] = value;
  return n;
}

static int again(void) {
  struct pollfd wanted = {.fd = fd, .events = POLLOUT};
  if (errno == EINTR)
    return 1;
  if (errno != EAGAIN)
    return 0;
  poll(&wanted, 1, 10000);
  return 1;
}

/* How an application sends: what was not taken is sent again. */
static void send_all(const unsigned char *from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = write(fd, from + done, size - done);
    if (n < 0 && !again())
      fail("write");
    if (n > 0)
      done += n;
  }
}

static void send_vector(size_t size, int parts) {
  struct iovec vector[64];
  size_t done = 0;
  for (int i = 0; i < parts; i++) {
    size_t part = i == parts - 1 ? size - done : size / parts;
    vector[i] = (struct iovec){.iov_base = bytes + done, .iov_len = part};
    done += part;
  }
  ssize_t n = writev(fd, vector, parts);
  if (n != (ssize_t)size)
    fail("writev");
}

static void send_file(size_t size) {
  int file = memfd_create("sender", MFD_CLOEXEC);
  for (size_t i = 0; i < size; i++)
    bytes[i] = 'a' + i % 26;
  if (file < 0 || write(file, bytes, size) != (ssize_t)size)
    fail("file");
  off_t at = 0;
  while (at < (off_t)size)
    if (sendfile(fd, file, &at, size - at) < 0 && !again())
      fail("sendfile");
  close(file);
}

static void ignore(int signal) { (void)signal; }

/* A timer may interrupt the wait for a line. */
static char *next_line(void) {
  size_t have = 0;
  line[0] = 0;
  while (!strchr(line + have, '\n')) {
    have += strlen(line + have);
    errno = 0;
    if (!fgets(line + have, sizeof(line) - have, stdin)) {
      if (errno != EINTR)
        return NULL;
      line[have] = 0;
      clearerr(stdin);
    }
  }
  return line;
}

int main(void) {
  while (next_line()) {
    char *argument = strchr(line, ' ');
    argument = argument ? argument + 1 : "";
    if (!strncmp(line, "sndbuf", 6)) {
      send_buffer = atoi(argument);
    } else if (!strncmp(line, "nonblock", 8)) {
      non_blocking = atoi(argument);
    } else if (!strncmp(line, "nodelay", 7)) {
      no_delay = atoi(argument);
    } else if (!strncmp(line, "timer", 5)) {
      struct sigaction action = {.sa_handler = ignore};
      struct itimerval timer = {.it_interval = {0, atoi(argument)}, .it_value = {0, atoi(argument)}};
      sigaction(SIGALRM, &action, NULL);
      setitimer(ITIMER_REAL, &timer, NULL);
    } else if (!strncmp(line, "connect", 7)) {
      struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(atoi(argument))};
      peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      fd = socket(AF_INET, SOCK_STREAM, 0);
      if (send_buffer)
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer));
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
      while (connect(fd, (struct sockaddr *)&peer, sizeof(peer)))
        if (errno != EINTR && errno != EALREADY)
          fail("connect");
        else if (errno == EISCONN)
          break;
      if (non_blocking)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    } else if (!strncmp(line, "send ", 5)) {
      send_all(bytes, unhex(argument));
    } else if (!strncmp(line, "sendmsg", 7)) {
      struct iovec vector = {.iov_base = bytes, .iov_len = unhex(argument)};
      struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
      if (sendmsg(fd, &message, 0) != (ssize_t)vector.iov_len)
        fail("sendmsg");
    } else if (!strncmp(line, "each", 4)) {
      size_t size = unhex(argument);
      for (size_t i = 0; i < size; i++)
        send_all(bytes + i, 1);
    } else if (!strncmp(line, "vector", 6)) {
      int parts = atoi(argument);
      send_vector(unhex(strchr(argument, ' ') + 1), parts);
    } else if (!strncmp(line, "more", 4)) {
      size_t size = unhex(argument);
      if (send(fd, bytes, size, MSG_MORE) != (ssize_t)size)
        fail("send");
    } else if (!strncmp(line, "file", 4)) {
      send_file(atoi(argument));
    } else if (!strncmp(line, "fill", 4)) {
      size_t size = atoi(argument);
      for (size_t i = 0; i < size; i++)
        bytes[i] = 'a' + i % 26;
      send_all(bytes, size);
    } else if (!strncmp(line, "receive", 7)) {
      for (int left = atoi(argument); left > 0;) {
        char answer[4096];
        ssize_t n = read(fd, answer, left < 4096 ? left : 4096);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
          fail("read");
        if (n > 0)
          left -= n;
      }
    } else if (!strncmp(line, "unread", 6)) {
      int unread = -1;
      ioctl(fd, FIONREAD, &unread);
      printf("unread %d\n", unread);
    } else if (!strncmp(line, "close", 5)) {
      char answer[4096];
      shutdown(fd, SHUT_WR);
      while (read(fd, answer, sizeof(answer)) != 0)
        if (errno != EINTR && errno != EAGAIN && errno != 0)
          break;
      close(fd);
    } else {
      printf("error unknown %s", line);
    }
    printf("ok\n");
    fflush(stdout);
  }
  return 0;
}
