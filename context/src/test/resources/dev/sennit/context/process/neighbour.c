/*
 * A native library in the same process as the JVM: another publisher of the process context, written from the layout of
 * OTEP 4719, and a fork without exec.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

struct header {
    char signature[8];
    uint32_t version;
    uint32_t payload_size;
    uint64_t published_at_ns;
    uint64_t payload;
};

static struct header *header;

/* Publishes a copy of payload; write-protects the header afterwards if asked to. */
int neighbour_publish(const void *payload, int size, int protect) {
    int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, sizeof *header) != 0)
        return -1;
    header = mmap(NULL, sizeof *header, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    close(fd);
    if (header == MAP_FAILED || madvise(header, sizeof *header, MADV_DONTFORK) != 0)
        return -1;
    void *copy = malloc(size);
    memcpy(copy, payload, size);
    header->version = 2;
    header->payload_size = size;
    header->payload = (uint64_t) (uintptr_t) copy;
    memcpy(header->signature, "OTEL_CTX", 8);
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    __atomic_store_n(&header->published_at_ns, now.tv_sec * 1000000000ULL + now.tv_nsec, __ATOMIC_SEQ_CST);
    prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, header, sizeof *header, "OTEL_CTX");
    return protect ? mprotect(header, sizeof *header, PROT_READ) : 0;
}

/* Overwrites what the header points to. */
int neighbour_point(int64_t address, int size) {
    header->payload = (uint64_t) address;
    header->payload_size = size;
    return 0;
}

/* Overwrites when the header says it was published. */
int neighbour_at(int64_t nanoseconds) {
    header->published_at_ns = (uint64_t) nanoseconds;
    return 0;
}

/* Forks; the child does nothing until its parent ends. */
int neighbour_fork(void) {
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return child;
}
