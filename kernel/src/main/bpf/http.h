// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Heads of HTTP/1 messages, read line by line, across as many pieces as they come in: what they say of the trace, and
 * how long the message is.
 *
 * The bytes are in a scratch memory, at a fixed place; a line that began in an earlier piece stands right before them,
 * in the lead. Newlines are looked for eight bytes at a time.
 */
#pragma once

#include "maps.h"

enum line_kind {
  LINE_OTHER,
  LINE_TRACEPARENT,
  LINE_CONTENT_LENGTH,
  LINE_TRANSFER_ENCODING,
  LINE_UPGRADE,
  LINE_TRACESTATE,
  LINE_BAGGAGE,
};

/* What was found in a piece. Offsets count from the begin of the lead. */
struct scan {
  u32 request_line_end; /* after its newline; 0 if the line began in an earlier piece */
  u32 blank_line;       /* where the blank line begins; 0 if it began in an earlier piece */
  u32 head_end;         /* after the blank line */
  u32 traceparent;      /* the lines of these headers, the last of each kind */
  u32 traceparent_end;
  u32 content_length;
  u32 content_length_end;
  u32 transfer_encoding;
  u32 transfer_encoding_end;
  u32 tracestate;
  u32 tracestate_end;
  u32 baggage;
  u32 baggage_end;
  u8 response;
  u8 complete;
  u8 broken;
  u8 padding;
  /* Here rather than beside the pointers: of memory that a function is given the verifier assumes nothing. */
  u32 at;
  u32 line;
  u32 end;
};

struct scanning {
  struct scratch *scratch;
  struct head *head;
  struct scan *scan;
};

ALWAYS_INLINE u8 byte_at(struct scratch *scratch, u32 offset) {
  forget(offset);
  if (offset >= LEAD + SCAN_LIMIT)
    return 0;
  return ((u8 *)scratch)[offset];
}

ALWAYS_INLINE u64 word_at(struct scratch *scratch, u32 offset) {
  forget(offset);
  if (offset >= LEAD + SCAN_LIMIT)
    return 0;
  return *(u64 *)((u8 *)scratch + offset);
}

#define WORD(a, b, c, d, e, f, g, h)                                                                                   \
  ((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 | (u64)(f) << 40 | (u64)(g) << 48 |      \
   (u64)(h) << 56)

/* The lower case of letters; the other characters of header names stay apart from letters under it. */
#define LOWER 0x2020202020202020ULL

ALWAYS_INLINE enum line_kind kind_of_line(struct scratch *scratch, u32 line) {
  u64 first = word_at(scratch, line) | LOWER;
  u64 second = word_at(scratch, line + 8) | LOWER;
  if (first == WORD('t', 'r', 'a', 'c', 'e', 'p', 'a', 'r'))
    /* A blank before the colon is not valid, but some receivers take it: it counts as there. */
    return (second & 0xffffff) == ('e' | 'n' << 8 | 't' << 16) && ((second >> 24 & 0xff) == ':' || (second >> 24 & 0xff) == ' ' ||
                                                                (second >> 24 & 0xff) == ('\t' | 0x20))
               ? LINE_TRACEPARENT
               : LINE_OTHER;
  if (first == WORD('c', 'o', 'n', 't', 'e', 'n', 't', '-'))
    return (second & 0xffffffffffffffULL) == WORD('l', 'e', 'n', 'g', 't', 'h', ':', 0) ? LINE_CONTENT_LENGTH
                                                                                         : LINE_OTHER;
  if (first == WORD('t', 'r', 'a', 'n', 's', 'f', 'e', 'r'))
    return second == WORD('-', 'e', 'n', 'c', 'o', 'd', 'i', 'n') ? LINE_TRANSFER_ENCODING : LINE_OTHER;
  if (first == WORD('u', 'p', 'g', 'r', 'a', 'd', 'e', ':'))
    return LINE_UPGRADE;
  if (first == WORD('t', 'r', 'a', 'c', 'e', 's', 't', 'a'))
    return (second & 0xffffff) == ('t' | 'e' << 8 | ':' << 16) ? LINE_TRACESTATE : LINE_OTHER;
  if (first == WORD('b', 'a', 'g', 'g', 'a', 'g', 'e', ':'))
    return LINE_BAGGAGE;
  return LINE_OTHER;
}

#define EACH(byte) (0x0101010101010101ULL * (byte))

#define NO_HEX (1ULL << 63)

/*
 * Four bytes that are written as eight hexadecimal digits, of which only those in lower case are valid. All eight at once,
 * for every branch here would be one of a million that the verifier follows. A function, for the stack is small.
 */
static __noinline u64 read_hex(u64 text) {
  u64 letters = text >> 6 & EACH(1);
  u64 values = (text & EACH(0x0f)) + 9 * letters;
  u64 bad = (text & EACH(0xf0)) ^ (EACH(0x30) + 0x30 * letters);
  bad |= (values & EACH(0xf0)) | (((values + EACH(6)) >> 4 & EACH(1)) ^ letters);
  u64 bytes = (values << 4 | values >> 8) & 0x00ff00ff00ff00ffULL;
  bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffffULL;
  bytes = (bytes | bytes >> 16) & 0xffffffff;
  return bad ? NO_HEX : bytes;
}

ALWAYS_INLINE u32 read_hex_at(struct scratch *scratch, u32 at, u64 *all) {
  u64 bytes = read_hex(word_at(scratch, at));
  *all |= bytes;
  return bytes;
}

ALWAYS_INLINE bool all_zero(const u8 *bytes, u32 size) {
  u8 any = 0;
  for (u32 i = 0; i < size; i++)
    any |= bytes[i];
  return !any;
}


struct blanks {
  struct scratch *scratch;
  u32 at;
  u32 end;
};

static long skip_blank(u32 index, struct blanks *blanks) {
  u8 c = byte_at(blanks->scratch, blanks->at);
  if (blanks->at >= blanks->end || (c != ' ' && c != '\t'))
    return 1;
  blanks->at++;
  return 0;
}

ALWAYS_INLINE u32 after_blanks(struct scratch *scratch, u32 at, u32 end) {
  struct blanks blanks = {.scratch = scratch, .at = at, .end = end};
  bpf_loop(LEAD, skip_blank, &blanks, 0);
  return blanks.at;
}

/* As W3C says: version 00 has 55 characters; a later one may go on after a hyphen; ff is none. */
__noinline int read_traceparent(struct scratch *scratch, struct head *head, u32 line, u32 end) {
  if (!scratch || !head)
    return 0;
  u32 at = after_blanks(scratch, line + 12, end);
  /* 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01: hyphens at 2, 35 and 52. */
  u64 all = 0;
  u32 *trace = (u32 *)head->trace_id;
  u32 *parent = (u32 *)head->parent_id;
  trace[0] = read_hex_at(scratch, at + 3, &all);
  trace[1] = read_hex_at(scratch, at + 11, &all);
  trace[2] = read_hex_at(scratch, at + 19, &all);
  trace[3] = read_hex_at(scratch, at + 27, &all);
  parent[0] = read_hex_at(scratch, at + 36, &all);
  parent[1] = read_hex_at(scratch, at + 44, &all);
  u64 around = (word_at(scratch, at) & 0xffff) | (word_at(scratch, at + 53) & 0xffff) << 16 | EACH('0') << 32;
  u64 version_and_flags = read_hex(around);
  all |= version_and_flags;
  u8 version = version_and_flags;
  head->trace_flags = version_and_flags >> 8;
  u32 length = end - at;
  bool hyphens = byte_at(scratch, at + 2) == '-' && byte_at(scratch, at + 35) == '-' && byte_at(scratch, at + 52) == '-';
  u8 after = byte_at(scratch, at + 55);
  bool ends = length == 55 || after == ' ' || after == '\t' || (version && after == '-');
  if (all & NO_HEX || length < 55 || !hyphens || !ends || version == 0xff || !(trace[0] | trace[1] | trace[2] | trace[3]) ||
      !(parent[0] | parent[1]))
    return 0;
  head->traceparent_valid = 1;
  return 0;
}

struct number_reading {
  struct scratch *scratch;
  u32 at;
  u32 end;
  u64 value;
  u8 digits;
};

static long read_digit(u32 index, struct number_reading *reading) {
  u8 digit = byte_at(reading->scratch, reading->at) - '0';
  if (reading->at >= reading->end || digit > 9)
    return 1;
  reading->value = reading->value * 10 + digit;
  reading->digits++;
  reading->at++;
  return 0;
}

/* A second length, or one that is none, leaves the end of the message uncertain. */
__noinline int read_content_length(struct scratch *scratch, struct head *head, u32 line, u32 end) {
  if (!scratch || !head)
    return 0;
  struct number_reading reading = {.scratch = scratch, .end = end};
  reading.at = after_blanks(scratch, line + 15, end);
  bpf_loop(16, read_digit, &reading, 0);
  if (!reading.digits || after_blanks(scratch, reading.at, end) != end)
    head->lengths = 2;
  head->content_length = reading.value;
  return 0;
}

__noinline int read_transfer_encoding(struct scratch *scratch, struct head *head, u32 line, u32 end) {
  if (!scratch || !head)
    return 0;
  u32 at = after_blanks(scratch, line + 18, end);
  u64 value = (word_at(scratch, at) | LOWER) & 0xffffffffffffffULL;
  if (value != WORD('c', 'h', 'u', 'n', 'k', 'e', 'd', 0) || after_blanks(scratch, at + 7, end) != end)
    head->chunked = 2;
  return 0;
}

ALWAYS_INLINE u8 more(u8 count, bool uncertain) {
  return uncertain || count ? 2 : 1;
}

/* The line up to the newline. Answers 1 where the head ends, or cannot be understood. */
static __noinline int finish_line(struct scanning *scanning, u32 newline) {
  struct scratch *scratch = scanning->scratch;
  struct head *head = scanning->head;
  struct scan *scan = scanning->scan;
  u32 line = scan->line;
  u32 end = newline;
  u8 is_long = head->line_long;
  head->line_long = 0;
  if (end > line && byte_at(scratch, end - 1) == '\r')
    end--;
  if (head->first) {
    /* "HTTP/1.1" at the end of a request line, or at the begin of a status line. */
    u64 first = word_at(scratch, line);
    u32 version = scan->response ? line : end - 8;
    if (end < line + 8 || (word_at(scratch, version) & 0xffffffffffffffULL) != WORD('H', 'T', 'T', 'P', '/', '1', '.', 0)) {
      scan->broken = 1;
      return 1;
    }
    head->connect = first == WORD('C', 'O', 'N', 'N', 'E', 'C', 'T', ' ');
    head->bodyless = (first & 0xffffffffffULL) == WORD('H', 'E', 'A', 'D', ' ', 0, 0, 0);
    head->first = 0;
    scan->request_line_end = line >= LEAD ? newline + 1 : 0;
    return 0;
  }
  if (end == line && !is_long) {
    scan->blank_line = line >= LEAD ? line : 0;
    scan->head_end = newline + 1;
    scan->complete = 1;
    return 1;
  }
  enum line_kind kind = is_long ? head->line_kind : kind_of_line(scratch, line);
  if (kind == LINE_TRACEPARENT) {
    head->traceparents = more(head->traceparents, is_long);
    scan->traceparent = line;
    scan->traceparent_end = end;
  } else if (kind == LINE_CONTENT_LENGTH) {
    head->lengths = more(head->lengths, is_long);
    scan->content_length = line;
    scan->content_length_end = end;
  } else if (kind == LINE_TRANSFER_ENCODING) {
    head->chunked = more(head->chunked, is_long);
    scan->transfer_encoding = line;
    scan->transfer_encoding_end = end;
  } else if (kind == LINE_UPGRADE) {
    head->upgrade = 1;
  } else if (kind == LINE_TRACESTATE) {
    head->tracestates = more(head->tracestates, is_long);
    scan->tracestate = line;
    scan->tracestate_end = end;
  } else if (kind == LINE_BAGGAGE) {
    head->baggages = more(head->baggages, is_long);
    scan->baggage = line;
    scan->baggage_end = end;
  }
  return 0;
}

static long scan_word(u32 index, struct scanning *scanning) {
  struct scan *scan = scanning->scan;
  u32 at = scan->at;
  if (at >= scan->end)
    return 1;
  u64 word = word_at(scanning->scratch, at) ^ 0x0a0a0a0a0a0a0a0aULL;
  u64 newlines = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
  if (!newlines) {
    scan->at = at + 8;
    return 0;
  }
  /* The lowest bit stands for the first newline: the bytes up to it are counted by a product. */
  u64 below = (newlines & -newlines) - 1;
  u32 newline = at + ((below & 0x0101010101010101ULL) * 0x0101010101010101ULL >> 56) - 1;
  if (newline >= scan->end) {
    scan->at = scan->end;
    return 1;
  }
  if (finish_line(scanning, newline))
    return 1;
  scan->line = newline + 1;
  scan->at = newline + 1;
  return 0;
}

/* Puts the begin of an unfinished line right before the fixed place. Answers its size. */
ALWAYS_INLINE u32 put_kept(struct scratch *scratch, struct head *head) {
  u32 kept = head->kept;
  u32 from = LEAD - kept;
  forget(kept);
  forget(from);
  if (kept > LINE_KEPT || from > LEAD)
    return 0;
  bpf_probe_read_kernel((u8 *)scratch + from, kept, head->line);
  return kept;
}

/* Reads the head in `size` bytes at the fixed place of the scratch memory, going on with the line in `head`. */
__noinline int scan_head(struct scratch *scratch, struct head *head, struct scan *scan, u32 size) {
  if (!scratch || !head || !scan)
    return 0;
  u32 kept = put_kept(scratch, head);
  if (size > SCAN_LIMIT)
    size = SCAN_LIMIT;
  scan->line = LEAD - kept;
  scan->at = LEAD - kept;
  scan->end = LEAD + size;
  struct scanning scanning = {.scratch = scratch, .head = head, .scan = scan};
  head->scanned += size;
  bpf_loop(SCAN_LIMIT, scan_word, &scanning, 0);
  if (scan->traceparent) {
    head->traceparent_valid = 0;
    if (head->traceparents == 1)
      read_traceparent(scratch, head, scan->traceparent, scan->traceparent_end);
  }
  if (scan->content_length)
    read_content_length(scratch, head, scan->content_length, scan->content_length_end);
  if (scan->transfer_encoding)
    read_transfer_encoding(scratch, head, scan->transfer_encoding, scan->transfer_encoding_end);
  if (scan->complete || scan->broken)
    return 0;
  u32 from = scan->line;
  u32 rest = scan->end - from;
  if (rest > LINE_KEPT) {
    if (!head->line_long)
      head->line_kind = head->first ? LINE_OTHER : kind_of_line(scratch, from);
    head->line_long = 1;
    rest = 16;
    from = scan->end - 16;
  }
  head->kept = rest;
  forget(rest);
  forget(from);
  if (rest <= LINE_KEPT && from < LEAD + SCAN_LIMIT)
    bpf_probe_read_kernel(head->line, rest, (u8 *)scratch + from);
  return 0;
}

enum beginning {
  BEGINS_OTHERWISE,
  BEGINS_PERHAPS, /* too few bytes to tell */
  BEGINS_REQUEST,
  BEGINS_HTTP2,
};

/* A method is any token in capitals; what follows it is looked at when the line is complete. */
__noinline int beginning_of(struct scratch *scratch, u32 from, u32 end) {
  if (!scratch)
    return BEGINS_OTHERWISE;
  if (end - from >= 6 && (word_at(scratch, from) & 0xffffffffffffULL) == WORD('P', 'R', 'I', ' ', '*', ' ', 0, 0))
    return BEGINS_HTTP2;
  for (u32 i = 0; i < 24; i++) {
    if (from + i >= end)
      return BEGINS_PERHAPS;
    u8 c = byte_at(scratch, from + i);
    if (c == ' ' && i > 0)
      return BEGINS_REQUEST;
    if (!(c >= 'A' && c <= 'Z') && c != '-' && c != '_')
      return BEGINS_OTHERWISE;
  }
  return BEGINS_OTHERWISE;
}

#define PREFACE_SIZE 24

/* All of the preface that a client of HTTP/2 begins with. */
ALWAYS_INLINE bool begins_http2(struct scratch *scratch, u32 size) {
  return size >= PREFACE_SIZE && word_at(scratch, LEAD) == WORD('P', 'R', 'I', ' ', '*', ' ', 'H', 'T') &&
         word_at(scratch, LEAD + 8) == WORD('T', 'P', '/', '2', '.', '0', '\r', '\n') &&
         word_at(scratch, LEAD + 16) == WORD('\r', '\n', 'S', 'M', '\r', '\n', '\r', '\n');
}

ALWAYS_INLINE void reset_head(struct head *head) {
  __builtin_memset(head, 0, sizeof(*head));
  head->first = 1;
}
