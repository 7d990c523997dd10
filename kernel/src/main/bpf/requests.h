// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* Requests that a process reads: where their heads end, what goes on with what is sent for them, and who serves them. */
#pragma once

#include "contexts.h"

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
  /* Whatever was read in a gap, most reads begin a request. */
  if (connection->phase != PHASE_OPAQUE && before_gap(connection->read))
    connection->phase = PHASE_START;
  connection->read = call->time;
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
