// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* The lives of processes: children are observed like their parents, and what ended is forgotten. */
#pragma once

#include "capture.h"

#define PRCTL_SET_VMA 0x53564d41
#define CONTEXT_NAME "OTEL_CTX"
#define IOCTL_FIONREAD 0x541b
#define NAME_SIZE 16

ALWAYS_INLINE void emit_process(u64 pid_tgid, u8 kind, u32 other) {
  struct event event = {};
  event.time = bpf_ktime_get_ns();
  event.pid = pid_tgid >> 32;
  event.tid = (u32)pid_tgid;
  event.kind = kind;
  event.fd = -1;
  event.result = other;
  emit(&event, sizeof(event));
}

/* What the tracer has found out of a process. */
struct told_place {
  u32 pid;
  u32 padding;
  struct record_place place;
};

/*
 * Run by the tracer: if it put the entry itself, it would replace what programs are counting in it. A ring has its size
 * last, so that nobody sees a half of one.
 */
SEC("syscall")
int tell_place(struct told_place *told) {
  struct process *process = process_of(told->pid);
  if (!process)
    return 0;
  struct record_place *place = &process->place;
  __sync_lock_test_and_set(&place->ring_capacity, 0);
  place->ring_address = told->place.ring_address;
  place->global_numbers = told->place.global_numbers;
  place->pointer_distance = told->place.pointer_distance;
  __sync_lock_test_and_set(&place->ring_capacity, told->place.ring_capacity);
  return 0;
}

/* Run by the tracer when it hands a process the array for its threads. */
SEC("syscall")
int tell_reader(u32 *pid) {
  struct process *process = process_of(*pid);
  if (process)
    __sync_fetch_and_or(&process->flags, PROCESS_IS_TOLD);
  return 0;
}

SEC("tp_btf/sched_process_fork")
int on_fork(u64 *arguments) {
  struct task_struct *parent = (void *)arguments[0];
  struct task_struct *child = (void *)arguments[1];
  u32 parent_pid = BPF_CORE_READ(parent, tgid);
  u32 child_pid = BPF_CORE_READ(child, tgid);
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (parent_pid == child_pid || !active(pid_tgid))
    return 0;
  u8 one = 1;
  if (bpf_map_lookup_elem(&process_targets, &parent_pid))
    bpf_map_update_elem(&process_targets, &child_pid, &one, BPF_ANY);
  struct process *known = bpf_map_lookup_elem(&processes, &parent_pid);
  if (known && known->flags & PROCESS_ASKS_UNREAD) {
    struct process *born = process_of(child_pid);
    if (born)
      born->flags |= PROCESS_ASKS_UNREAD;
  }
  emit_process(pid_tgid, EVENT_FORK, child_pid);
  return 0;
}

SEC("tracepoint/sched/sched_process_exec")
int on_exec(void *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!active(pid_tgid))
    return 0;
  u32 pid = pid_tgid >> 32;
  bpf_map_delete_elem(&processes, &pid);
  struct {
    struct event event;
    char name[NAME_SIZE];
  } record = {};
  record.event.time = bpf_ktime_get_ns();
  record.event.pid = pid;
  record.event.tid = (u32)pid_tgid;
  record.event.kind = EVENT_EXEC;
  record.event.fd = -1;
  record.event.size = NAME_SIZE;
  record.event.captured = NAME_SIZE;
  bpf_get_current_comm(record.name, NAME_SIZE);
  emit(&record, sizeof(record));
  return 0;
}

SEC("tracepoint/sched/sched_process_exit")
int on_exit(void *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct thread_key thread = thread_of(pid_tgid);
  bpf_map_delete_elem(&thread_trace_ctx, &thread);
  bpf_map_delete_elem(&tls_threads, &pid_tgid);
  struct task_struct *task = (void *)bpf_get_current_task();
  if (BPF_CORE_READ(task, signal, live.counter) > 0) {
    if (settings.logs && active(pid_tgid))
      emit_process(pid_tgid, EVENT_NAMED, 0);
    return 0;
  }
  u32 pid = pid_tgid >> 32;
  bool was = observed(pid_tgid);
  bpf_map_delete_elem(&process_targets, &pid);
  bpf_map_delete_elem(&processes, &pid);
  if (was && lease_holds())
    emit_process(pid_tgid, EVENT_EXIT, 0);
  return 0;
}

/* Lines name their threads. A thread that the JVM starts gets its name before it does anything else. */
SEC("tp_btf/task_rename")
int on_rename(u64 *arguments) {
  struct task_struct *task = (void *)arguments[0];
  u64 pid_tgid = bpf_get_current_pid_tgid();
  u32 pid = BPF_CORE_READ(task, tgid);
  if (!settings.logs || pid != pid_tgid >> 32 || !active(pid_tgid))
    return 0;
  struct event event = {};
  event.time = bpf_ktime_get_ns();
  event.pid = pid;
  event.tid = BPF_CORE_READ(task, pid);
  event.kind = EVENT_NAMED;
  event.fd = -1;
  bpf_probe_read_kernel_str(event.local, sizeof(event.local), (void *)arguments[1]);
  emit(&event, sizeof(event));
  return 0;
}

/* Other mappings are named as well, by Go's runtime all the time. What cannot be read may be the name. */
ALWAYS_INLINE bool is_context_name(u64 address) {
  char name[sizeof(CONTEXT_NAME)];
  if (bpf_probe_read_user(name, sizeof(name), (void *)address))
    return true;
  for (u32 i = 0; i < sizeof(name); i++)
    if (name[i] != CONTEXT_NAME[i])
      return false;
  return true;
}

/*
 * A process record is published, and changed, with a prctl that names its mapping. The name is looked at behind the
 * call, for the kernel has read it then, and its page is there.
 */
SEC("tracepoint/syscalls/sys_exit_prctl")
int exit_prctl(struct call_exit *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct call *call = end_call();
  if (!call || !is_context_name(call->buffer))
    return 0;
  emit_process(pid_tgid, EVENT_CONTEXT, 0);
  return 0;
}

SEC("tracepoint/syscalls/sys_enter_prctl")
int enter_prctl(struct call_enter *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (context->args[0] != PRCTL_SET_VMA || !active(pid_tgid))
    return 0;
  struct call call = {.buffer = context->args[4]};
  begin_call(&call);
  return 0;
}

SEC("tracepoint/syscalls/sys_enter_io_uring_setup")
int enter_io_uring_setup(struct call_enter *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!active(pid_tgid))
    return 0;
  struct process *process = process_of(pid_tgid >> 32);
  if (!process || process->flags & PROCESS_IO_URING)
    return 0;
  __sync_fetch_and_or(&process->flags, PROCESS_IO_URING);
  count(IO_URING_SEEN);
  emit_process(pid_tgid, EVENT_IO_URING, 0);
  return 0;
}

/*
 * On many kernels a socket in a sockhash says that nothing is unread. The tracer takes it out, which mends that; the
 * first answer may be wrong, and from then on no socket of that process, or of what it starts, is enrolled.
 */
SEC("tracepoint/syscalls/sys_enter_ioctl")
int enter_ioctl(struct call_enter *context) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct endpoint end = {};
  if (context->args[1] != IOCTL_FIONREAD || !active(pid_tgid) || !endpoint_of(context->args[0], &end))
    return 0;
  struct connection *connection = connection_of(end.connection);
  if (!connection || connection->way != WAY_OUTBOUND || end.connection & BY_INODE)
    return 0;
  u32 zero = 0;
  u64 *faults = bpf_map_lookup_elem(&kernel_faults, &zero);
  if (!faults || !(*faults & FAULT_UNREAD_IS_ZERO))
    return 0;
  struct process *process = process_of(pid_tgid >> 32);
  if (process)
    __sync_fetch_and_or(&process->flags, PROCESS_ASKS_UNREAD);
  count(FIONREAD_SEEN);
  struct call call = {.fd = context->args[0], .connection = end.connection, .sock = (u64)end.sock, .time = bpf_ktime_get_ns()};
  struct event event;
  describe(&event, connection, &call, EVENT_UNREAD);
  emit(&event, sizeof(event));
  return 0;
}
