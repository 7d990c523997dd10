/*
 * A server and clients that keep their connections busy, or open and close them, for a while. Prints how many requests
 * went well, how many did not, the longest that one took, and when the server last saw a traceparent.
 *
 * load keep CLIENTS MILLISECONDS    load open CLIENTS CONNECTIONS
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char REQUEST[] = "GET /load HTTP/1.1\r\nHost: localhost\r\nX-Filler: 0123456789\r\n\r\n";
static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

static struct sockaddr_in address;
static long good, bad, longest, last_header, headers, end_at;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void *serve(void *argument) {
  int fd = (int)(long)argument;
  char buffer[4096];
  size_t have = 0;
  ssize_t n;
  while ((n = read(fd, buffer + have, sizeof(buffer) - 1 - have)) > 0) {
    have += n;
    buffer[have] = 0;
    if (!strstr(buffer, "\r\n\r\n"))
      continue;
    char *header = strstr(buffer, "traceparent: ");
    if (header) {
      last_header = now();
      __sync_fetch_and_add(&headers, 1);
      memmove(header, header + 70, strlen(header + 70) + 1);
    }
    if (strcmp(buffer, REQUEST))
      __sync_fetch_and_add(&bad, 1);
    have = 0;
    if (write(fd, ANSWER, sizeof(ANSWER) - 1) < 0)
      break;
  }
  close(fd);
  return NULL;
}

static void *accept_all(void *argument) {
  int server = (int)(long)argument;
  for (;;) {
    pthread_t thread;
    int fd = accept(server, NULL, NULL);
    if (fd < 0)
      return NULL;
    pthread_create(&thread, NULL, serve, (void *)(long)fd);
    pthread_detach(thread);
  }
}

static int ask(int fd) {
  char answer[256];
  size_t have = 0;
  long begin = now();
  if (write(fd, REQUEST, sizeof(REQUEST) - 1) != sizeof(REQUEST) - 1)
    return 0;
  while (have < sizeof(ANSWER) - 1) {
    ssize_t n = read(fd, answer + have, sizeof(answer) - have);
    if (n <= 0)
      return 0;
    have += n;
  }
  long took = now() - begin;
  if (took > longest)
    longest = took;
  return !memcmp(answer, ANSWER, sizeof(ANSWER) - 1);
}

static int open_connection(void) {
  int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
  struct timeval patience = {.tv_sec = 10};
  struct linger at_once = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
    close(fd);
    return -1;
  }
  return fd;
}

static void *ask_on(void *argument) {
  int connections = (int)(long)argument;
  do {
    int fd = open_connection();
    if (fd < 0) {
      __sync_fetch_and_add(&bad, 1);
      continue;
    }
    do
      __sync_fetch_and_add(ask(fd) ? &good : &bad, 1);
    while (!connections && now() < end_at && !bad);
    close(fd);
  } while (--connections > 0);
  return NULL;
}

int main(int count, char **arguments) {
  int clients = atoi(arguments[2]), amount = atoi(arguments[3]), keep = !strcmp(arguments[1], "keep");
  int server = socket(AF_INET, SOCK_STREAM, 0);
  socklen_t size = sizeof(address);
  pthread_t threads[64], acceptor;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (count != 4 || bind(server, (struct sockaddr *)&address, size) || listen(server, 1024))
    return 1;
  getsockname(server, (struct sockaddr *)&address, &size);
  pthread_create(&acceptor, NULL, accept_all, (void *)(long)server);
  end_at = now() + amount * 1000L;
  printf("running\n");
  fflush(stdout);
  for (int i = 0; i < clients; i++)
    pthread_create(&threads[i], NULL, ask_on, (void *)(long)(keep ? 0 : amount / clients));
  for (int i = 0; i < clients; i++)
    pthread_join(threads[i], NULL);
  printf("good %ld bad %ld longest %ld headers %ld last %ld\n", good, bad, longest, headers, last_header);
  fflush(stdout);
  return 0;
}
