// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Trace and span ids. A counter per processor is scrambled by a one-to-one function under a random key: two ids of
 * one run are never equal, and nobody outside can guess the next.
 */
#pragma once

#include "maps.h"

ALWAYS_INLINE u64 scramble(u64 value) {
  value ^= value >> 30;
  value *= 0xbf58476d1ce4e5b9ULL;
  value ^= value >> 27;
  value *= 0x94d049bb133111ebULL;
  return value ^ value >> 31;
}

/* Not zero, which is no id. */
ALWAYS_INLINE u64 next_id(void) {
  u32 zero = 0;
  u64 *counter = bpf_map_lookup_elem(&id_counter, &zero);
  if (!counter)
    return 1;
  u64 number = ++*counter | (u64)bpf_get_smp_processor_id() << 48;
  u64 id = scramble(scramble(number ^ settings.key[0]) ^ settings.key[1]);
  return id ? id : settings.key[0] | 1;
}
