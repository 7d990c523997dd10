// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * What is written to logs: to standard output and error always, and to descriptors that are known as logs. It is told
 * when the call has ended, for a write may take less than it was given; who wrote it is the same then.
 */
#pragma once

#include "capture.h"

#define MOST_PARTS 4 /* of SCAN_LIMIT bytes */

ALWAYS_INLINE struct log_owner current_owner(void) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct log_owner owner = {.started = task->group_leader->start_time, .programs = task->self_exec_id};
  return owner;
}

/* Of the network's sockets only standard output and error can be logs, and most that is written goes to others. */
ALWAYS_INLINE bool may_be_log(struct call *call) { return !call->remote || call->fd == 1 || call->fd == 2; }

/*
 * Standard output and error may be a socket of the host: under systemd the journal has its other end. One that is
 * standard input as well is a connection for which the program was started.
 */
ALWAYS_INLINE bool is_local_output(struct call *call) {
  struct endpoint input = {};
  return (call->fd == 1 || call->fd == 2) && call->sock && !call->remote &&
         !(endpoint_of(0, &input) && (u64)input.sock == call->sock);
}

ALWAYS_INLINE bool is_known_log(u32 pid, s32 fd) {
  struct log_key key = {.pid = pid, .fd = fd};
  struct log_owner *owner = bpf_map_lookup_elem(&log_fd_map, &key);
  if (!owner)
    return false;
  struct log_owner current = current_owner();
  return owner->by_tracer || (owner->started == current.started && owner->programs == current.programs);
}

ALWAYS_INLINE void know_log(u32 pid, s32 fd) {
  struct log_key key = {.pid = pid, .fd = fd};
  struct log_owner owner = current_owner();
  bpf_map_update_elem(&log_fd_map, &key, &owner, BPF_ANY);
}

ALWAYS_INLINE bool is_log(u32 pid, s32 fd) { return settings.logs && (fd == 1 || fd == 2 || is_known_log(pid, fd)); }

/* Whose a line is: what its thread says of itself, or the request that the thread serves. */
__noinline int tell_writer(struct event *event) {
  struct parent parent = {};
  u64 pid_tgid = bpf_get_current_pid_tgid();
  u32 pid = pid_tgid >> 32;
  if (!event)
    return 0;
  struct process *process = process_of(pid);
  if (!process)
    return 0;
  if (!record_of_thread(&process->place, &parent)) {
    if (keeps_records(&process->place))
      event->flags |= EVENT_IN_NONE;
    struct thread_key thread = thread_of(pid_tgid);
    if (process->flags & PROCESS_ANSWERS_ELSEWHERE || !context_of_thread(process, &thread, &parent, 0, false))
      return 0;
    parent.source = PARENT_THREAD;
  }
  event->flags |= EVENT_HAS_CONTEXT;
  event->result = parent.source;
  __builtin_memcpy(event->trace_id, parent.trace_id, 16);
  __builtin_memcpy(event->span_id, parent.span_id, 8);
  event->trace_flags = parent.flags;
  return 0;
}

struct telling {
  struct scratch *scratch;
  struct call *call;
  u64 rest; /* of what was written */
  u64 most; /* that is still to be told */
};

/* What most lines are: a call with one memory, of which an event holds all. Answers whether it was one. */
ALWAYS_INLINE bool tell_at_once(struct scratch *scratch, struct call *call, u64 size) {
  if (call->vectors || size > settings.line_capture || size > SCAN_LIMIT)
    return false;
  struct event *event = (void *)scratch->lead;
  if (bpf_probe_read_user(scratch->bytes, size, (void *)call->buffer))
    return false;
  event->captured = size;
  event->size = size;
  emit(scratch, sizeof(*event) + size);
  return true;
}

/* One event tells as much as the scratch memory holds; of several, all but the last are whole. */
static long tell_part(u32 index, struct telling *telling) {
  struct scratch *scratch = telling->scratch;
  struct call *call = telling->call;
  if (!scratch || !call || !telling->most)
    return 1;
  u32 copied = gather(scratch, call, telling->most);
  if (!copied)
    return 1;
  bool last = copied >= telling->most || call->vectors;
  struct event *event = (void *)scratch->lead;
  event->captured = copied;
  event->size = last ? telling->rest : copied;
  if (event->size > copied)
    event->flags |= EVENT_TRUNCATED;
  u64 whole = sizeof(*event) + copied;
  forget(whole);
  if (whole >= sizeof(*event) && whole <= sizeof(*event) + SCAN_LIMIT)
    emit(scratch, whole);
  if (last)
    return 1;
  call->buffer += copied;
  telling->rest -= copied;
  telling->most -= copied;
  return 0;
}

__noinline int on_line(struct call *call, s64 result) {
  u32 zero = 0;
  struct scratch *scratch = bpf_map_lookup_elem(&call_scratch, &zero);
  if (!scratch || !call || result <= 0)
    return 0;
  struct event *event = (void *)scratch->lead;
  describe(event, NULL, call, EVENT_LOG);
  bpf_get_current_comm(event->local, sizeof(event->local));
  tell_writer(event);
  if (tell_at_once(scratch, call, result))
    return 0;
  struct telling telling = {.scratch = scratch, .call = call, .rest = result, .most = result};
  if (telling.most > settings.line_capture)
    telling.most = settings.line_capture;
  bpf_loop(MOST_PARTS, tell_part, &telling, 0);
  return 0;
}
