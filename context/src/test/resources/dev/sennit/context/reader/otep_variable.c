/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* A library that defines the thread-local variable of OTEP 4947, in whatever TLS model it is compiled for. */

/* So that the variable is not the first thing in its block. */
__thread char before[40] __attribute__((aligned(64))) = "initialised";

__thread void *otel_thread_ctx_v1;

#ifdef BOUND_INSIDE
/* Reached by a name that no other module sees, so that relocations do not name it either. */
extern __thread void *inside __attribute__((alias("otel_thread_ctx_v1"), visibility("hidden")));
#else
#define inside otel_thread_ctx_v1
#endif

void **thread_context(void)
{
    return &inside;
}

char *neighbour(void)
{
    return before;
}
