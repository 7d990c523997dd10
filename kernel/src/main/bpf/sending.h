// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * sk_msg: what an enrolled socket is about to send. A stream of HTTP/1 requests is followed byte by byte, so that
 * nothing but the head of a request is ever touched, and a traceparent goes into a head only when all of it was seen
 * and held none.
 */
#pragma once

#include "contexts.h"

#define HEADER_SIZE 70
/* A send that stops inside bytes that were put in makes the kernel report too few: there must be room for all. */
#define ROOM 8192

/* Pointers only; what changes is in the scratch memory, of which the verifier assumes nothing. */
struct sending {
  struct sk_msg_md *message;
  struct sender *sender;
  struct connection *connection;
  struct scratch *scratch;
};

ALWAYS_INLINE char hex_digit(u8 value) {
  return value < 10 ? '0' + value : 'a' + value - 10;
}

ALWAYS_INLINE void put_hex(char *target, const u8 *bytes, u32 size) {
  for (u32 i = 0; i < size; i++) {
    target[2 * i] = hex_digit(bytes[i] >> 4);
    target[2 * i + 1] = hex_digit(bytes[i] & 15);
  }
}

ALWAYS_INLINE void give_up(struct sender *sender, u32 outcome) {
  sender->phase = PHASE_OPAQUE;
  count(outcome);
}

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

/* The size of a chunk, in hexadecimal digits of either case, up to the end of its line or of the message. */
static __noinline int follow_chunk_size(struct sending *sending) {
  struct sender *sender = sending->sender;
  u32 at = sending->scratch->progress.at;
  u32 size = sending->scratch->progress.size - at;
  if (size > 64)
    size = 64;
  if (bpf_msg_pull_data(sending->message, at, at + size, 0)) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return 1;
  }
  u8 *data = (void *)(long)sending->message->data;
  u8 *end = (void *)(long)sending->message->data_end;
  for (u32 i = 0; i < 64; i++) {
    if (i >= size || data + i + 1 > end)
      break;
    u8 c = data[i];
    sending->scratch->progress.at++;
    if (sender->phase == PHASE_CHUNK_SIZE) {
      u8 lower = c | 0x20;
      u8 digit = c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
      if (digit < 16 && sender->digits < 15) {
        sender->chunk = sender->chunk << 4 | digit;
        sender->digits++;
        continue;
      }
      if (!sender->digits || (c != '\r' && c != ';' && c != ' ' && c != '\t' && c != '\n')) {
        give_up(sender, SKIPPED_AMBIGUOUS_FRAMING);
        return 1;
      }
      sender->phase = PHASE_CHUNK_EXTENSION;
    }
    if (c == '\n') {
      /* The last chunk is followed by trailers up to a blank line. */
      sender->digits = 0;
      sender->phase = sender->chunk ? PHASE_CHUNK_DATA : PHASE_TRAILER;
      return 0;
    }
  }
  return 0;
}

/* The end of a chunk is one line end; trailers end with a blank line. */
static __noinline int follow_line_ends(struct sending *sending) {
  struct sender *sender = sending->sender;
  u32 at = sending->scratch->progress.at;
  u32 size = sending->scratch->progress.size - at;
  if (size > 64)
    size = 64;
  if (bpf_msg_pull_data(sending->message, at, at + size, 0)) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return 1;
  }
  u8 *data = (void *)(long)sending->message->data;
  u8 *end = (void *)(long)sending->message->data_end;
  for (u32 i = 0; i < 64; i++) {
    if (i >= size || data + i + 1 > end)
      break;
    u8 c = data[i];
    sending->scratch->progress.at++;
    if (c == '\r')
      continue;
    if (c != '\n') {
      if (sender->phase == PHASE_CHUNK_END) {
        give_up(sender, SKIPPED_AMBIGUOUS_FRAMING);
        return 1;
      }
      sender->digits = 1; /* a trailer's line is not blank */
      continue;
    }
    if (sender->phase == PHASE_CHUNK_END) {
      sender->phase = PHASE_CHUNK_SIZE;
      sender->chunk = 0;
      sender->digits = 0;
      return 0;
    }
    if (!sender->digits) {
      sender->phase = sender->switching ? PHASE_SWITCHING : PHASE_START;
      sender->body_start = sending->scratch->progress.start + sending->scratch->progress.at;
      return 0;
    }
    sender->digits = 0;
  }
  return 0;
}

/* One step through the message. Answers 1 when it has been gone through, or is left alone. */
static __noinline int step(struct sending *sending) {
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
  return step(sending);
}

static __noinline int report(struct sending *sending, struct parent *parent, u64 span) {
  struct event event = {};
  struct sender *sender = sending->sender;
  u64 pid_tgid = bpf_get_current_pid_tgid();
  event.time = bpf_ktime_get_ns();
  event.pid = pid_tgid >> 32;
  event.tid = (u32)pid_tgid;
  event.kind = EVENT_REQUEST;
  event.way = WAY_OUTBOUND;
  event.fd = -1;
  event.connection = sender->cookie;
  event.outcome = sending->scratch->progress.outcome;
  event.requests = sender->requests;
  event.size = sending->scratch->progress.size;
  event.since = sending->connection->since;
  event.result = parent->source;
  put_ends(&event, (void *)sender->sock);
  if (sending->scratch->progress.outcome == ADOPTED) {
    if (sender->head.traceparent_valid) {
      event.flags = EVENT_HAS_CONTEXT;
      __builtin_memcpy(event.trace_id, sender->head.trace_id, 16);
      __builtin_memcpy(event.span_id, sender->head.parent_id, 8);
      event.trace_flags = sender->head.trace_flags;
    }
  } else if (parent->source) {
    event.flags = EVENT_HAS_CONTEXT;
    __builtin_memcpy(event.trace_id, parent->trace_id, 16);
    __builtin_memcpy(event.parent_id, parent->span_id, 8);
    put_id(event.span_id, span);
    event.trace_flags = parent->flags;
  }
  emit(&event, sizeof(event));
  return 0;
}

/* Answers SK_DROP only where the request can neither be completed nor restored. */
static __noinline int inject(struct sending *sending, struct parent *parent, u64 span) {
  struct sk_msg_md *message = sending->message;
  u32 at = sending->scratch->progress.insert;
  char header[HEADER_SIZE + 2] = "traceparent: 00-";
  put_hex(header + 16, parent->trace_id, 16);
  header[48] = '-';
  put_hex(header + 49, (u8 *)&span, 8);
  header[65] = '-';
  put_hex(header + 66, &parent->flags, 1);
  header[68] = '\r';
  header[69] = '\n';
  u32 before = message->size;
  if (bpf_msg_push_data(message, at, HEADER_SIZE, 0)) {
    sending->scratch->progress.outcome = FAILED_PUSH;
    return message->size == before ? SK_PASS : SK_DROP;
  }
  if (!bpf_msg_pull_data(message, at, at + HEADER_SIZE, 0)) {
    char *data = (void *)(long)message->data;
    char *end = (void *)(long)message->data_end;
    if (data + HEADER_SIZE <= end) {
      __builtin_memcpy(data, header, HEADER_SIZE);
      return SK_PASS;
    }
  }
  bpf_msg_pop_data(message, at, HEADER_SIZE, 0);
  sending->scratch->progress.outcome = FAILED_ROLLED_BACK;
  return message->size == before ? SK_PASS : SK_DROP;
}

/*
 * A send may be taken in part, and the application repeats the rest: what it was told has gone out is the truth. Inside
 * a body of known length the place is found again; elsewhere it is not.
 */
ALWAYS_INLINE bool in_step(struct sender *sender, struct connection *connection) {
  if (connection->calls == sender->calls)
    return true;
  sender->calls = connection->calls;
  u64 sent = connection->sent;
  if (sent == sender->seen)
    return true;
  if (sent > sender->seen || !sender->requests || sent < sender->body_start ||
      (sender->phase != PHASE_BODY && sender->phase != PHASE_START) || sender->head.chunked)
    return false;
  sender->seen = sent;
  sender->phase = PHASE_BODY;
  return true;
}

ALWAYS_INLINE bool has_room(struct sender *sender) {
  struct sock *sock = (void *)sender->sock;
  return BPF_CORE_READ(sock, sk_wmem_queued) + ROOM <= BPF_CORE_READ(sock, sk_sndbuf);
}

static __noinline int send_request(struct sending *sending) {
  bpf_loop(64, step_on, sending, 0);
  if (sending->scratch->progress.at < sending->scratch->progress.size && sending->sender->phase != PHASE_OPAQUE)
    give_up(sending->sender, SKIPPED_AMBIGUOUS_FRAMING);
  if (!sending->scratch->progress.outcome)
    return SK_PASS;
  struct parent parent = {};
  u64 span = 0;
  int verdict = SK_PASS;
  u32 outcome = sending->scratch->progress.outcome;
  if (outcome == INJECTED || outcome == INJECTED_SPLIT) {
    if (!find_parent(&parent, sending->connection, sending->sender->requests - sending->scratch->progress.heads))
      sending->scratch->progress.outcome = SKIPPED_NO_PARENT;
    else if (!has_room(sending->sender))
      sending->scratch->progress.outcome = SKIPPED_NO_ROOM;
    else {
      span = next_id();
      verdict = inject(sending, &parent, span);
    }
    count(parent.source ? parent.source : PARENT_NONE);
  }
  if (verdict != SK_PASS)
    sending->scratch->progress.outcome = DROPPED;
  count(sending->scratch->progress.outcome);
  report(sending, &parent, span);
  return verdict;
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
  if (!lease_holds(bpf_ktime_get_ns())) {
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
  /* By way of memory, for the verifier lets nobody read through the pointer that a message has. */
  sender->sock = (u64)(long)message->sk;
  sender->seen += size;
  int verdict = send_request(&sending);
  __sync_lock_test_and_set(&scratch->busy, 0);
  return verdict;
}

/* Enrolment is decided when a process connects, in its own name; the handshake may end in anybody's. */
SEC("sockops")
int enrol(struct bpf_sock_ops *operation) {
  struct bpf_sock *sock = operation->sk;
  if (!sock)
    return 1;
  if (operation->op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
    /* So that the socket has a number that all programs can read. */
    bpf_get_socket_cookie(operation);
    return 1;
  }
  if (operation->op == BPF_SOCK_OPS_TCP_CONNECT_CB) {
    u64 cookie = bpf_get_socket_cookie(operation);
    u64 pid_tgid = bpf_get_current_pid_tgid();
    if (!settings.inject || !active(pid_tgid))
      return 1;
    u64 program = executable();
    if (bpf_map_lookup_elem(&not_enrolled, &program)) {
      count(NOT_ENROLLED);
      return 1;
    }
    struct sender *sender = bpf_sk_storage_get(&senders, sock, 0, BPF_SK_STORAGE_GET_F_CREATE);
    if (sender) {
      sender->cookie = cookie;
      sender->enrol = 1;
    }
    return 1;
  }
  if (operation->op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB) {
    struct sender *sender = bpf_sk_storage_get(&senders, sock, 0, 0);
    if (!sender || !sender->enrol)
      return 1;
    u64 cookie = sender->cookie;
    if (bpf_sock_hash_update(operation, &sock_ops_map, &cookie, BPF_NOEXIST))
      count(NOT_ENROLLED);
    else
      count(ENROLLED);
  }
  return 1;
}
