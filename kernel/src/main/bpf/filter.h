// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* Whom the programs observe: what lives below a named cgroup, and named processes with their children. */
#pragma once

#include "maps.h"

/* Answers 0 for a thread that is not observed. */
ALWAYS_INLINE bool observed(u64 pid_tgid) {
  u32 pid = pid_tgid >> 32;
  if (pid == settings.tracer)
    return false;
  if (settings.processes && bpf_map_lookup_elem(&process_targets, &pid))
    return true;
  for (u32 i = 0; i < CGROUP_TARGETS; i++) {
    u32 key = i;
    struct cgroup_target *target = bpf_map_lookup_elem(&cgroup_targets, &key);
    if (!target || !target->id)
      return false;
    if (bpf_get_current_ancestor_cgroup_id(target->level) == target->id)
      return true;
  }
  return false;
}

ALWAYS_INLINE bool active(u64 pid_tgid) {
  return lease_holds() && observed(pid_tgid);
}

ALWAYS_INLINE struct process *process_of(u32 pid) {
  struct process *known = bpf_map_lookup_elem(&processes, &pid);
  if (known)
    return known;
  struct process fresh = {};
  bpf_map_update_elem(&processes, &pid, &fresh, BPF_NOEXIST);
  return bpf_map_lookup_elem(&processes, &pid);
}
