// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Which descriptors are logs: standard output and error always, and files that are called *.log or lie below /var/log or
 * are called as the user says, from the call that opens them on. A duplicate is one, too. The tracer adds those that were
 * open before.
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

struct comparing {
  struct path_scratch *scratch;
  struct log_pattern *pattern;
  u32 size;
  u32 different;
};

static long compare_at(u32 index, struct comparing *comparing) {
  struct path_scratch *scratch = comparing->scratch;
  struct log_pattern *pattern = comparing->pattern;
  u32 at = index & (PATTERN_PART - 1);
  if (at < pattern->prefix_size && scratch->path[at] != pattern->prefix[at])
    comparing->different = 1;
  u32 behind = (comparing->size - pattern->suffix_size + at) & (PATH_SIZE - 1);
  if (at < pattern->suffix_size && scratch->path[behind] != pattern->suffix[at])
    comparing->different = 1;
  return comparing->different != 0;
}

/* Answers whether the path in the scratch memory is called as a pattern says. */
static long is_called(u32 number, struct comparing *comparing) {
  comparing->pattern = bpf_map_lookup_elem(&log_patterns, &number);
  if (!comparing->pattern || !(comparing->pattern->prefix_size | comparing->pattern->suffix_size))
    return 1;
  u32 least = comparing->pattern->prefix_size + comparing->pattern->suffix_size;
  comparing->different = comparing->pattern->whole ? least != comparing->size : least > comparing->size;
  if (!comparing->different)
    bpf_loop(PATTERN_PART, compare_at, comparing, 0);
  return comparing->different == 0;
}

static __noinline int is_log_path(u64 address) {
  u32 zero = 0;
  struct path_scratch *scratch = bpf_map_lookup_elem(&paths, &zero);
  if (!scratch)
    return 0;
  s64 size = bpf_probe_read_user_str(scratch->path, PATH_SIZE, (void *)address);
  if (size < 2 || size > PATH_SIZE)
    return 0;
  if (*(u64 *)scratch->path == WORD('/', 'v', 'a', 'r', '/', 'l', 'o', 'g') && scratch->path[8] == '/')
    return 1;
  u32 suffix = size - 5;
  forget(suffix);
  if (size > 5 && suffix < PATH_SIZE &&
      (*(u64 *)(scratch->path + suffix) & 0xffffffff) == ('.' | 'l' << 8 | 'o' << 16 | 'g' << 24))
    return 1;
  struct comparing comparing = {.scratch = scratch, .size = size - 1, .different = 1};
  bpf_loop(LOG_PATTERNS, is_called, &comparing, 0);
  return !comparing.different;
}

static __noinline int opening(u64 path) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!settings.logs || !active(pid_tgid) || !is_log_path(path))
    return 0;
  struct call call = {};
  begin_call(&call);
  return 0;
}

/* What was begun was the opening, or the duplication, of a log. */
static __noinline int log_opened(s64 fd) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!end_call() || fd < 0)
    return 0;
  know_log(pid_tgid >> 32, fd);
  return 0;
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

/* What the new number was before is closed. */
static __noinline int replacing(s32 fd, s32 number) {
  struct log_key key = {.pid = bpf_get_current_pid_tgid() >> 32, .fd = number};
  if (settings.logs && fd != number)
    bpf_map_delete_elem(&log_fd_map, &key);
  return duplicating(fd);
}

ENTER(open) { return opening(context->args[0]); }
EXIT(open) { return log_opened(context->result); }
ENTER(openat) { return opening(context->args[1]); }
EXIT(openat) { return log_opened(context->result); }
ENTER(openat2) { return opening(context->args[1]); }
EXIT(openat2) { return log_opened(context->result); }
ENTER(dup) { return duplicating(context->args[0]); }
EXIT(dup) { return log_opened(context->result); }
ENTER(dup2) { return replacing(context->args[0], context->args[1]); }
EXIT(dup2) { return log_opened(context->result); }
ENTER(dup3) { return replacing(context->args[0], context->args[1]); }
EXIT(dup3) { return log_opened(context->result); }

ENTER(fcntl) {
  if (context->args[1] != DUPLICATE && context->args[1] != DUPLICATE_CLOEXEC)
    return 0;
  return duplicating(context->args[0]);
}
EXIT(fcntl) { return log_opened(context->result); }
