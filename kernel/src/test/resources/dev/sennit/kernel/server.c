/* Answers requests one after the other, reading so many bytes at a time: server BYTES */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
static char request[1 << 20];

int main(int count, char **arguments) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof(address);
  int at_a_time = atoi(arguments[count - 1]), server = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(server, (struct sockaddr *)&address, size) || listen(server, 100))
    return 1;
  getsockname(server, (struct sockaddr *)&address, &size);
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int fd = accept(server, NULL, NULL);
    size_t have = 0;
    ssize_t n;
    while ((n = read(fd, request + have, at_a_time)) > 0) {
      have += n;
      request[have] = 0;
      if (have >= 4 && !memcmp(request + have - 4, "\r\n\r\n", 4)) {
        /* Waits for a line, so that a test can look while the request is open. */
        if (strstr(request, "wait"))
          getchar();
        if (write(fd, ANSWER, sizeof(ANSWER) - 1) < 0)
          break;
        have = 0;
      }
    }
    close(fd);
  }
}
