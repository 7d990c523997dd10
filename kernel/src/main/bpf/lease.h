// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* The lease under which the programs act, and what was seen in another one. */
#pragma once

#include "kernel_types.h"

/*
 * The times of CLOCK_MONOTONIC between which the programs act. The tracer puts off the second every second; when it is
 * gone, the programs fall silent though the kernel may free them late.
 */
struct lease {
  u64 until;
  u64 since; /* without a gap */
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct lease);
} tracing_enabled SEC(".maps");

/* The tick of the kernel's clock in which it was last seen to hold. */
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, u64);
} lease_held SEC(".maps");

/* The clock is read once in a tick of the kernel, a few milliseconds: this is asked at every call. */
ALWAYS_INLINE bool lease_holds(void) {
  u32 zero = 0;
  u64 tick = bpf_jiffies64();
  u64 *held = bpf_map_lookup_elem(&lease_held, &zero);
  struct lease *lease = bpf_map_lookup_elem(&tracing_enabled, &zero);
  if (!held || !lease)
    return false;
  if (*held == tick)
    return true;
  if (bpf_ktime_get_ns() >= lease->until)
    return false;
  *held = tick;
  return true;
}

ALWAYS_INLINE u64 lease_since(void) {
  u32 zero = 0;
  struct lease *lease = bpf_map_lookup_elem(&tracing_enabled, &zero);
  return lease ? lease->since : ~0ULL;
}

/* What was seen before a gap in the lease may have ended in it, unseen. */
ALWAYS_INLINE bool before_gap(u64 time) { return time < lease_since(); }
