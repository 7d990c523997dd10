// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* The system calls, each by its two tracepoints: arguments are kept from the first to the second. */
#pragma once

#include "lines.h"
#include "telling.h"

#define CLOSE_RANGE_CLOEXEC 4
#define MOST_CLOSED 4096
#define MOST_MESSAGES 16
#define MESSAGE_SIZE 64 /* of struct mmsghdr */

#define ENTER(call_name) SEC("tracepoint/syscalls/sys_enter_" #call_name) int enter_##call_name(struct call_enter *context)
#define EXIT(call_name) SEC("tracepoint/syscalls/sys_exit_" #call_name) int exit_##call_name(struct call_exit *context)

__noinline int enter_receive(struct call *call) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!call || !active(pid_tgid) || !place(call))
    return 0;
  begin_call(call);
  return 0;
}

__noinline int exit_receive(s64 result) {
  struct call *call = end_call();
  if (call && result > 0)
    on_received(call, result);
  return 0;
}

struct sizing {
  u64 vectors;
  u64 size;
  u32 count;
};

static long add_vector(u32 index, struct sizing *sizing) {
  struct user_vector vector;
  if (index >= sizing->count ||
      bpf_probe_read_user(&vector, sizeof(vector), (void *)(sizing->vectors + index * sizeof(vector))))
    return 1;
  sizing->size += vector.size;
  return 0;
}

ALWAYS_INLINE void size_of_vectors(struct call *call) {
  struct sizing sizing = {.vectors = call->buffer, .count = call->vectors};
  bpf_loop(MOST_VECTORS, add_vector, &sizing, 0);
  call->size = sizing.size;
}

__noinline int enter_send(struct call *call) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!call || !active(pid_tgid))
    return 0;
  call->time = bpf_ktime_get_ns();
  if (call->vectors)
    size_of_vectors(call);
  u32 pid = pid_tgid >> 32;
  place(call);
  if (settings.logs && may_be_log(call) && (is_local_output(call) || is_known_log(pid, call->fd))) {
    call->is_line = 1;
    begin_call(call);
  } else if (on_sending(call)) {
    begin_call(call);
  } else if (settings.logs && (call->fd == 1 || call->fd == 2)) {
    know_log(pid, call->fd);
    call->is_line = 1;
    begin_call(call);
  }
  return 0;
}

__noinline int exit_send(s64 result) {
  struct call *call = end_call();
  if (call && call->is_line)
    on_line(call, result);
  else if (call)
    on_sent(call, result);
  return 0;
}

ALWAYS_INLINE bool call_of_message(struct call *call, u64 address) {
  struct user_message message;
  if (bpf_probe_read_user(&message, sizeof(message), (void *)address))
    return false;
  call->buffer = message.vectors;
  call->vectors = message.vector_count;
  return true;
}

#define RECEIVES(name)                                                                                                 \
  ENTER(name) {                                                                                                        \
    struct call call = {.fd = context->args[0], .buffer = context->args[1], .size = context->args[2]};                 \
    return enter_receive(&call);                                                                                       \
  }                                                                                                                    \
  EXIT(name) { return exit_receive(context->result); }

#define SENDS(name)                                                                                                    \
  ENTER(name) {                                                                                                        \
    struct call call = {.fd = context->args[0], .buffer = context->args[1], .size = context->args[2]};                 \
    return enter_send(&call);                                                                                          \
  }                                                                                                                    \
  EXIT(name) { return exit_send(context->result); }

RECEIVES(read)

ENTER(write) {
  if ((u32)context->args[0] == TOLD_DESCRIPTOR)
    return on_told(context->args[1], context->args[2]);
  struct call call = {.fd = context->args[0], .buffer = context->args[1], .size = context->args[2]};
  return enter_send(&call);
}
EXIT(write) { return exit_send(context->result); }

SENDS(pwrite64)
SENDS(sendto)

ENTER(recvfrom) {
  if (context->args[3] & MESSAGE_PEEK)
    return 0;
  struct call call = {.fd = context->args[0], .buffer = context->args[1], .size = context->args[2]};
  return enter_receive(&call);
}
EXIT(recvfrom) { return exit_receive(context->result); }

ENTER(readv) {
  struct call call = {.fd = context->args[0], .buffer = context->args[1], .vectors = context->args[2]};
  return enter_receive(&call);
}
EXIT(readv) { return exit_receive(context->result); }

ENTER(writev) {
  struct call call = {.fd = context->args[0], .buffer = context->args[1], .vectors = context->args[2]};
  return enter_send(&call);
}
EXIT(writev) { return exit_send(context->result); }

ENTER(recvmsg) {
  struct call call = {.fd = context->args[0]};
  if ((context->args[2] & MESSAGE_PEEK) || !call_of_message(&call, context->args[1]))
    return 0;
  return enter_receive(&call);
}
EXIT(recvmsg) { return exit_receive(context->result); }

ENTER(sendmsg) {
  struct call call = {.fd = context->args[0]};
  if (!call_of_message(&call, context->args[1]))
    return 0;
  return enter_send(&call);
}
EXIT(sendmsg) { return exit_send(context->result); }

/* What sendfile moves was never in the process's memory: only its size is known, and only afterwards. */
ENTER(sendfile64) {
  struct call call = {.fd = context->args[0]};
  return enter_send(&call);
}
EXIT(sendfile64) { return exit_send(context->result); }

ALWAYS_INLINE int opened(s32 fd, u8 way, u8 kind, s64 result, u64 time) {
  struct endpoint end = {};
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!endpoint_of(fd, &end))
    return 0;
  forget_record(pid_tgid);
  struct connection *connection = know(end.connection, way, time);
  if (!connection)
    return 0;
  connection->way = way;
  if (way == WAY_OUTBOUND) {
    struct thread_key thread = thread_of(pid_tgid);
    struct trace_context *context = bpf_map_lookup_elem(&thread_trace_ctx, &thread);
    connection->connector = thread;
    if (context && context->open)
      __builtin_memcpy(&connection->connect_span, context->span_id, 8);
  }
  struct call call = {.fd = fd, .connection = end.connection, .sock = (u64)end.sock, .time = time};
  struct event event;
  describe(&event, connection, &call, kind);
  event.result = result;
  emit(&event, sizeof(event));
  return 0;
}

static __noinline int accepted(s64 result) {
  u64 now = bpf_ktime_get_ns();
  if (result < 0 || !active(bpf_get_current_pid_tgid()))
    return 0;
  return opened(result, WAY_INBOUND, EVENT_ACCEPT, 0, now);
}

EXIT(accept) { return accepted(context->result); }
EXIT(accept4) { return accepted(context->result); }

/* Noted at the begin, for the first bytes may leave before a connect that does not block is over. */
ENTER(connect) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!active(pid_tgid))
    return 0;
  struct call call = {.fd = context->args[0], .time = bpf_ktime_get_ns()};
  begin_call(&call);
  return 0;
}

EXIT(connect) {
  struct call *begun = end_call();
  return begun ? opened(begun->fd, WAY_OUTBOUND, EVENT_CONNECT, context->result, begun->time) : 0;
}

static __noinline int closing(s32 fd, u8 kind) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct endpoint end = {};
  if (!active(pid_tgid))
    return 0;
  if (!endpoint_of(fd, &end)) {
    struct log_key key = {.pid = pid_tgid >> 32, .fd = fd};
    if (kind == EVENT_CLOSE)
      bpf_map_delete_elem(&log_fd_map, &key);
    return 0;
  }
  struct connection *connection = connection_of(end.connection);
  if (!connection)
    return 0;
  end_exchange(connection);
  struct call call = {.fd = fd, .connection = end.connection, .sock = (u64)end.sock, .time = bpf_ktime_get_ns()};
  struct event event;
  describe(&event, connection, &call, kind);
  emit(&event, sizeof(event));
  if (kind == EVENT_CLOSE)
    bpf_map_delete_elem(&conn_map, &end.connection);
  return 0;
}

ENTER(close) { return closing(context->args[0], EVENT_CLOSE); }
ENTER(shutdown) { return closing(context->args[0], EVENT_SHUTDOWN); }

struct closing_range {
  u32 at;
  u32 last;
};

static long close_next(u32 index, struct closing_range *range) {
  u32 fd = range->at + index;
  if (fd > range->last)
    return 1;
  closing(fd, EVENT_CLOSE);
  return 0;
}

/* With the third flag nothing is closed before the next exec. */
ENTER(close_range) {
  struct closing_range range = {.at = context->args[0], .last = context->args[1]};
  if (context->args[2] & CLOSE_RANGE_CLOEXEC || !active(bpf_get_current_pid_tgid()))
    return 0;
  bpf_loop(MOST_CLOSED, close_next, &range, 0);
  return 0;
}

/* Several messages by one call, mostly datagrams; of many only the first are seen. */
struct messages {
  u64 address;
  u32 count;
  s32 fd;
};

static long send_next(u32 index, struct messages *messages) {
  if (index >= messages->count)
    return 1;
  struct call call = {.fd = messages->fd, .time = bpf_ktime_get_ns()};
  if (!call_of_message(&call, messages->address + index * MESSAGE_SIZE))
    return 1;
  size_of_vectors(&call);
  place(&call);
  on_sending(&call);
  return 0;
}

static long receive_next(u32 index, struct messages *messages) {
  u32 size = 0;
  struct call call = {.fd = messages->fd};
  u64 address = messages->address + index * MESSAGE_SIZE;
  if (index >= messages->count || !call_of_message(&call, address) ||
      bpf_probe_read_user(&size, sizeof(size), (void *)(address + sizeof(struct user_message))))
    return 1;
  if (size)
    on_received(&call, size);
  return 0;
}

ENTER(sendmmsg) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct messages messages = {.fd = context->args[0], .address = context->args[1], .count = context->args[2]};
  if (!active(pid_tgid))
    return 0;
  bpf_loop(MOST_MESSAGES, send_next, &messages, 0);
  return 0;
}

ENTER(recvmmsg) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct call call = {.fd = context->args[0], .buffer = context->args[1]};
  if ((context->args[3] & MESSAGE_PEEK) || !active(pid_tgid))
    return 0;
  begin_call(&call);
  return 0;
}

EXIT(recvmmsg) {
  struct call *begun = end_call();
  if (!begun)
    return 0;
  struct messages messages = {.fd = begun->fd, .address = begun->buffer, .count = context->result};
  if (context->result > 0)
    bpf_loop(MOST_MESSAGES, receive_next, &messages, 0);
  return 0;
}
