// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * sk_msg: what an enrolled socket is about to send. A stream of HTTP/1 requests is followed byte by byte, so that
 * nothing but the head of a request is ever touched, and a traceparent goes into a head only when all of it was seen
 * and held none.
 */
#pragma once

#include "chunks.h"
#include "http2.h"

#define MOST_STEPS 256

/* What comes after the head of a request. */
ALWAYS_INLINE void after_head(struct sending *sending) {
  struct sender *sender = sending->sender;
  struct head *head = &sender->head;
  sender->requests++;
  sender->switching = head->upgrade || head->connect;
  sender->body_start = sending->scratch->progress.start + sending->scratch->progress.at;
  sender->body_length = 0;
  if (head->chunked > 1 || head->lengths > 1 || (head->chunked && head->lengths)) {
    give_up(sender, SKIPPED_AMBIGUOUS_FRAMING);
  } else if (head->chunked) {
    sender->phase = PHASE_CHUNK_SIZE;
    sender->chunk = 0;
    sender->digits = 0;
  } else {
    sender->body_length = head->content_length;
    sender->phase = PHASE_BODY;
  }
}

/* The head that begins, or goes on, at sending->scratch->progress.at. Answers 1 when nothing more can be learnt from the message. */
static __noinline int follow_head(struct sending *sending) {
  struct sender *sender = sending->sender;
  struct scratch *scratch = sending->scratch;
  u32 at = sending->scratch->progress.at;
  u32 size = sending->scratch->progress.size - at;
  if (size > settings.scan)
    size = settings.scan;
  if (bpf_msg_pull_data(sending->message, at, at + size, 0)) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return 1;
  }
  void *data = (void *)(long)sending->message->data;
  forget(size);
  if (size > SCAN_LIMIT || bpf_probe_read_kernel(scratch->bytes, size, data)) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return 1;
  }
  bool whole = false;
  if (sender->phase == PHASE_START) {
    int beginning = beginning_of(scratch, LEAD, LEAD + size);
    if (beginning == BEGINS_OTHERWISE) {
      give_up(sender, NOT_HTTP);
      return 1;
    }
    if (beginning == BEGINS_HTTP2) {
      if (settings.http2 && begins_http2(scratch, size)) {
        sender->phase = PHASE_FRAME;
        sending->scratch->progress.at = at + PREFACE_SIZE;
        return 0;
      }
      give_up(sender, SKIPPED_HTTP2);
      return 1;
    }
    reset_head(&sender->head);
    sender->phase = PHASE_HEADERS;
    whole = true;
  } else if (sender->head.first && sender->head.kept) {
    /* The method itself may have been cut: it is looked at again with what has come. */
    u32 kept = put_kept(scratch, &sender->head);
    if (kept < 24) {
      int beginning = beginning_of(scratch, LEAD - kept, LEAD + size);
      if (beginning == BEGINS_OTHERWISE || beginning == BEGINS_HTTP2) {
        give_up(sender, beginning == BEGINS_HTTP2 ? SKIPPED_HTTP2 : NOT_HTTP);
        return 1;
      }
    }
  }
  struct scan scan = {};
  scan_head(scratch, &sender->head, &scan, size);
  if (scan.broken) {
    give_up(sender, NOT_HTTP);
    return 1;
  }
  if (!scan.complete) {
    if (sender->head.scanned >= settings.scan || at + size < sending->scratch->progress.size)
      give_up(sender, SKIPPED_HEADERS_TOO_LONG);
    else
      sending->scratch->progress.at = sending->scratch->progress.size;
    return 1;
  }
  if (sending->scratch->progress.heads++)
    count(SKIPPED_PIPELINED);
  else if (sender->head.traceparents)
    sending->scratch->progress.outcome = ADOPTED;
  else if (whole) {
    sending->scratch->progress.insert = at + scan.request_line_end - LEAD;
    sending->scratch->progress.outcome = INJECTED;
  } else if (scan.blank_line) {
    sending->scratch->progress.insert = at + scan.blank_line - LEAD;
    sending->scratch->progress.outcome = INJECTED_SPLIT;
  } else {
    sending->scratch->progress.outcome = SKIPPED_BLANK_LINE_GONE;
  }
  sending->scratch->progress.at = at + scan.head_end - LEAD;
  after_head(sending);
  return 0;
}

/* One step through the message. Answers 1 when it has been gone through, or is left alone. */
ALWAYS_INLINE int step(struct sending *sending) {
  struct sender *sender = sending->sender;
  u64 left = sending->scratch->progress.size - sending->scratch->progress.at;
  switch (sender->phase) {
  case PHASE_START:
  case PHASE_HEADERS:
    return left ? follow_head(sending) : 1;
  case PHASE_BODY: {
    u64 here = sending->scratch->progress.start + sending->scratch->progress.at;
    u64 end = sender->body_start + sender->body_length;
    u64 body = end > here ? end - here : 0;
    /* Answered before it was all sent: whether the rest will come is not certain. */
    if (body && sending->connection->responses >= sender->requests) {
      give_up(sender, SKIPPED_AMBIGUOUS_FRAMING);
      return 1;
    }
    if (left < body) {
      sending->scratch->progress.at = sending->scratch->progress.size;
      return 1;
    }
    sending->scratch->progress.at += body;
    sender->phase = sender->switching ? PHASE_SWITCHING : PHASE_START;
    return left == body;
  }
  case PHASE_CHUNK_DATA: {
    u64 skip = left < sender->chunk ? left : sender->chunk;
    sending->scratch->progress.at += skip;
    sender->chunk -= skip;
    if (!sender->chunk)
      sender->phase = PHASE_CHUNK_END;
    return left == skip;
  }
  case PHASE_CHUNK_SIZE:
  case PHASE_CHUNK_EXTENSION:
    return left ? follow_chunk_size(sending) : 1;
  case PHASE_CHUNK_END:
  case PHASE_TRAILER:
    return left ? follow_line_ends(sending) : 1;
  case PHASE_FRAME:
  case PHASE_FRAME_DATA:
    return left ? follow_frame(sending) : 1;
  case PHASE_JOINED:
    if (!sending->connection->responses) {
      sending->scratch->progress.at = sending->scratch->progress.size;
      return 1;
    }
    sender->phase = PHASE_START;
    sender->requests = sending->connection->responses;
    return 0;
  case PHASE_SWITCHING:
    if (!left)
      return 1;
    if (sending->connection->switched ||
        (sender->head.connect && sending->connection->status >= 200 && sending->connection->status < 300) ||
        sending->connection->responses < sender->requests) {
      give_up(sender, SKIPPED_UPGRADED);
      return 1;
    }
    sender->phase = PHASE_START;
    return 0;
  default:
    return 1;
  }
}

static long step_on(u32 index, struct sending *sending) {
  return step(sending) != 0;
}

/*
 * A send may be taken in part, and the application repeats the rest: what it was told has gone out is the truth. Inside
 * a body of known length the place is found again; elsewhere it is not.
 */
ALWAYS_INLINE bool in_step(struct sender *sender, struct connection *connection) {
  if (connection->calls == sender->calls)
    return true;
  sender->calls = connection->calls;
  /* In this order: a call that is over by now has said what it sent. */
  u32 ended = *(volatile u32 *)&connection->ended;
  u64 sent = *(volatile u64 *)&connection->sent;
  if (sent == sender->seen)
    return true;
  /* A call that another thread is still in sent all, for all was answered. */
  if (sent < sender->seen && ended + 1 < sender->calls && sender->phase == PHASE_START &&
      connection->responses >= sender->requests)
    return true;
  if (sender->phase == PHASE_FRAME_DATA && sent < sender->seen && sent >= sender->body_start) {
    sender->chunk += sender->seen - sent;
    sender->seen = sent;
    return true;
  }
  if (sent > sender->seen || !sender->requests || sent < sender->body_start ||
      (sender->phase != PHASE_BODY && sender->phase != PHASE_START) || sender->head.chunked)
    return false;
  sender->seen = sent;
  sender->phase = PHASE_BODY;
  return true;
}

static __noinline int send_request(struct sending *sending) {
  struct progress *progress = &sending->scratch->progress;
  bpf_loop(MOST_STEPS, step_on, sending, 0);
  if (progress->at < progress->size && sending->sender->phase != PHASE_OPAQUE)
    give_up(sending->sender, SKIPPED_AMBIGUOUS_FRAMING);
  u32 planned = progress->outcome;
  if (!planned)
    return progress->dropped ? SK_DROP : SK_PASS;
  struct parent parent = {};
  u64 span = 0;
  if (planned == INJECTED || planned == INJECTED_SPLIT) {
    if (!find_parent(&parent, sending->connection, sending->sender->requests - progress->heads))
      progress->outcome = SKIPPED_NO_PARENT;
    else if (!has_room(sending->sender, progress->insert))
      progress->outcome = SKIPPED_NO_ROOM;
    else {
      span = next_id();
      u32 done = inject(sending, &parent, span);
      progress->outcome = done == INJECTED ? planned : done;
    }
    count(parent.source ? parent.source : PARENT_NONE);
  } else if (planned == ADOPTED) {
    certain_parent(&parent, sending->connection, sending->sender->requests - progress->heads);
  }
  count(progress->outcome);
  report(sending, &parent, span);
  return progress->outcome == DROPPED ? SK_DROP : SK_PASS;
}

SEC("sk_msg")
int send_message(struct sk_msg_md *message) {
  u32 zero = 0;
  u32 size = message->size;
  if (!message->sk)
    return SK_PASS;
  struct sender *sender = bpf_sk_storage_get(&senders, message->sk, 0, 0);
  if (!sender || sender->phase == PHASE_OPAQUE || !size)
    return SK_PASS;
  if (!lease_holds()) {
    give_up(sender, SKIPPED_LEASE);
    return SK_PASS;
  }
  struct connection *connection = connection_of(sender->cookie);
  if (!connection || !in_step(sender, connection)) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return SK_PASS;
  }
  struct scratch *scratch = bpf_map_lookup_elem(&send_scratch, &zero);
  if (!scratch || __sync_lock_test_and_set(&scratch->busy, 1)) {
    give_up(sender, SKIPPED_BUSY);
    return SK_PASS;
  }
  struct sending sending = {.message = message,
                        .sender = sender,
                        .connection = connection,
                        .scratch = scratch};
  scratch->progress = (struct progress){.start = sender->seen, .size = size};
  connection->followed = 1;
  /* By way of memory, for the verifier lets nobody read through the pointer that a message has. */
  sender->sock = (u64)(long)message->sk;
  sender->seen += size;
  int verdict = send_request(&sending);
  if (message->size > size)
    join_pieces(message);
  __sync_lock_test_and_set(&scratch->busy, 0);
  return verdict;
}
