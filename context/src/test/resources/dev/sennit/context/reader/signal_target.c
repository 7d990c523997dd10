/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A thread that is sent signals one at a time, each waited for before the next: SIGUSR1 by tgkill, and a queued
 * real-time signal whose value must arrive with it. A signal that is lost ends the program with status 1.
 *
 * usage: signal_target ROUNDS; prints "pid PID", "thread TID", "ready", and at the end "arrived ROUNDS ROUNDS".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__thread void *otel_thread_ctx_v1;

static struct {
    unsigned char trace_id[16], span_id[8], valid, flags;
    unsigned short size;
} record = {{1}, {2}, 1, 0, 0};

static volatile int usr1, queued, wrong_values;
static volatile pid_t receiver;

static void on_usr1(int signal)
{
    (void)signal;
    __atomic_add_fetch(&usr1, 1, __ATOMIC_SEQ_CST);
}

static void on_queued(int signal, siginfo_t *info, void *unused)
{
    (void)signal;
    (void)unused;
    if (info->si_value.sival_int != queued)
        wrong_values++;
    __atomic_add_fetch(&queued, 1, __ATOMIC_SEQ_CST);
}

static void *receive(void *unused)
{
    (void)unused;
    otel_thread_ctx_v1 = &record;
    receiver = (pid_t)syscall(SYS_gettid);
    for (volatile unsigned i = 0;; i++) /* now computing, now in a system call */
        if (i % 100000 == 0)
            usleep(50);
    return NULL;
}

static void await(volatile int *count, int wanted, const char *name)
{
    time_t start = time(NULL);
    while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < wanted) {
        sched_yield();
        if (time(NULL) > start + 20) {
            printf("lost %s %d\n", name, wanted);
            exit(1);
        }
    }
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1000;
    setvbuf(stdout, NULL, _IOLBF, 0);
    pid_t child = fork();
    if (child > 0) {
        int status;
        while (waitpid(child, &status, 0) < 0)
            ;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    printf("pid %d\n", getpid());

    struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    struct sigaction with_value = {.sa_sigaction = on_queued, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigaction(SIGRTMIN, &with_value, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    while (!receiver)
        sched_yield();
    printf("thread %d\nready\n", receiver);
    if (getchar() == EOF)
        return 0;

    for (int i = 0; i < rounds; i++) {
        syscall(SYS_tgkill, getpid(), receiver, SIGUSR1);
        await(&usr1, i + 1, "SIGUSR1");
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_code = SI_QUEUE;
        info.si_value.sival_int = i;
        syscall(SYS_rt_tgsigqueueinfo, getpid(), receiver, SIGRTMIN, &info);
        await(&queued, i + 1, "SIGRTMIN");
    }
    printf("arrived %d %d\n", usr1, queued - wrong_values);
    return 0;
}
