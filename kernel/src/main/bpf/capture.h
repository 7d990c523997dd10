// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* What a process reads and writes: copied once into a scratch memory, looked at there, and handed on from there. */
#pragma once

#include "requests.h"
#include "responses.h"
#include "tls_sessions.h"

#define MOST_VECTORS 1024 /* the most that a call takes */

/* What changes has 32 bits: of those the verifier forgets what they were, and so sees that the loop is one. */
struct gathering {
  struct scratch *scratch;
  u64 vectors;
  u32 count;
  u32 most;
  u32 at;
  u32 padding;
};

static long gather_vector(u32 index, struct gathering *gathering) {
  struct user_vector vector;
  u32 at = gathering->at;
  if (index >= gathering->count || at >= gathering->most || at >= SCAN_LIMIT - LEAD)
    return 1;
  if (bpf_probe_read_user(&vector, sizeof(vector), (void *)(gathering->vectors + index * sizeof(vector))))
    return 1;
  u64 size = vector.size < gathering->most - at ? vector.size : gathering->most - at;
  if (size > SCAN_LIMIT - LEAD - at)
    size = SCAN_LIMIT - LEAD - at;
  forget(at);
  forget(size);
  if (at < SCAN_LIMIT - LEAD && size <= SCAN_LIMIT - LEAD)
    if (bpf_probe_read_user(gathering->scratch->bytes + at, size, (void *)vector.base))
      return 1;
  gathering->at = at + size;
  return 0;
}

/* Copies up to `most` bytes of a call to the fixed place. Answers how many. */
__noinline u32 gather(struct scratch *scratch, struct call *call, u64 most) {
  if (!scratch || !call)
    return 0;
  if (!call->vectors) {
    u64 size = most > SCAN_LIMIT ? SCAN_LIMIT : most;
    forget(size);
    if (size > SCAN_LIMIT || bpf_probe_read_user(scratch->bytes, size, (void *)call->buffer))
      return 0;
    return size;
  }
  struct gathering gathering = {.scratch = scratch, .vectors = call->buffer, .most = most > SCAN_LIMIT ? SCAN_LIMIT : most, .count = call->vectors};
  bpf_loop(MOST_VECTORS, gather_vector, &gathering, 0);
  return gathering.at;
}

/* Finds the socket of a call. */
ALWAYS_INLINE bool place(struct call *call) {
  struct endpoint end = {};
  if (!endpoint_of(call->fd, &end))
    return false;
  call->sock = (u64)end.sock;
  call->connection = end.connection;
  call->remote = end.family != ADDRESS_UNIX;
  call->shared = end.nonblocking;
  return true;
}

ALWAYS_INLINE void describe(struct event *event, struct connection *connection, struct call *call, u8 kind) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  __builtin_memset(event, 0, sizeof(*event));
  event->time = call->time;
  event->pid = pid_tgid >> 32;
  event->tid = (u32)pid_tgid;
  event->kind = kind;
  event->fd = call->fd;
  event->connection = call->connection;
  if (!connection)
    return;
  event->way = connection->way;
  event->since = connection->since;
  put_ends(event, connection, (void *)call->sock);
}

/* The event in the lead of a scratch memory, with `captured` bytes behind it. */
ALWAYS_INLINE void emit_captured(struct scratch *scratch, u32 captured, u64 size) {
  struct event *event = (void *)scratch->lead;
  u64 limit = settings.capture;
  if (captured > limit)
    captured = limit;
  if (captured < size)
    event->flags |= EVENT_TRUNCATED;
  event->captured = captured;
  event->size = size;
  u64 whole = sizeof(*event) + captured;
  forget(whole);
  if (whole >= sizeof(*event) && whole <= sizeof(*event) + SCAN_LIMIT)
    emit(scratch, whole);
}

const struct connection NO_CONNECTION = {};

/* An entry for a connection that was never seen before, or that was forgotten. */
ALWAYS_INLINE struct connection *know(u64 number, u8 way, u64 now) {
  struct connection *known = connection_of(number);
  if (known)
    return known;
  bpf_map_update_elem(&conn_map, &number, &NO_CONNECTION, BPF_NOEXIST);
  known = connection_of(number);
  if (known) {
    known->way = way;
    known->since = now;
  }
  return known;
}

/* Copies what is looked at of the bytes of a call, and what is handed on. */
ALWAYS_INLINE u32 gather_for(struct scratch *scratch, struct call *call, bool heads) {
  u64 most = heads ? settings.scan : settings.capture;
  if (most < MARK_END)
    most = MARK_END;
  return gather(scratch, call, call->size < most ? call->size : most);
}

ALWAYS_INLINE u32 gather_in(struct scratch *scratch, struct connection *connection, struct call *call) {
  return gather_for(scratch, call,
                    connection->way != WAY_OUTBOUND &&
                        (connection->phase == PHASE_START || connection->phase == PHASE_HEADERS || connection->phase == PHASE_CHUNK_DATA));
}

ALWAYS_INLINE u32 gather_out(struct scratch *scratch, struct connection *connection, struct call *call) {
  return gather_for(scratch, call, connection->open && !connection->answered);
}

/* Bytes that a process has read: those of the socket, or what they were decrypted to. */
ALWAYS_INLINE void take_in(struct scratch *scratch, struct connection *connection, struct call *call, u32 copied, u8 kind) {
  int began = 0;
  if (connection->way == WAY_OUTBOUND)
    response_in(scratch, connection, copied);
  else
    began = requests_in(scratch, connection, call, copied);
  struct event *event = (void *)scratch->lead;
  describe(event, connection, call, kind);
  if (began) {
    event->flags |= EVENT_HAS_CONTEXT;
    if (connection->head.traceparent_valid)
      event->flags |= EVENT_HAS_PARENT;
    __builtin_memcpy(event->trace_id, connection->context.trace_id, 16);
    __builtin_memcpy(event->span_id, connection->context.span_id, 8);
    __builtin_memcpy(event->parent_id, connection->context.parent_id, 8);
    event->trace_flags = connection->context.flags;
  }
  emit_captured(scratch, copied, call->size);
}

/* Whose the bytes are that a process writes: of a request the parent, of a response what its thread says of itself. */
__noinline int tell_parent(struct event *event, struct connection *connection) {
  struct parent parent = {};
  if (!event || !connection)
    return 0;
  if (connection->way == WAY_INBOUND) {
    struct process *process = process_of(bpf_get_current_pid_tgid() >> 32);
    if (!process || !record_of_thread(&process->place, &parent))
      return 0;
  } else if (!certain_parent(&parent, connection, connection->calls > 1))
    return 0;
  event->flags |= EVENT_HAS_CONTEXT;
  event->result = parent.source;
  __builtin_memcpy(event->trace_id, parent.trace_id, 16);
  __builtin_memcpy(event->parent_id, parent.span_id, 8);
  event->trace_flags = parent.flags;
  return 0;
}

/* Bytes that a process writes. */
ALWAYS_INLINE void give_out(struct scratch *scratch, struct connection *connection, struct call *call, u32 copied, u8 kind) {
  if (connection->way == WAY_INBOUND)
    response_out(scratch, connection, call, copied);
  struct event *event = (void *)scratch->lead;
  describe(event, connection, call, kind);
  if (!connection->followed)
    tell_parent(event, connection);
  emit_captured(scratch, copied, call->size);
}

/* Of bytes whose plaintext is seen elsewhere, that there were so many is all there is to tell. */
ALWAYS_INLINE void tell_size(struct connection *connection, struct call *call, u8 kind) {
  struct event event;
  describe(&event, connection, call, kind);
  event.size = call->size;
  event.flags = EVENT_TRUNCATED;
  emit(&event, sizeof(event));
}

__noinline int on_received(struct call *call, s64 result) {
  u32 zero = 0;
  struct scratch *scratch = bpf_map_lookup_elem(&call_scratch, &zero);
  if (!scratch || !call || (!call->sock && !place(call)))
    return 0;
  call->time = bpf_ktime_get_ns();
  call->size = result;
  struct connection *connection = know(call->connection, WAY_UNKNOWN, call->time);
  if (!connection)
    return 0;
  u32 copied = connection->ssl ? 0 : gather_in(scratch, connection, call);
  if (copied && record_in(scratch, copied))
    record_received(scratch, copied, call->connection, call->fd);
  if (connection->ssl)
    tell_size(connection, call, EVENT_IN);
  else
    take_in(scratch, connection, call, copied, EVENT_IN);
  return 0;
}

/* Of a call that has been placed; without a socket it is none. */
__noinline int on_sending(struct call *call) {
  u32 zero = 0;
  struct scratch *scratch = bpf_map_lookup_elem(&call_scratch, &zero);
  if (!scratch || !call || !call->sock)
    return 0;
  struct connection *connection = know(call->connection, WAY_UNKNOWN, call->time);
  if (!connection)
    return 0;
  call->inbound = connection->way == WAY_INBOUND;
  __sync_fetch_and_add(&connection->calls, 1);
  u32 copied = connection->ssl ? 0 : gather_out(scratch, connection, call);
  u32 record = copied ? record_in(scratch, copied) : 0;
  if (record)
    record_sent(scratch, copied, call, record);
  if (connection->ssl)
    tell_size(connection, call, EVENT_OUT);
  else
    give_out(scratch, connection, call, copied, EVENT_OUT);
  return 1;
}

__noinline int on_sent(struct call *call, s64 result) {
  u64 sent = result > 0 ? result : 0;
  /* How far the stream has come is asked only where something may be put into it. */
  if (!call || (call->inbound && sent == call->size))
    return 0;
  struct connection *connection = connection_of(call->connection);
  if (!connection)
    return 0;
  __sync_fetch_and_add(&connection->sent, sent);
  __sync_fetch_and_add(&connection->ended, 1);
  if (sent == call->size)
    return 0;
  struct event event = {};
  describe(&event, connection, call, EVENT_SHORT);
  event.time = bpf_ktime_get_ns();
  event.size = sent;
  event.result = result < 0 ? result : 0;
  emit(&event, sizeof(event));
  return 0;
}
