/*
 * Uses the library as the JVM does and shows what becomes of a thread's slot when the thread ends, here and in a child
 * that was forked. usage: thread_end LIBRARY
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t *slot;
static char *(*thread_block)(void);
static pthread_key_t late_key;
static uint64_t seen_late = 77;
static pid_t parent;

/* Runs after the library's own destructor was called for the first time. */
static void late(void *unused)
{
    (void)unused;
    if (getpid() == parent)
        seen_late = slot[2];
}

static void *enter_span(void *unused)
{
    (void)unused;
    pthread_setspecific(late_key, &late_key);
    char *block = thread_block();
    *(uint64_t **)block = slot;
    slot[0] = 1;
    slot[1] = 2;
    slot[2] = 3;
    slot[3] = (uint64_t)gettid() << 16 | 5ULL << 40;
    return block;
}

static void *fork_and_leave(void *unused)
{
    enter_span(unused);
    pid_t child = fork();
    if (child == 0)
        pthread_exit(NULL);
    int status = -1;
    waitpid(child, &status, 0);
    return (void *)(intptr_t)status;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    thread_block = (char *(*)(void))dlsym(library, "sennit_thread_block");
    setvbuf(stdout, NULL, _IONBF, 0); /* a child must not print what its parent left in a buffer */
    parent = getpid();
    pthread_key_create(&late_key, late);
    slot = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(slot, 4096, MADV_DONTFORK);

    pthread_t thread;
    void *first, *second, *status;
    pthread_create(&thread, NULL, enter_span, NULL);
    pthread_join(thread, &first);
    printf("slot %lx %lx %lx %lx\n", slot[0], slot[1], slot[2], slot[3]);
    printf("span seen by a later destructor %lu\n", seen_late);
    pthread_create(&thread, NULL, enter_span, NULL);
    pthread_join(thread, &second);
    printf("block reused %d\n", first == second);
    pthread_create(&thread, NULL, fork_and_leave, NULL);
    pthread_join(thread, &status);
    printf("child status %ld\n", (long)(intptr_t)status);
    return 0;
}
