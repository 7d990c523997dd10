/*
 * A publisher of a process context that is not ours, written from the layout of OTEP 4719, and as wrong as it is asked
 * to be. Arguments are NAME=VALUE:
 *   file=PATH         the payload (protobuf)
 *   signature=TEXT    8 bytes instead of OTEL_CTX
 *   version=N         instead of 2
 *   size=N            payload_size, instead of that of the file
 *   pointer=N         payload, instead of where it is
 *   at=N              published_at_ns, instead of the time
 *   decoy=N           map N further headers of version 7 before and after the real one
 *   name=TEXT         of the memfd, instead of OTEL_CTX
 *   protect=1         the header's page may not be read
 *   edge=1            the payload ends where its memory does
 *   spin=1            change the header for ever
 * Prints "ready" once it has published, and ends when its standard input does.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
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

static int arguments;
static char **argument;

static const char *text(const char *name, const char *otherwise) {
    size_t length = strlen(name);
    for (int i = 1; i < arguments; i++)
        if (strncmp(argument[i], name, length) == 0 && argument[i][length] == '=')
            return argument[i] + length + 1;
    return otherwise;
}

static uint64_t number(const char *name, uint64_t otherwise) {
    const char *value = text(name, NULL);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

static struct header *map(void) {
    int fd = memfd_create(text("name", "OTEL_CTX"), MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, sizeof(struct header)) != 0) {
        perror("memfd");
        exit(1);
    }
    struct header *header = mmap(NULL, sizeof *header, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    close(fd);
    if (header == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return header;
}

static void decoys(int count) {
    for (int i = 0; i < count; i++) {
        struct header *decoy = map();
        decoy->version = 7;
        decoy->published_at_ns = 1;
        memcpy(decoy->signature, "OTEL_CTX", 8);
    }
}

static void *read_file(const char *path, size_t *size) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    void *content = malloc(1 << 20);
    *size = file ? fread(content, 1, 1 << 20, file) : 0;
    return content;
}

static void *at_the_edge(const void *payload, size_t size) {
    size_t page = sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0) {
        perror("edge");
        exit(1);
    }
    return memcpy(pages + page - size, payload, size);
}

static uint64_t boot_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void spin(struct header *header) {
    for (uint64_t now = header->published_at_ns;; now++) {
        __atomic_store_n(&header->published_at_ns, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&header->published_at_ns, now, __ATOMIC_SEQ_CST);
    }
}

int main(int argc, char **argv) {
    arguments = argc;
    argument = argv;
    decoys(number("decoy", 0));
    struct header *header = map();
    decoys(number("decoy", 0));
    if (madvise(header, sizeof *header, MADV_DONTFORK) != 0) {
        perror("madvise");
        return 1;
    }
    size_t size;
    void *payload = read_file(text("file", NULL), &size);
    if (number("edge", 0))
        payload = at_the_edge(payload, size);
    header->version = number("version", 2);
    header->payload_size = number("size", size);
    header->payload = number("pointer", (uint64_t) (uintptr_t) payload);
    const char *signature = text("signature", "OTEL_CTX");
    memcpy(header->signature, signature, strnlen(signature, 8));
    __atomic_store_n(&header->published_at_ns, number("at", boot_time()), __ATOMIC_SEQ_CST);
    prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, header, sizeof *header, "OTEL_CTX");
    if (number("protect", 0) && mprotect(header, sizeof *header, PROT_NONE) != 0) {
        perror("mprotect");
        return 1;
    }
    puts("ready");
    fflush(stdout);
    if (number("spin", 0)) {
        /* Standard input cannot be waited for here: the end comes with that of the parent. */
        prctl(PR_SET_PDEATHSIG, 9);
        spin(header);
    }
    while (getchar() != EOF)
        ;
    return 0;
}
