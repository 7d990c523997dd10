// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* What the programs remember, and what the tracer tells them. Sizes are set before loading. */
#pragma once

#include "events.h"
#include "lease.h"

#define SCAN_LIMIT 16384
#define LEAD 128
#define LINE_KEPT 112

/* Set once, before loading. */
/* Alone in its section, so that the tracer knows where it is. */
SEC(".rodata.settings") const volatile struct {
  u32 capture;      /* bytes of a message, at most */
  u32 scan;         /* bytes of headers, at most */
  u64 context_ttl;  /* ns */
  u64 sample_below; /* a new trace is sampled if its random number is below this */
  u64 key[2];       /* random */
  u32 tracer;       /* the process that is never observed */
  u8 inject;
  u8 start_traces;
  u8 logs;
  u8 http2;
  u8 baggage;
  u8 processes;     /* some are observed by their numbers */
  u32 line_capture; /* bytes of what is written to a log, at most */
} settings = {.capture = 4096, .scan = SCAN_LIMIT, .context_ttl = 30000000000ULL, .sample_below = ~0ULL, .line_capture = SCAN_LIMIT};

/* What the tracer has found out of this kernel after loading. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, u64);
} kernel_faults SEC(".maps");

#define FAULT_UNREAD_IS_ZERO 1 /* FIONREAD on a socket in a sockhash answers 0 */

struct cgroup_target {
  u64 id;
  u32 level;
  u32 padding;
};

#define CGROUP_TARGETS 16

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, CGROUP_TARGETS);
  __type(key, u32);
  __type(value, struct cgroup_target);
} cgroup_targets SEC(".maps");

/* Processes that are observed by their number, and their children. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 4096);
  __type(key, u32);
  __type(value, u8);
} process_targets SEC(".maps");

#define PROCESS_ANSWERS_ELSEWHERE 1
#define PROCESS_IO_URING 2
#define PROCESS_HAS_OTHER_WORK 4 /* it calls others also when it serves no request that is seen */
#define PROCESS_ASKS_UNREAD 8    /* its sockets stay out of the sockhash, for it asks how much is unread */
#define PROCESS_TELLS_PLAINTEXT 16
#define PROCESS_IS_TOLD 32       /* it has mapped inbound_slots */

/* Where the thread records of a process are; the tracer finds it out. Without any, all is 0. */
struct record_place {
  u64 ring_address;
  u32 ring_capacity;
  u32 global_numbers;   /* its threads have the same numbers for itself and for the kernel */
  s64 pointer_distance; /* from the thread pointer to the pointer to the thread's record */
};

/* What the programs know of a process, all that a request asks for in one place. */
struct process {
  u32 flags;
  u32 open;         /* requests that it serves */
  u64 open_numbers; /* of their connections, added up without carry: with one, its own */
  u32 served;
  u32 kept;         /* requests that called others and were answered, all by the thread that had read them */
  u64 since;        /* the begin of the lease in which requests were counted */
  struct record_place place;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 8192);
  __type(key, u32);
  __type(value, struct process);
} processes SEC(".maps");

struct thread_key {
  u32 pid;
  u32 tid;
};

struct trace_context {
  u8 trace_id[16];
  u8 span_id[8];
  u8 parent_id[8];
  u8 flags;
  u8 ambiguous;
  u16 open; /* exchanges that this thread has read and nobody has answered */
  u32 sequence; /* odd while the rest is written */
  u64 connection;
  u64 time;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 8192);
  __type(key, struct thread_key);
  __type(value, struct trace_context);
} thread_trace_ctx SEC(".maps");

/*
 * The request that a thread has read last, for that thread itself: its process maps the array and looks after each read.
 * By the thread's number in its own namespace; two whose numbers meet take the place from each other.
 */
struct inbound_slot {
  u64 sequence; /* grows with each request; odd while the rest is written */
  u32 tid;      /* in its own PID namespace */
  u32 pid_namespace;
  u8 trace_id[16];
  u8 span_id[8];
  u8 flags;
  u8 open;      /* it has no whole response yet */
  u8 shared;    /* as of a connection */
  u8 padding[5];
  u64 since;    /* of the lease in which it was read */
  u8 padding2[8];
};

/* Behind them one for all, with the lease: until when, in the place of the sequence, and since when. */
#define INBOUND_SLOTS 65536

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, INBOUND_SLOTS + 1);
  __type(key, u32);
  __type(value, struct inbound_slot);
} inbound_slots SEC(".maps");

/* How far a stream of requests has been understood. */
enum phase {
  PHASE_START,    /* a request begins with the next byte */
  PHASE_HEADERS,
  PHASE_BODY,     /* for body_left bytes */
  PHASE_CHUNK_SIZE,
  PHASE_CHUNK_EXTENSION,
  PHASE_CHUNK_DATA,
  PHASE_CHUNK_END,
  PHASE_TRAILER,
  PHASE_FRAME,     /* HTTP/2: a frame begins with the next byte */
  PHASE_FRAME_DATA,
  PHASE_SWITCHING, /* an upgrade was asked for and not answered */
  PHASE_JOINED,    /* somewhere in a message, until a response comes */
  PHASE_OPAQUE,    /* not understood, or no longer HTTP/1 */
};

/* An unfinished line, and what its headers have said so far. */
struct head {
  u8 line[LINE_KEPT];
  u16 kept;        /* bytes in line */
  u8 line_long;    /* the line was longer than what is kept; its last 16 bytes are */
  u8 line_kind;    /* of a long line: what its first bytes said */
  u8 first;        /* the line is the request line */
  u8 traceparents;
  u8 traceparent_valid;
  u8 chunked;
  u8 lengths;
  u8 upgrade;
  u8 connect;
  u8 bodyless;      /* the response has no body */
  u8 trace_flags;
  u8 tracestates;
  u8 baggages;
  u32 scanned;
  u64 content_length;
  u8 trace_id[16];
  u8 parent_id[8];
};

struct connection {
  u8 way;
  u8 phase;          /* of the inbound requests */
  u8 open;           /* a request was read and its response is not complete */
  u8 answered;       /* the response has begun */
  u8 response_chunked;
  u8 bodyless;
  u8 shared;         /* whoever reads it need not wait for it, and may serve others in between */
  u8 called;         /* the thread that read the request has asked somebody since */
  u8 switched;       /* it no longer speaks HTTP/1 */
  u8 followed;       /* sk_msg tells what it does about the requests */
  u16 status;        /* of the last response that was read */
  u32 calls;         /* sends begun */
  u32 ended;         /* sends that have returned */
  u32 responses;     /* final ones that were read */
  struct thread_key reader;
  u64 inbound_sequence; /* of the reader's slot, when it read the request */
  u32 inbound_slot;
  u32 padding;
  struct thread_key connector;
  u64 connect_span;
  u64 sent;
  u64 body_left;
  u64 response_left;
  u64 since;
  u64 read;          /* when bytes were read last */
  u64 ssl;           /* the TLS session whose plaintext has the exchanges; 0 without one */
  /* Its ends, as events have them; read once. */
  u8 local[16];
  u8 remote[16];
  u16 local_port;
  u16 remote_port;
  u8 family;
  u8 ends_known;
  u8 carries;
  u8 padding2;
  struct trace_context context;
  struct head head;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 16384);
  __type(key, u64);
  __type(value, struct connection);
} conn_map SEC(".maps");

#define MOST_CARRIED 512

/* Headers of an open request that go on with what it sends: the lines, without the last line end. */
struct carried {
  u32 size;
  u32 padding;
  u8 bytes[MOST_CARRIED];
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 1024);
  __type(key, u64);
  __type(value, struct carried);
} carried_headers SEC(".maps");

/* Outbound sockets by their cookies; sk_msg runs on what they send. */
struct {
  __uint(type, BPF_MAP_TYPE_SOCKHASH);
  __uint(max_entries, 16384);
  __type(key, u64);
  __type(value, u64);
} sock_ops_map SEC(".maps");

/* What sk_msg knows of a socket. */
struct sender {
  u64 cookie;
  u64 sock;
  u64 seen;       /* bytes of the application */
  u64 body_start; /* where in the stream the body of the last request begins */
  u64 body_length;
  u64 chunk;      /* what is left of a chunk, or its size as far as it was read */
  u32 calls;
  u32 requests;
  u32 last_stream;
  u8 phase;
  u8 digits;      /* of a chunk's size; of HTTP/2, whether its settings were seen */
  u8 switching;   /* after the body, wait for the answer to an upgrade */
  u8 enrol;
  struct head head;
};

struct {
  __uint(type, BPF_MAP_TYPE_SK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct sender);
} senders SEC(".maps");

struct log_key {
  u32 pid;
  s32 fd;
};

/* Numbers of processes and descriptors are used again: what is said of one holds for this program in this process. */
struct log_owner {
  u64 started;
  u32 programs; /* that the process has run before */
  u32 by_tracer;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 16384);
  __type(key, struct log_key);
  __type(value, struct log_owner);
} log_fd_map SEC(".maps");

#define LOG_PATTERNS 8
#define PATTERN_PART 64

/* Files that are logs, too: what is called so at its beginning and at its end. */
struct log_pattern {
  u16 prefix_size;
  u16 whole; /* nothing stands between them */
  u32 suffix_size;
  char prefix[PATTERN_PART];
  char suffix[PATTERN_PART];
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, LOG_PATTERNS);
  __type(key, u32);
  __type(value, struct log_pattern);
} log_patterns SEC(".maps");

/* A system call that has begun. */
struct call {
  u64 buffer;
  u64 size;
  u64 connection;
  u64 sock;
  u64 time;
  s32 fd;
  u32 vectors;
  u8 begun;
  u8 is_line; /* it goes to a log */
  u8 remote;  /* it is about a socket of the network */
  u8 inbound; /* it writes to a connection that was accepted */
  u8 shared;  /* whoever makes it does not wait for the socket */
  u8 padding[3];
};

/* With the thread itself: nothing is cheaper, and nothing has to be tidied up. */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct call);
} calls SEC(".maps");

/* How far a message that is being sent has been gone through. */
struct progress {
  u64 start;  /* where in the stream the message begins */
  u32 size;
  u32 at;     /* what was understood of the message */
  u32 insert; /* where a header goes */
  u32 heads;
  u32 outcome;
  u32 put_in;   /* bytes that are not the application's */
  u32 dropped;
  u32 searched;
  u32 found;
};

/* An event with its bytes; before it has one, the lead holds the begin of a line that goes on in the bytes. */
struct scratch {
  u8 lead[LEAD];
  u8 bytes[2 * SCAN_LIMIT - LEAD - 256];
  u8 beyond[16];
  struct progress progress;
  char text[72];
  u32 busy;
  u32 padding;
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct scratch);
} call_scratch SEC(".maps");

/* Of its own, for sk_msg runs in the middle of calls, and can be preempted by another sk_msg. */
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct scratch);
} send_scratch SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, OUTCOMES);
  __type(key, u32);
  __type(value, u64);
} counters SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, u64);
} id_counter SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 8 * 1024 * 1024);
} events SEC(".maps");

ALWAYS_INLINE void count(u32 outcome) {
  u64 *counter = bpf_map_lookup_elem(&counters, &outcome);
  if (counter)
    *counter += 1;
}

/* Woken up every so often by the tracer itself: a wake-up for each event costs more than the event. */
ALWAYS_INLINE void emit(void *record, u64 size) {
  if (bpf_ringbuf_output(&events, record, size, BPF_RB_NO_WAKEUP))
    count(EVENTS_LOST);
  else
    count(EVENTS);
}

/* Keeps the arguments of a call until it ends. */
ALWAYS_INLINE void begin_call(struct call *call) {
  struct call *kept =
      bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!kept)
    return;
  *kept = *call;
  kept->begun = 1;
}

/* The call that this thread began, or NULL; it has ended now. */
ALWAYS_INLINE struct call *end_call(void) {
  struct call *kept = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
  if (!kept || !kept->begun)
    return NULL;
  kept->begun = 0;
  return kept;
}
