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

/* Pointers only; what changes is in the scratch memory, of which the verifier assumes nothing. */
struct sending {
  struct sk_msg_md *message;
  struct sender *sender;
  struct connection *connection;
  struct scratch *scratch;
};

ALWAYS_INLINE void give_up(struct sender *sender, u32 outcome) {
  sender->phase = PHASE_OPAQUE;
  count(outcome);
}

/* What comes before the bytes that are put in takes room, too, and at most twice its size. */
ALWAYS_INLINE bool has_room(struct sender *sender, u32 before) {
  struct sock *sock = (void *)sender->sock;
  return (s64)BPF_CORE_READ(sock, sk_wmem_queued) + ROOM + 2 * (s64)before <= BPF_CORE_READ(sock, sk_sndbuf);
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
          __builtin_memcpy(data, text, text_size);                                                                     \
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

const char HEX[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

ALWAYS_INLINE void put_hex(char *target, const u8 *bytes, u32 size) {
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < size; i++) {
    target[2 * i] = HEX[bytes[i] >> 4];
    target[2 * i + 1] = HEX[bytes[i] & 15];
  }
}

/* The value of the header, behind `at` bytes of the text. */
static __noinline int put_value(struct scratch *scratch, struct parent *parent, u64 span, u32 at) {
  char *target = scratch->text + (at == LITERAL_VALUE ? LITERAL_VALUE : HEADER_VALUE);
  target[0] = '0';
  target[1] = '0';
  target[2] = '-';
  put_hex(target + 3, parent->trace_id, 16);
  target[35] = '-';
  put_hex(target + 36, (u8 *)&span, 8);
  target[52] = '-';
  put_hex(target + 53, &parent->flags, 1);
  return 0;
}

static __noinline int inject(struct sending *sending, struct parent *parent, u64 span) {
  char *header = sending->scratch->text;
  __builtin_memcpy(header, "traceparent: ", 13);
  put_value(sending->scratch, parent, span, HEADER_VALUE);
  header[68] = '\r';
  header[69] = '\n';
  return PUT_IN(sending->message, sending->scratch->progress.insert, header, HEADER_SIZE);
}
