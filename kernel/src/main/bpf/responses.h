// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Responses: of one that is read, whether it is final; of one that is written, where it ends, for then its thread is no
 * longer busy with the request.
 */
#pragma once

#include "contexts.h"

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
