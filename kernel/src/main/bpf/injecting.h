// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* Putting a traceparent into a message that is being sent, and telling what was done. */
#pragma once

#include "contexts.h"

#define HEADER_SIZE 70
#define HEADER_VALUE 13  /* where the value begins in a header of HTTP/1 */
#define LITERAL_VALUE 14 /* and in one of HTTP/2 */
/* A send that stops inside bytes that were put in makes the kernel report too few: there must be room for all. */
#define ROOM 8192
#define ONE_PIECE 65536

/* Pointers only; what changes is in the scratch memory, of which the verifier assumes nothing. */
struct sending {
  struct sk_msg_md *message;
  struct sender *sender;
  struct connection *connection;
  struct scratch *scratch;
};

ALWAYS_INLINE void give_up(struct sender *sender, u32 outcome) {
  sender->phase = PHASE_OPAQUE;
  struct connection *connection = connection_of(sender->cookie);
  if (connection)
    connection->followed = 0;
  count(outcome);
}

/* What comes before the bytes that are put in takes room, too, and at most twice its size. */
ALWAYS_INLINE bool has_room(struct sender *sender, u32 before) {
  struct sock *sock = (void *)sender->sock;
  return (s64)BPF_CORE_READ(sock, sk_wmem_queued) + ROOM + 2 * (s64)before <= BPF_CORE_READ(sock, sk_sndbuf);
}

ALWAYS_INLINE bool same_trace(const u8 *one, const u8 *other) {
  u64 first[2], second[2];
  __builtin_memcpy(first, one, 16);
  __builtin_memcpy(second, other, 16);
  return first[0] == second[0] && first[1] == second[1];
}

static __noinline int report(struct sending *sending, struct parent *parent, u64 span) {
  /* In the lead, whose line has been read by now: the stack is too small for it. */
  struct event *event = (void *)sending->scratch->lead;
  struct sender *sender = sending->sender;
  u64 pid_tgid = bpf_get_current_pid_tgid();
  __builtin_memset(event, 0, sizeof(*event));
  event->time = bpf_ktime_get_ns();
  event->pid = pid_tgid >> 32;
  event->tid = (u32)pid_tgid;
  event->kind = EVENT_REQUEST;
  event->way = WAY_OUTBOUND;
  event->fd = -1;
  event->connection = sender->cookie;
  event->outcome = sending->scratch->progress.outcome;
  event->requests = sender->requests;
  event->size = sending->scratch->progress.size;
  event->since = sending->connection->since;
  event->result = parent->source;
  put_ends(event, sending->connection, (void *)sender->sock);
  if (sending->scratch->progress.outcome == ADOPTED) {
    if (sender->head.traceparent_valid) {
      event->flags = EVENT_HAS_CONTEXT;
      __builtin_memcpy(event->trace_id, sender->head.trace_id, 16);
      __builtin_memcpy(event->span_id, sender->head.parent_id, 8);
      event->trace_flags = sender->head.trace_flags;
      /* Whoever put it in may have begun a trace of their own. */
      if (parent->source && same_trace(parent->trace_id, sender->head.trace_id))
        __builtin_memcpy(event->parent_id, parent->span_id, 8);
    }
  } else if (parent->source) {
    event->flags = EVENT_HAS_CONTEXT;
    __builtin_memcpy(event->trace_id, parent->trace_id, 16);
    __builtin_memcpy(event->parent_id, parent->span_id, 8);
    put_id(event->span_id, span);
    event->trace_flags = parent->flags;
  }
  emit(event, sizeof(*event));
  return 0;
}

/* A loop, for there is no function to call for a copy that is too large to be unrolled. The count is a constant. */
#define copy_bytes(target, source, count)                                                                              \
  do {                                                                                                                 \
    _Pragma("clang loop unroll(disable)") for (u32 pair = 0; pair < (count) / 2; pair++)((u16 *)(target))[pair] =        \
        ((u16 *)(source))[pair];                                                                                       \
    if ((count)&1)                                                                                                     \
      ((u8 *)(target))[(count)-1] = ((u8 *)(source))[(count)-1];                                                       \
  } while (0)

/*
 * Puts bytes into the message, or leaves it as it was. Answers what was done; DROPPED where the message can neither be
 * completed nor restored. The size is a constant, for the verifier must know it.
 */
#define PUT_IN(message, at, text, text_size)                                                                           \
  ({                                                                                                                   \
    u32 whole = (message)->size;                                                                                       \
    u32 done = FAILED_PUSH;                                                                                            \
    if (!bpf_msg_push_data(message, at, text_size, 0)) {                                                               \
      done = FAILED_ROLLED_BACK;                                                                                       \
      if (!bpf_msg_pull_data(message, at, (at) + (text_size), 0)) {                                                    \
        char *data = (void *)(long)(message)->data;                                                                    \
        if (data + (text_size) <= (char *)(long)(message)->data_end) {                                                 \
          copy_bytes(data, text, text_size);                                                                           \
          done = INJECTED;                                                                                             \
        }                                                                                                              \
      }                                                                                                                \
      if (done != INJECTED)                                                                                            \
        bpf_msg_pop_data(message, at, text_size, 0);                                                                   \
    }                                                                                                                  \
    if (done != INJECTED && (message)->size != whole)                                                                  \
      done = DROPPED;                                                                                                  \
    done;                                                                                                              \
  })

/*
 * What was put in is a piece of its own, and the kernel sends piece by piece: a second small segment would wait for the
 * first one's acknowledgement, and that for 40 ms. In one piece it is one segment, as it was.
 */
ALWAYS_INLINE void join_pieces(struct sk_msg_md *message) {
  u32 size = message->size;
  bpf_msg_pull_data(message, 0, size < ONE_PIECE ? size : ONE_PIECE, 0);
}

/* Eight hexadecimal digits for four bytes. */
ALWAYS_INLINE u64 hex_of(u32 bytes) {
  u64 spread = ((u64)bytes | (u64)bytes << 16) & 0x0000ffff0000ffffULL;
  spread = (spread | spread << 8) & 0x00ff00ff00ff00ffULL;
  u64 values = (spread >> 4 & 0x000f000f000f000fULL) | (spread & 0x000f000f000f000fULL) << 8;
  return values + EACH('0') + ((values + EACH(6)) >> 4 & EACH(1)) * ('a' - '0' - 10);
}

ALWAYS_INLINE void put_hex(char *target, u64 bytes) {
  *(u64 *)target = hex_of(bytes);
  *(u64 *)(target + 8) = hex_of(bytes >> 32);
}

/* The value of the header, behind `at` bytes of the text. */
static __noinline int put_value(struct scratch *scratch, struct parent *parent, u64 span, u32 at) {
  char *target = scratch->text + (at == LITERAL_VALUE ? LITERAL_VALUE : HEADER_VALUE);
  target[0] = '0';
  target[1] = '0';
  target[2] = '-';
  u64 trace[2];
  __builtin_memcpy(trace, parent->trace_id, 16);
  put_hex(target + 3, trace[0]);
  put_hex(target + 19, trace[1]);
  target[35] = '-';
  put_hex(target + 36, span);
  target[52] = '-';
  u64 flags = hex_of(parent->flags);
  target[53] = flags;
  target[54] = flags >> 8;
  return 0;
}

/*
 * What the inbound request had beside its traceparent, and the outbound one has not. Blanks at the end of a value are not
 * part of it: they make sizes of which the verifier knows a few.
 */
static __noinline u32 put_carried(struct sending *sending, struct parent *parent) {
  struct head *head = &sending->sender->head;
  u64 number = parent->carried;
  if (!number || head->tracestates || head->baggages)
    return 0;
  struct carried *carried = bpf_map_lookup_elem(&carried_headers, &number);
  if (!carried || !carried->size)
    return 0;
  u32 size = carried->size;
  u32 room = size <= 126 ? 128 : size <= 254 ? 256 : MOST_CARRIED;
  u8 *target = sending->scratch->bytes + HEADER_SIZE;
  forget(size);
  if (size > MOST_CARRIED - 2)
    return 0;
  __builtin_memset(target, ' ', MOST_CARRIED);
  bpf_probe_read_kernel(target, size, carried->bytes);
  if (room == 128) {
    target[126] = '\r';
    target[127] = '\n';
  } else if (room == 256) {
    target[254] = '\r';
    target[255] = '\n';
  } else {
    target[MOST_CARRIED - 2] = '\r';
    target[MOST_CARRIED - 1] = '\n';
  }
  return room;
}

static __noinline int inject(struct sending *sending, struct parent *parent, u64 span) {
  char *header = sending->scratch->text;
  u32 at = sending->scratch->progress.insert;
  __builtin_memcpy(header, "traceparent: ", 13);
  put_value(sending->scratch, parent, span, HEADER_VALUE);
  header[68] = '\r';
  header[69] = '\n';
  u32 more = put_carried(sending, parent);
  if (!more)
    return PUT_IN(sending->message, at, header, HEADER_SIZE);
  u8 *all = sending->scratch->bytes;
  copy_bytes(all, header, HEADER_SIZE);
  if (more == 128)
    return PUT_IN(sending->message, at, all, HEADER_SIZE + 128);
  if (more == 256)
    return PUT_IN(sending->message, at, all, HEADER_SIZE + 256);
  return PUT_IN(sending->message, at, all, HEADER_SIZE + MOST_CARRIED);
}
