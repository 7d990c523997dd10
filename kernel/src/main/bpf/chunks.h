// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* Bodies in chunks, of which only the sizes are looked at. */
#pragma once

#include "injecting.h"

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
