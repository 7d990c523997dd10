// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * HTTP/2, from its preface on: frames are followed by their lengths, and the block of a request's headers gets a
 * traceparent at its end, as a literal that no table takes note of. Once a connection has shown that it propagates
 * itself, or a block comes in pieces, it is left alone for good.
 */
#pragma once

#include "injecting.h"

#define FRAME_HEADER 9
#define FRAME_LARGEST 16384
#define FRAME_HEADERS 1
#define FRAME_SETTINGS 4
#define FRAME_CONTINUATION 9
#define FLAG_END_HEADERS 4
#define FLAG_PADDED 8
#define FLAG_PRIORITY 0x20
#define LITERAL_SIZE 69
#define MOST_BLOCKS 16
/*
 * A message has up to 17 pieces, and each header that is put in makes two more. When there was no room for another, a
 * kernel was seen to count the pieces wrongly and to complain of it in its log: they are joined long before.
 */
#define MOST_UNJOINED 4

/* The name as it is, and in the code of HPACK, in which a name begins at a byte of its own. */
#define NAME_FIRST WORD('t', 'r', 'a', 'c', 'e', 'p', 'a', 'r')
#define NAME_CODED WORD(0x4d, 0x83, 0x21, 0x6b, 0x1d, 0x85, 0xa9, 0x3f)

struct search {
  struct scratch *scratch;
  struct progress *progress;
};

static long search_byte(u32 index, struct search *search) {
  u64 word = word_at(search->scratch, LEAD + index);
  if (index >= search->progress->searched)
    return 1;
  if (word == NAME_CODED || (word | LOWER) == NAME_FIRST) {
    search->progress->found = 1;
    return 1;
  }
  return 0;
}

/* Whether the block of `size` bytes at the fixed place may name a traceparent. */
__noinline int names_traceparent(struct scratch *scratch, u32 size) {
  if (!scratch)
    return 1;
  struct search search = {.scratch = scratch, .progress = &scratch->progress};
  scratch->progress.searched = size;
  scratch->progress.found = 0;
  bpf_loop(FRAME_LARGEST, search_byte, &search, 0);
  return scratch->progress.found;
}

/* The block has been proved to name none: the header goes behind it, and the frame grows by it. */
static __noinline int inject_literal(struct sending *sending, u32 frame, u32 length) {
  struct progress *progress = &sending->scratch->progress;
  struct sender *sender = sending->sender;
  struct sk_msg_md *message = sending->message;
  struct parent parent = {};
  u64 span = 0;
  u32 at = frame + FRAME_HEADER + length;
  u32 grown = length + LITERAL_SIZE;
  progress->outcome = INJECTED;
  if (!find_parent(&parent, sending->connection, 1))
    progress->outcome = SKIPPED_NO_PARENT;
  else if (grown > FRAME_LARGEST || progress->heads > MOST_BLOCKS || at > ONE_PIECE - LITERAL_SIZE)
    progress->outcome = SKIPPED_HEADERS_TOO_LONG;
  else if (!has_room(sender, at))
    progress->outcome = SKIPPED_NO_ROOM;
  else {
    char *literal = sending->scratch->text;
    __builtin_memcpy(literal, "\0\x0btraceparent\x37", 14);
    span = next_id();
    put_value(sending->scratch, &parent, span, LITERAL_VALUE);
    progress->outcome = PUT_IN(message, at, literal, LITERAL_SIZE);
    if (progress->outcome == INJECTED) {
      u8 *data;
      if (!bpf_msg_pull_data(message, frame, frame + FRAME_HEADER, 0) &&
          (data = (void *)(long)message->data) + FRAME_HEADER <= (u8 *)(long)message->data_end) {
        data[0] = grown >> 16;
        data[1] = grown >> 8;
        data[2] = grown;
        progress->size += LITERAL_SIZE;
        progress->at += LITERAL_SIZE;
        progress->put_in += LITERAL_SIZE;
        if (progress->put_in % (MOST_UNJOINED * LITERAL_SIZE) == 0)
          join_pieces(message);
      } else {
        bpf_msg_pop_data(message, at, LITERAL_SIZE, 0);
        progress->outcome = message->size == progress->size ? FAILED_ROLLED_BACK : DROPPED;
      }
    }
  }
  count(parent.source ? parent.source : PARENT_NONE);
  count(progress->outcome);
  report(sending, &parent, span);
  if (progress->outcome == DROPPED)
    progress->dropped = 1;
  progress->outcome = OUTCOME_NONE;
  return progress->dropped;
}

/* The headers of a request that is wholly in the message. Answers 1 where the connection is left alone from now on. */
ALWAYS_INLINE int follow_headers(struct sending *sending, u32 frame, u32 length) {
  struct progress *progress = &sending->scratch->progress;
  u32 size = length;
  if (size > SCAN_LIMIT || bpf_msg_pull_data(sending->message, frame + FRAME_HEADER, frame + FRAME_HEADER + size, 0)) {
    give_up(sending->sender, SKIPPED_HEADERS_TOO_LONG);
    return 1;
  }
  forget(size);
  void *data = (void *)(long)sending->message->data;
  if (size > SCAN_LIMIT || bpf_probe_read_kernel(sending->scratch->bytes, size, data) ||
      names_traceparent(sending->scratch, size)) {
    give_up(sending->sender, ADOPTED);
    return 1;
  }
  sending->sender->requests++;
  progress->heads++;
  return inject_literal(sending, frame, length);
}

static __noinline int follow_frame(struct sending *sending) {
  struct progress *progress = &sending->scratch->progress;
  struct sender *sender = sending->sender;
  u32 left = progress->size - progress->at;
  if (sender->phase == PHASE_FRAME_DATA) {
    u32 skip = left < sender->chunk ? left : sender->chunk;
    progress->at += skip;
    sender->chunk -= skip;
    if (!sender->chunk)
      sender->phase = PHASE_FRAME;
    return left == skip;
  }
  u32 frame = progress->at;
  if (left < FRAME_HEADER) {
    give_up(sender, SKIPPED_HTTP2);
    return 1;
  }
  u8 *data;
  if (bpf_msg_pull_data(sending->message, frame, frame + FRAME_HEADER, 0) ||
      (data = (void *)(long)sending->message->data) + FRAME_HEADER > (u8 *)(long)sending->message->data_end) {
    give_up(sender, SKIPPED_OUT_OF_STEP);
    return 1;
  }
  u32 length = data[0] << 16 | data[1] << 8 | data[2];
  u8 type = data[3];
  u8 flags = data[4];
  u32 stream = (data[5] & 0x7f) << 24 | data[6] << 16 | data[7] << 8 | data[8];
  /* What begins like HTTP/2 but does not go on like it is something else. */
  if (type > FRAME_CONTINUATION || (!sender->digits && type != FRAME_SETTINGS)) {
    give_up(sender, SKIPPED_HTTP2);
    return 1;
  }
  sender->digits = 1;
  bool whole = length <= left - FRAME_HEADER;
  /* A stream that is not new has trailers. */
  bool request = type == FRAME_HEADERS && stream > sender->last_stream;
  if (type == FRAME_CONTINUATION || (request && (!whole || !(flags & FLAG_END_HEADERS) || flags & FLAG_PADDED))) {
    give_up(sender, SKIPPED_HTTP2);
    return 1;
  }
  progress->at += FRAME_HEADER;
  if (request) {
    sender->last_stream = stream;
    progress->at += length;
    return follow_headers(sending, frame, length);
  }
  sender->chunk = length;
  sender->phase = length ? PHASE_FRAME_DATA : PHASE_FRAME;
  sender->body_start = progress->start + progress->at - progress->put_in;
  sender->body_length = length;
  return 0;
}
