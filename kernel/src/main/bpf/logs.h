// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Which descriptors are logs: standard output and error always, and files that are called *.log or lie below /var/log,
 * from the call that opens them on. A duplicate is one, too. The tracer adds those that were open before.
 */
#pragma once

#include "calls.h"

#define PATH_SIZE 256
#define DUPLICATE 0          /* F_DUPFD */
#define DUPLICATE_CLOEXEC 1030 /* F_DUPFD_CLOEXEC */

struct path_scratch {
  char path[PATH_SIZE + 16];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct path_scratch);
} paths SEC(".maps");

ALWAYS_INLINE bool is_log_path(u64 address) {
  u32 zero = 0;
  struct path_scratch *scratch = bpf_map_lookup_elem(&paths, &zero);
  if (!scratch)
    return false;
  s64 size = bpf_probe_read_user_str(scratch->path, PATH_SIZE, (void *)address);
  if (size < 6 || size > PATH_SIZE)
    return false;
  if (*(u64 *)scratch->path == WORD('/', 'v', 'a', 'r', '/', 'l', 'o', 'g') && scratch->path[8] == '/')
    return true;
  u32 suffix = size - 5;
  forget(suffix);
  if (suffix >= PATH_SIZE)
    return false;
  return (*(u64 *)(scratch->path + suffix) & 0xffffffff) == ('.' | 'l' << 8 | 'o' << 16 | 'g' << 24);
}

ENTER(openat) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!settings.logs || !active(pid_tgid) || !is_log_path(context->args[1]))
    return 0;
  struct call call = {};
  begin_call(&call);
  return 0;
}

static __noinline int logs_to(u32 pid, s64 fd) {
  struct log_key key = {.pid = pid, .fd = fd};
  u8 one = 1;
  if (fd >= 0)
    bpf_map_update_elem(&log_fd_map, &key, &one, BPF_ANY);
  return 0;
}

/* What was begun was the opening, or the duplication, of a log. */
static __noinline int log_opened(s64 fd) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!end_call())
    return 0;
  return logs_to(pid_tgid >> 32, fd);
}

static __noinline int duplicating(s32 fd) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct endpoint end = {};
  if (!active(pid_tgid) || !is_log(pid_tgid >> 32, fd) || endpoint_of(fd, &end))
    return 0;
  struct call call = {};
  begin_call(&call);
  return 0;
}

EXIT(openat) { return log_opened(context->result); }
ENTER(dup) { return duplicating(context->args[0]); }
EXIT(dup) { return log_opened(context->result); }
ENTER(dup2) { return duplicating(context->args[0]); }
EXIT(dup2) { return log_opened(context->result); }
ENTER(dup3) { return duplicating(context->args[0]); }
EXIT(dup3) { return log_opened(context->result); }

ENTER(fcntl) {
  if (context->args[1] != DUPLICATE && context->args[1] != DUPLICATE_CLOEXEC)
    return 0;
  return duplicating(context->args[0]);
}
EXIT(fcntl) { return log_opened(context->result); }
