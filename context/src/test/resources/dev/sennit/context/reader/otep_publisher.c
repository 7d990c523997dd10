/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Threads with records of OTEP 4947, good and bad ones, one thread for each case. The thread-local variable comes from
 * otep_variable.c, which is linked in whatever way or loaded at run time (-DLOADED, the library is the argument; with
 * another argument its file is then deleted).
 *
 * It does its work in a child of its own, so that whoever started it is not the parent of what is traced, unless NO_FORK
 * is in its environment. With UNSTOPPABLE=N in it there are N threads more, which do not react to being stopped. It prints
 * "pid PID", "CASE TID" for each thread and "ready". The end of its input is its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void **thread_context(void);

static void **(*context)(void);
static pthread_barrier_t started;

struct record {
    uint8_t trace_id[16];
    uint8_t span_id[8];
    uint8_t valid;
    uint8_t flags;
    uint16_t size;
    uint8_t attributes[1024];
};

_Static_assert(offsetof(struct record, attributes) == 28, "OTEP 4947");

static const uint8_t trace_id[16] = {0x12, 0x34, 0x56, 0x78, 0x90, 0xab, 0xcd, 0xef,
                                     0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};

/* The last two bytes are the tid's, so that no thread's record passes for another's. */
static struct record *record(int with_ids)
{
    struct record *record = calloc(1, sizeof *record);
    uint32_t tid = (uint32_t)syscall(SYS_gettid);
    if (with_ids) {
        memcpy(record->trace_id, trace_id, 16);
        record->span_id[0] = 0x80;
        record->span_id[5] = tid >> 16;
        record->span_id[6] = tid >> 8;
        record->span_id[7] = tid;
        record->flags = 1;
    }
    record->valid = 1;
    return record;
}

static void add(struct record *record, uint8_t key, const char *value)
{
    uint8_t *at = record->attributes + record->size;
    at[0] = key;
    at[1] = (uint8_t)strlen(value);
    memcpy(at + 2, value, at[1]);
    record->size += 2 + at[1];
}

static void publish(const char *kind)
{
    struct record *r;
    if (!strcmp(kind, "untouched"))
        return;
    if (!strcmp(kind, "null")) {
        *context() = NULL;
        return;
    }
    if (!strcmp(kind, "wild")) {
        *context() = (void *)0x10;
        return;
    }
    if (!strcmp(kind, "at-the-edge")) { /* 28 bytes and two entries, and then no memory at all */
        char *pages = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(pages + 4096, 4096);
        r = record(1);
        add(r, 0, "GET");
        add(r, 1, "/edge");
        size_t length = 28 + r->size;
        *context() = memcpy(pages + 4096 - length - length % 2, r, length);
        return;
    }
    r = record(strcmp(kind, "attributes-only") && strcmp(kind, "empty"));
    if (!strcmp(kind, "plain") || !strcmp(kind, "main")) {
        add(r, 0, "GET");
        add(r, 1, "/cart/\xc3\xa9t\xc3\xa9");
    } else if (!strcmp(kind, "duplicate")) {
        add(r, 0, "GET");
        add(r, 1, "/cart");
        add(r, 0, "POST");
    } else if (!strcmp(kind, "incomplete")) {
        add(r, 0, "GET");
        add(r, 1, "/cart");
        r->size -= 1;
    } else if (!strcmp(kind, "lone-key")) {
        add(r, 0, "GET");
        r->size += 1;
    } else if (!strcmp(kind, "invalid")) {
        r->valid = 2;
    } else if (!strcmp(kind, "attributes-only")) {
        add(r, 0, "GET");
    } else if (!strcmp(kind, "unknown-key")) {
        add(r, 77, "what?");
        add(r, 0, "GET");
    } else if (!strcmp(kind, "local-root")) {
        add(r, 2, "00f067aa0ba902b7");
        add(r, 0, "GET");
    } else if (!strcmp(kind, "bad-local-root")) {
        add(r, 2, "not an identifier");
    } else if (!strcmp(kind, "oversize")) {
        for (int i = 0; i < 4; i++) {
            char value[256];
            memset(value, 'a' + i, 200);
            value[200] = 0;
            add(r, (uint8_t)(i == 3 ? 1 : 0), value);
        }
        r->size = 65535;
    }
    *context() = r;
}

static void *run(void *kind)
{
    pthread_setname_np(pthread_self(), kind);
    publish(kind);
    printf("%s %ld\n", (char *)kind, syscall(SYS_gettid));
    pthread_barrier_wait(&started);
    while (1)
        pause();
    return NULL;
}

/* A thread in vfork sleeps until its child is done, and nothing but SIGKILL gets through to it meanwhile. */
static void *sleep_in_vfork(void *number)
{
    printf("unstoppable-%d %ld\n", (int)(intptr_t)number, syscall(SYS_gettid));
    pthread_barrier_wait(&started);
    if (vfork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (1)
            pause();
    }
    return NULL;
}

static void start(const char *kind)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, (void *)kind) != 0)
        exit(1);
    pthread_barrier_wait(&started);
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    pid_t child = getenv("NO_FORK") ? 0 : fork();
    if (child > 0) {
        int status;
        while (waitpid(child, &status, 0) < 0)
            ;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    printf("pid %d\n", getpid());
    pthread_barrier_init(&started, NULL, 2);
#ifdef LOADED
    if (count < 2)
        return 2;
#else
    (void)count;
    (void)arguments;
    context = thread_context;
#endif
    start("untouched");
#ifdef LOADED
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    context = (void **(*)(void))dlsym(library, "thread_context");
    if (count > 2)
        unlink(arguments[1]);
#endif
    static const char *const kinds[] = {"plain", "duplicate", "incomplete", "lone-key", "invalid", "null", "wild",
                                        "at-the-edge", "attributes-only", "empty", "unknown-key", "local-root",
                                        "bad-local-root", "oversize"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        start(kinds[i]);
    publish("main");
    printf("main %d\n", getpid());
    int unstoppable = getenv("UNSTOPPABLE") ? atoi(getenv("UNSTOPPABLE")) : 0;
    for (intptr_t i = 0; i < unstoppable; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, sleep_in_vfork, (void *)i) != 0)
            return 1;
        pthread_barrier_wait(&started);
    }
    printf("ready\n");
    while (getchar() != EOF)
        ;
    return 0;
}
