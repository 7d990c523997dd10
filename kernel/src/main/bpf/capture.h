// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* What a process reads and writes: copied once into a scratch memory, looked at there, and handed on from there. */
#pragma once

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

#define MOST_LINE 250

const struct carried NOTHING_CARRIED = {};

/* Keeps a line of the head that was just read, for what the thread will send. */
__noinline int carry(struct scratch *scratch, struct connection *connection, u64 number, u32 line, u32 end) {
  if (!scratch || !connection)
    return 0;
  struct carried *carried = bpf_map_lookup_elem(&carried_headers, &number);
  if (!carried) {
    bpf_map_update_elem(&carried_headers, &number, &NOTHING_CARRIED, BPF_ANY);
    carried = bpf_map_lookup_elem(&carried_headers, &number);
  }
  u32 size = end - line;
  u32 at = carried ? carried->size : MOST_CARRIED;
  forget(size);
  forget(at);
  forget(line);
  if (!carried || size > MOST_LINE || at > MOST_LINE || line >= LEAD + SCAN_LIMIT)
    return 0;
  if (at) {
    carried->bytes[at] = '\r';
    carried->bytes[at + 1] = '\n';
    at += 2;
  }
  bpf_probe_read_kernel(carried->bytes + at, size, (u8 *)scratch + line);
  carried->size = at + size;
  connection->carries = 1;
  return 0;
}

/*
 * Bytes of a stream of requests. Answers true when a head ends in them: then the connection's context is that of the
 * request.
 */
__noinline int requests_in(struct scratch *scratch, struct connection *connection, struct call *call, u32 copied) {
  if (!scratch || !connection || !call)
    return 0;
  u64 size = call->size;
  if (connection->phase == PHASE_BODY) {
    if (size <= connection->body_left) {
      connection->body_left -= size;
      if (!connection->body_left)
        connection->phase = PHASE_START;
      return 0;
    }
    /* The rest of the body, and then another request in the same bytes: user space sees it. */
    connection->phase = PHASE_START;
    connection->body_left = 0;
    return 0;
  }
  /* Where a body's length is not known, the next request comes after the response. */
  if (connection->phase == PHASE_CHUNK_DATA && !connection->open)
    connection->phase = PHASE_START;
  if (connection->phase == PHASE_START) {
    int beginning = beginning_of(scratch, LEAD, LEAD + copied);
    if (beginning == BEGINS_OTHERWISE || beginning == BEGINS_HTTP2) {
      if (connection->way == WAY_UNKNOWN || beginning == BEGINS_HTTP2)
        connection->phase = PHASE_OPAQUE;
      struct process *process = process_of(bpf_get_current_pid_tgid() >> 32);
      if (process && connection->way != WAY_OUTBOUND)
        __sync_fetch_and_or(&process->flags, PROCESS_HAS_OTHER_WORK);
      return 0;
    }
    reset_head(&connection->head);
    connection->phase = PHASE_HEADERS;
    if (connection->carries)
      bpf_map_delete_elem(&carried_headers, &call->connection);
    connection->carries = 0;
  }
  if (connection->phase != PHASE_HEADERS)
    return 0;
  struct scan scan = {};
  scan_head(scratch, &connection->head, &scan, copied);
  if (scan.tracestate && connection->head.tracestates == 1)
    carry(scratch, connection, call->connection, scan.tracestate, scan.tracestate_end);
  if (settings.baggage && scan.baggage && connection->head.baggages == 1)
    carry(scratch, connection, call->connection, scan.baggage, scan.baggage_end);
  if (!scan.complete) {
    if (scan.broken || connection->head.scanned >= settings.scan || copied < size)
      connection->phase = PHASE_OPAQUE;
    return 0;
  }
  if (connection->way == WAY_UNKNOWN)
    connection->way = WAY_INBOUND;
  begin_exchange(connection, call);
  u64 behind = size - (scan.head_end - LEAD);
  struct head *head = &connection->head;
  connection->phase = PHASE_START;
  if (head->chunked)
    connection->phase = PHASE_CHUNK_DATA;
  else if (head->lengths && head->content_length > behind) {
    connection->phase = PHASE_BODY;
    connection->body_left = head->content_length - behind;
  }
  return 1;
}

#define STATUS_SIZE 12 /* HTTP/1.1 200 */

ALWAYS_INLINE bool may_be_status(struct scratch *scratch, u32 from, u32 size) {
  u64 mask = (1ULL << 8 * (size < 7 ? size : 7)) - 1;
  return !((word_at(scratch, from) ^ WORD('H', 'T', 'T', 'P', '/', '1', '.', 0)) & mask);
}

/* The status of the response that begins in these bytes, or in what was kept of those before them; 0 for none. */
ALWAYS_INLINE u16 status_in(struct scratch *scratch, struct head *head, u32 copied) {
  u32 kept = put_kept(scratch, head);
  head->kept = 0;
  if (kept && !may_be_status(scratch, LEAD - kept, kept + copied))
    kept = 0;
  u32 from = LEAD - kept;
  u32 size = kept + copied;
  if (!may_be_status(scratch, from, size))
    return 0;
  if (size < STATUS_SIZE) {
    forget(from);
    if (from <= LEAD)
      __builtin_memcpy(head->line, (u8 *)scratch + from, STATUS_SIZE);
    head->kept = size;
    return 0;
  }
  u64 digits = word_at(scratch, from + 8);
  return ((digits >> 8 & 0xff) - '0') * 100 + ((digits >> 16 & 0xff) - '0') * 10 + ((digits >> 24 & 0xff) - '0');
}

/*
 * A response that this process reads: all that the sending side must know is whether it is final. A reader's memory may
 * end anywhere in it.
 */
ALWAYS_INLINE void response_in(struct scratch *scratch, struct connection *connection, u32 copied) {
  u16 status = status_in(scratch, &connection->head, copied);
  if (status == 101)
    connection->switched = 1;
  if (status < 200)
    return;
  connection->status = status;
  connection->responses++;
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

/* Whether the bytes that go out end a chunked body. */
ALWAYS_INLINE bool ends_chunks(struct scratch *scratch, struct call *call, u32 copied, u64 size) {
  u8 last[5] = {};
  if (copied == size && size >= 5) {
    u32 at = size - 5;
    forget(at);
    if (at < SCAN_LIMIT)
      __builtin_memcpy(last, scratch->bytes + at, 5);
  } else if (!call->vectors && size >= 5) {
    bpf_probe_read_user(last, sizeof(last), (void *)(call->buffer + size - 5));
  }
  return last[0] == '0' && last[1] == '\r' && last[2] == '\n' && last[3] == '\r' && last[4] == '\n';
}

/* Bytes of a response, from the side that answers: when it is complete, the thread is no longer busy with it. */
__noinline int response_out(struct scratch *scratch, struct connection *connection, struct call *call, u32 copied) {
  if (!scratch || !connection || !call || !connection->open)
    return 0;
  u64 size = call->size;
  note_answer(connection);
  if (connection->answered) {
    if (connection->response_chunked) {
      if (ends_chunks(scratch, call, copied, size))
        end_exchange(connection);
    } else if (connection->response_left) {
      if (size >= connection->response_left)
        end_exchange(connection);
      else
        connection->response_left -= size;
    }
    return 0;
  }
  if (copied < 12 || (word_at(scratch, LEAD) & 0xffffffffffffffULL) != WORD('H', 'T', 'T', 'P', '/', '1', '.', 0))
    return 0;
  u16 status = (scratch->bytes[9] - '0') * 100 + (scratch->bytes[10] - '0') * 10 + (scratch->bytes[11] - '0');
  if (status < 200 && status != 101)
    return 0;
  connection->answered = 1;
  if (status == 101) {
    connection->phase = PHASE_OPAQUE;
    end_exchange(connection);
    return 0;
  }
  reset_head(&connection->head);
  struct scan scan = {.response = 1};
  scan_head(scratch, &connection->head, &scan, copied);
  if (!scan.complete)
    return 0;
  u64 behind = size - (scan.head_end - LEAD);
  struct head *head = &connection->head;
  if (connection->bodyless || status == 204 || status == 304)
    end_exchange(connection);
  else if (head->chunked) {
    connection->response_chunked = 1;
    if (ends_chunks(scratch, call, copied, size))
      end_exchange(connection);
  } else if (head->lengths) {
    if (behind >= head->content_length)
      end_exchange(connection);
    else
      connection->response_left = head->content_length - behind;
  }
  return 0;
}

/* Whose the bytes are that a process writes: of a request the parent, of a response what its thread says of itself. */
__noinline int tell_parent(struct event *event, struct connection *connection) {
  struct parent parent = {};
  if (!event || !connection)
    return 0;
  if (connection->way == WAY_INBOUND) {
    if (!record_of_thread(bpf_get_current_pid_tgid() >> 32, &parent))
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

__noinline int on_sending(struct call *call) {
  u32 zero = 0;
  struct scratch *scratch = bpf_map_lookup_elem(&call_scratch, &zero);
  if (!scratch || !call || (!call->sock && !place(call)))
    return 0;
  struct connection *connection = know(call->connection, WAY_UNKNOWN, call->time);
  if (!connection)
    return 0;
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
  if (!call)
    return 0;
  struct connection *connection = connection_of(call->connection);
  if (!connection)
    return 0;
  u64 sent = result > 0 ? result : 0;
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
