/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Publishes a ring as its format describes it, knowing nothing of the Java code:
 *
 *   header   u32 magic "OTEL", u32 version, u32 capacity, u32 slot size, 16 bytes
 *   slot     u64 trace id high, u64 trace id low, u64 span id, u64 control word
 *   control  byte 0 in use, byte 1 trace flags, bytes 2-4 tid, bytes 5-7 sequence number
 *
 * usage: ring_publisher [OPTION=VALUE ...], see below. It prints "ring ADDRESS CAPACITY", "thread TID" for each
 * thread and "ready", then obeys the words it is sent; the end of its input is its own.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#define PAGE 4096

struct header {
    uint32_t magic, version, capacity, slot_size;
    uint64_t reserved[2];
};

struct slot {
    uint64_t trace_high, trace_low, span, control;
};

static struct header *header;
static struct slot *slots;
static uint64_t capacity = 65536;
static pthread_barrier_t started;
static volatile int going = 1;

static uint32_t own_tid(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

static struct slot *slot_of(uint32_t tid)
{
    return &slots[tid % capacity];
}

static void set(uint32_t tid, uint64_t trace_high, uint64_t trace_low, uint64_t span, uint64_t flags)
{
    struct slot *slot = slot_of(tid);
    uint64_t sequence = (slot->control >> 40) + 1;
    uint64_t word = sequence << 40 | (uint64_t)tid << 16 | flags << 8;
    __atomic_store_n(&slot->control, word | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&slot->trace_high, trace_high, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->trace_low, trace_low, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->span, span, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->control, word, __ATOMIC_RELEASE);
}

/* Ids that a reader can check from the tid alone. */
static void set_known(uint32_t tid)
{
    set(tid, 0xA000000000000000 | tid, 0xB000000000000000 | tid, 0xC000000000000000 | tid, tid & 1);
}

static void announce(const char *kind)
{
    printf("%s %u\n", kind, own_tid());
    pthread_barrier_wait(&started);
}

static void *in_span(void *name)
{
    pthread_setname_np(pthread_self(), name);
    set_known(own_tid());
    announce("thread");
    while (going)
        pause();
    return NULL;
}

static void *in_no_span(void *unused)
{
    (void)unused;
    set(own_tid(), 0, 0, 0, 0);
    announce("idle");
    while (going)
        pause();
    return NULL;
}

static void *stuck(void *unused)
{
    (void)unused;
    set_known(own_tid());
    slot_of(own_tid())->control |= 1;
    announce("stuck");
    while (going)
        pause();
    return NULL;
}

/* All three ids are equal at any time that a reader may see. */
static void *hammering(void *unused)
{
    (void)unused;
    uint32_t tid = own_tid();
    announce("hammering");
    for (uint64_t i = 1; going; i++)
        set(tid, i, i, i, 0);
    return NULL;
}

static void start(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    if (pthread_create(&thread, &attributes, run, argument) != 0) {
        perror("pthread_create");
        exit(1);
    }
    pthread_barrier_wait(&started);
}

int main(int count, char **options)
{
    uint64_t threads = 1, idle = 0, stuck_threads = 0, hammering_threads = 0, guards = 0;
    uint64_t magic = 0x4F54454C, version = 1, slot_size = 32, header_capacity = 0, forged = 0;
    for (int i = 1; i < count; i++) {
        char *value = strchr(options[i], '=');
        if (!value) {
            fprintf(stderr, "%s has no value\n", options[i]);
            return 2;
        }
        *value++ = 0;
        uint64_t number = strtoull(value, NULL, 0);
        if (!strcmp(options[i], "threads")) threads = number;
        else if (!strcmp(options[i], "idle")) idle = number;
        else if (!strcmp(options[i], "stuck")) stuck_threads = number;
        else if (!strcmp(options[i], "hammering")) hammering_threads = number;
        else if (!strcmp(options[i], "guards")) guards = number; /* unreadable regions below the ring */
        else if (!strcmp(options[i], "capacity")) capacity = number;
        else if (!strcmp(options[i], "magic")) magic = number;
        else if (!strcmp(options[i], "version")) version = number;
        else if (!strcmp(options[i], "slot_size")) slot_size = number;
        else if (!strcmp(options[i], "header_capacity")) header_capacity = number; /* instead of the true one */
        else if (!strcmp(options[i], "forged")) forged = number; /* slots with tids of threads that are not */
        else return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_barrier_init(&started, NULL, 2);

    size_t length = sizeof(struct header) + capacity * sizeof(struct slot);
    size_t below = guards * 2 * PAGE;
    char *span = mmap(NULL, below + length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (span == MAP_FAILED || mprotect(span + below, length, PROT_READ | PROT_WRITE) != 0
            || madvise(span + below, length, MADV_DONTFORK) != 0) {
        perror("mmap");
        return 1;
    }
    header = (struct header *)(span + below);
    slots = (struct slot *)(header + 1);
    header->magic = (uint32_t)magic;
    header->version = (uint32_t)version;
    header->capacity = (uint32_t)(header_capacity ? header_capacity : capacity);
    header->slot_size = (uint32_t)slot_size;

    /* Inaccessible pages between them keep the kernel from merging them. */
    for (char *guard = span; guard < span + below; guard += 2 * PAGE) {
        mprotect(guard, PAGE, PROT_READ | PROT_WRITE);
        if (madvise(guard, PAGE, MADV_GUARD_INSTALL) != 0) {
            printf("no guards\n"); /* before Linux 6.13 */
            break;
        }
    }

    printf("ring 0x%" PRIxPTR " %" PRIu64 "\n", (uintptr_t)header, capacity);
    for (uint64_t i = 0; i < threads; i++) {
        char *name = malloc(16);
        snprintf(name, 16, "worker-%u", (unsigned)i);
        start(in_span, name);
    }
    for (uint64_t i = 0; i < idle; i++)
        start(in_no_span, NULL);
    for (uint64_t i = 0; i < stuck_threads; i++)
        start(stuck, NULL);
    for (uint64_t i = 0; i < hammering_threads; i++)
        start(hammering, NULL);
    for (uint64_t i = 1; i <= forged; i++)
        slots[i % capacity] = (struct slot){i, i, i, i << 16};
    printf("ready\n");

    char word[32];
    while (scanf("%31s", word) == 1) {
        if (!strcmp(word, "set")) { /* set TID: as if that thread had entered a span */
            unsigned tid;
            if (scanf("%u", &tid) == 1)
                set_known(tid);
        } else if (!strcmp(word, "clear")) {
            unsigned tid;
            if (scanf("%u", &tid) == 1)
                set(tid, 0, 0, 0, 0);
        } else if (!strcmp(word, "spoil")) { /* the ring is a ring no longer */
            header->magic = 0;
        } else if (!strcmp(word, "unmap")) {
            munmap(header, length);
        } else if (!strcmp(word, "quit")) {
            return 0;
        }
        printf("done\n");
    }
    return 0;
}
