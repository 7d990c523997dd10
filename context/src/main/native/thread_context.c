/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * What no Java can do: export the thread-local symbol of OTEP 4947, find the calling OS thread's block whatever
 * virtual thread is mounted on it, and withdraw a thread's records at the moment it ends. Java writes the records;
 * the layout is that of ThreadBlockDescriptor.java, RingDescriptor.java and OtepRecordDescriptor.java.
 *
 * Linked without a libc of its own (-nostdlib): the few functions it calls are the process's, so that one object
 * serves every glibc and musl.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

#define SLOT_CONTROL 3 /* of four 64-bit words */
#define CONTROL_IN_USE 1ULL
#define CONTROL_TID(word) ((uint32_t)((word) >> 16) & 0xffffffU)
#define CONTROL_SEQUENCE_ONE (1ULL << 40)
#define CONTROL_SEQUENCE(word) ((word) & ~(CONTROL_SEQUENCE_ONE - 1))

struct block {
    uint64_t *slot;     /* of the ring; 0 until the thread first uses it */
    uint32_t tid;
    uint32_t pid;       /* a forked child has the block, but not the ring */
    struct block *next; /* in the pool */
    uint64_t rounds;    /* of destructors that this thread's end has seen */
    uint8_t profiler_record[96];
    uint8_t otep_record[640];
};

_Static_assert(offsetof(struct block, profiler_record) == 32, "ThreadBlockDescriptor.PROFILER_RECORD_OFFSET");
_Static_assert(offsetof(struct block, otep_record) == 128, "ThreadBlockDescriptor.OTEP_RECORD_OFFSET");
_Static_assert(sizeof(struct block) == 768, "ThreadBlockDescriptor.LENGTH");

EXPORTED __thread void *otel_thread_ctx_v1;

static __thread struct block *self;
static pthread_key_t at_thread_end;
static int usable;

/* Blocks are kept for the next thread and never freed, so that an address kept too long stays in this memory. */
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *pool;

static void release_slot(uint64_t *slot, uint32_t tid)
{
    uint64_t word = __atomic_load_n(&slot[SLOT_CONTROL], __ATOMIC_RELAXED);
    if (CONTROL_TID(word) != tid)
        return;
    __atomic_store_n(&slot[SLOT_CONTROL], word | CONTROL_IN_USE, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < SLOT_CONTROL; i++)
        __atomic_store_n(&slot[i], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&slot[SLOT_CONTROL], CONTROL_SEQUENCE(word + CONTROL_SEQUENCE_ONE), __ATOMIC_RELEASE);
}

/*
 * The destructor of a native thread that is attached to the JVM may detach it, and Java may run then. So the block is
 * given back in the last but one of the four rounds that POSIX grants destructors that set their key again.
 */
#define LAST_ROUND 2

static void thread_ends(void *value)
{
    struct block *block = value;
    if (block->rounds++ < LAST_ROUND && pthread_setspecific(at_thread_end, block) == 0)
        return;
    otel_thread_ctx_v1 = NULL;
    /* The record is about to be reused; a reader that stops this thread must not see the pointer after that. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self = NULL;
    if (block->slot && block->pid == (uint32_t)getpid())
        release_slot(block->slot, block->tid);
    block->slot = NULL;
    block->rounds = 0;
    memset(block->profiler_record, 0, sizeof(block->profiler_record) + sizeof(block->otep_record));
    pthread_mutex_lock(&pool_lock);
    block->next = pool;
    pool = block;
    pthread_mutex_unlock(&pool_lock);
}

static struct block *adopt_thread(void)
{
    if (!usable)
        return NULL;
    pthread_mutex_lock(&pool_lock);
    struct block *block = pool;
    if (block)
        pool = block->next;
    pthread_mutex_unlock(&pool_lock);
    if (!block)
        block = calloc(1, sizeof(*block));
    if (!block)
        return NULL;
    block->tid = (uint32_t)syscall(SYS_gettid);
    block->pid = (uint32_t)getpid();
    if (pthread_setspecific(at_thread_end, block) != 0) {
        free(block);
        return NULL;
    }
    self = block;
    return block;
}

__attribute__((constructor)) static void prepare(void)
{
    usable = pthread_key_create(&at_thread_end, thread_ends) == 0;
}

/* The calling OS thread's block, or NULL when memory is short. */
EXPORTED void *sennit_thread_block(void)
{
    return __builtin_expect(self != NULL, 1) ? self : adopt_thread();
}

/* The same, and its OTEP record is what otel_thread_ctx_v1 points at from now on. */
EXPORTED void *sennit_exposed_thread_block(void)
{
    struct block *block = sennit_thread_block();
    if (block)
        otel_thread_ctx_v1 = block->otep_record;
    return block;
}
