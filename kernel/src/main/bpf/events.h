// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * What the programs tell user space: one record of 128 bytes for everything, with captured bytes behind it.
 *
 *     0        8     12    16   17   18   19   20     24           32     36         40       56
 *     +--------+-----+-----+----+----+----+----+------+------------+------+----------+--------+--------+
 *     | time   | pid | tid |kind|way |flag|fam | fd   | connection | size | captured | local  | remote |
 *     +--------+-----+-----+----+----+----+----+------+------------+------+----------+--------+--------+
 *     72      74       76       80          96      104         112     113       114    116     120       128
 *     +-------+--------+--------+-----------+-------+-----------+-------+---------+------+-------+---------+
 *     | local | remote | result | trace id  | span  | parent    | trace | outcome | spare| spare | since   |
 *     | port  | port   |        |           | id    | span id   | flags |         |      |       |         |
 *     +-------+--------+--------+-----------+-------+-----------+-------+---------+------+-------+---------+
 *
 * Numbers are in host byte order, ids and addresses are bytes in the order in which people read them.
 */
#pragma once

#include "kernel_types.h"

enum event_kind {
  EVENT_ACCEPT = 1,
  EVENT_CONNECT,
  EVENT_CLOSE,
  EVENT_IN,         /* bytes that a process read */
  EVENT_OUT,        /* bytes that a process is about to write */
  EVENT_SHORT,      /* of the bytes of the last OUT of that connection only `size` went out */
  EVENT_REQUEST,    /* what was done about an outbound request */
  EVENT_LOG,        /* bytes written to a log */
  EVENT_TLS_IN,     /* plaintext that a process read */
  EVENT_TLS_OUT,    /* plaintext that a process has written */
  EVENT_EXEC,       /* behind it the name of the process, 16 bytes */
  EVENT_FORK,
  EVENT_EXIT,
  EVENT_CONTEXT,    /* the process may have published, or changed, its context */
  EVENT_IO_URING,   /* the process moves bytes where the programs do not see them */
  EVENT_UNREAD,     /* FIONREAD on an enrolled socket, which must leave the sockhash */
  EVENT_SHUTDOWN,
  EVENT_NAMED,      /* `local` is the name of the thread from now on; none when it has ended */
};

enum way {
  WAY_UNKNOWN,
  WAY_INBOUND,
  WAY_OUTBOUND,
};

/* Bits of `flags`. */
/*
 * The ids are those of the request whose headers end in these bytes. Of bytes that are written, the parent is the span
 * that they belong to, on a connection that was accepted the one that the thread's record names; `result` says from where.
 */
#define EVENT_HAS_CONTEXT 1
#define EVENT_HAS_PARENT 2  /* the parent was in the request, it was not made here */
#define EVENT_TRUNCATED 4   /* less was captured than there was */
#define EVENT_IN_NONE 8     /* of a line: the process keeps records, and the thread's names no span */

struct event {
  u64 time;
  u32 pid;
  u32 tid;
  u8 kind;
  u8 way;
  u8 flags;
  u8 family;
  s32 fd;
  u64 connection;
  u32 size;
  u32 captured;
  u8 local[16];
  u8 remote[16];
  u16 local_port;
  u16 remote_port;
  s32 result;
  u8 trace_id[16];
  u8 span_id[8];
  u8 parent_id[8];
  u8 trace_flags;
  u8 outcome;
  u16 spare;
  u32 requests;
  u64 since;
};

_Static_assert(sizeof(struct event) == 128, "readers know the layout");

/* What became of something, each with a counter. The order is known to readers. */
enum outcome {
  OUTCOME_NONE,
  INJECTED,                /* after the request line */
  INJECTED_SPLIT,          /* before the blank line of headers that came in pieces */
  ADOPTED,                 /* the request had a traceparent */
  SKIPPED_NO_PARENT,
  SKIPPED_NO_ROOM,         /* the send buffer might take only a part */
  SKIPPED_BLANK_LINE_GONE, /* the place was sent before it could be known */
  SKIPPED_HEADERS_TOO_LONG,
  SKIPPED_PIPELINED,
  SKIPPED_AMBIGUOUS_FRAMING,
  SKIPPED_OUT_OF_STEP,     /* a send was taken in part, and where the stream stands is not certain */
  SKIPPED_UPGRADED,
  SKIPPED_HTTP2,
  SKIPPED_BUSY,            /* the scratch memory was in use */
  SKIPPED_LEASE,
  FAILED_PUSH,
  FAILED_ROLLED_BACK,
  DROPPED,
  NOT_HTTP,
  PARENT_RECORD,
  PARENT_THREAD,
  PARENT_CONNECT,
  PARENT_ONLY,             /* the only request that its process serves */
  PARENT_NEW,
  PARENT_NONE,
  CONTEXT_CONTINUED,       /* an inbound request with a valid traceparent */
  CONTEXT_NEW,
  CONTEXT_INVALID,         /* with one that is not valid; counted beside CONTEXT_NEW */
  CONTEXT_AMBIGUOUS,       /* a thread with several open exchanges */
  ANSWERED_ELSEWHERE,
  ENROLLED,
  NOT_ENROLLED,
  EVENTS,
  EVENTS_LOST,
  FIONREAD_SEEN,
  IO_URING_SEEN,
  TLS_WITHOUT_SOCKET,
  OUTCOMES,
};
