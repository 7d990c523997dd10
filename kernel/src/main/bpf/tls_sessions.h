// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Which socket carries the records of a TLS session. An application may say so (SSL_set_fd); many do not, and move the
 * records themselves. Then it is learnt from a socket call of the same thread that carries the begin of a record:
 *
 *   inside of a TLS function      the function moves its own records
 *   after one that made records   the first record that the thread sends, if its kind and length fit
 *   before one that takes them    the record that the thread read last, if nobody has taken it
 *
 * A process that tells its plaintext itself marks its records: sixteen bytes of one are enough to know it again.
 *
 * A socket belongs to one session at a time. Right or silent: what fits none of these is counted.
 */
#pragma once

#include "contexts.h"

#define RECORD_HEAD 5
#define RECORD_FIRST_KIND 20
#define RECORD_DATA 23
#define RECORD_LAST_MINOR 4
#define RECORD_MOST_DATA 16384
/* What encryption adds to the data of a record, at least and at most (RFC 5246, 6.2.3; RFC 8446, 5.2). */
#define RECORD_LEAST_MORE 9
#define RECORD_MOST_MORE 320

struct tls_key {
  u64 ssl;
  u32 pid;
  u32 padding;
};

/* The connection is 0 where the application has said which descriptor it is. */
struct tls_session {
  u64 connection;
  s32 fd;
  u32 padding;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 16384);
  __type(key, struct tls_key);
  __type(value, struct tls_session);
} tls_sessions SEC(".maps");

/* Of a hello these bytes are random; of later records they are ciphertext. */
#define MARK_START 11
#define MARK_END 27

struct tls_mark {
  u64 low;
  u64 high;
  u32 pid;
  u32 padding;
};

/* Of a record that was read its connection, of one that is yet to be sent its session. */
struct tls_marked {
  u64 ssl;
  u64 connection;
  s32 fd;
  u32 padding;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 4096);
  __type(key, struct tls_mark);
  __type(value, struct tls_marked);
} tls_marks SEC(".maps");

enum tls_doing {
  TLS_READS = 1,
  TLS_WRITES,
  TLS_SHAKES_HANDS,
};

/* A TLS function that a thread is in, and what its socket calls may have to do with one. */
struct tls_thread {
  u64 ssl;    /* 0 outside of a function */
  u64 stack;  /* where the stack will be when it returns: a function inside of it is further down */
  u64 buffer;
  u64 moved;  /* where the function puts how much it moved; 0 if that is its result */
  u64 time;
  u64 wrote;  /* the session that has made records which the thread did not send yet */
  u64 read;   /* the connection whose record was read and not taken */
  s32 read_fd;
  u32 wrote_size; /* the data of the first of those records; 0 for a handshake's */
  u32 doing;
  u32 padding;
};

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, 8192);
  __type(key, u64);
  __type(value, struct tls_thread);
} tls_threads SEC(".maps");

const struct tls_thread NO_TLS_THREAD = {};

ALWAYS_INLINE struct tls_thread *tls_thread_of(u64 pid_tgid) {
  struct tls_thread *known = bpf_map_lookup_elem(&tls_threads, &pid_tgid);
  if (known)
    return known;
  bpf_map_update_elem(&tls_threads, &pid_tgid, &NO_TLS_THREAD, BPF_NOEXIST);
  return bpf_map_lookup_elem(&tls_threads, &pid_tgid);
}

ALWAYS_INLINE struct tls_session *tls_session_of(u32 pid, u64 ssl) {
  struct tls_key key = {.pid = pid, .ssl = ssl};
  return bpf_map_lookup_elem(&tls_sessions, &key);
}

/* From now on the connection's exchanges are in the plaintext; what its ciphertext looked like is forgotten. */
ALWAYS_INLINE void claim(struct connection *connection, u64 ssl) {
  if (connection->ssl == ssl)
    return;
  end_exchange(connection);
  connection->ssl = ssl;
  connection->phase = PHASE_START;
  connection->body_left = 0;
}

static __noinline int learn_session(u32 pid, u64 ssl, u64 number, s32 fd) {
  struct connection *connection = connection_of(number);
  if (!connection || connection->ssl)
    return 0;
  claim(connection, ssl);
  if (tls_session_of(pid, ssl))
    return 0;
  struct tls_key key = {.pid = pid, .ssl = ssl};
  struct tls_session session = {.connection = number, .fd = fd};
  bpf_map_update_elem(&tls_sessions, &key, &session, BPF_ANY);
  return 0;
}

/* The kind and length of the record that begins with these bytes; 0 where none does. */
ALWAYS_INLINE u32 record_in(struct scratch *scratch, u32 copied) {
  u64 head = word_at(scratch, LEAD);
  u32 kind = head & 0xff;
  if (copied < RECORD_HEAD || kind < RECORD_FIRST_KIND || kind > RECORD_DATA || (head >> 8 & 0xff) != 3 ||
      (head >> 16 & 0xff) > RECORD_LAST_MINOR)
    return 0;
  return kind << 16 | (head >> 24 & 0xff) << 8 | (head >> 32 & 0xff);
}

/* Whether records of this process are marked, and the mark of this one. */
ALWAYS_INLINE bool mark_in(struct scratch *scratch, u32 copied, struct tls_mark *mark) {
  mark->pid = bpf_get_current_pid_tgid() >> 32;
  struct process *process = bpf_map_lookup_elem(&processes, &mark->pid);
  if (copied < MARK_END || !process || !(process->flags & PROCESS_TELLS_PLAINTEXT))
    return false;
  mark->low = word_at(scratch, LEAD + MARK_START);
  mark->high = word_at(scratch, LEAD + MARK_START + 8);
  return true;
}

static __noinline int record_received(struct scratch *scratch, u32 copied, u64 number, s32 fd) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct tls_mark mark = {};
  if (mark_in(scratch, copied, &mark)) {
    struct tls_marked read = {.connection = number, .fd = fd};
    bpf_map_update_elem(&tls_marks, &mark, &read, BPF_ANY);
  }
  struct tls_thread *thread = tls_thread_of(pid_tgid);
  if (!thread)
    return 0;
  if (thread->ssl)
    return learn_session(pid_tgid >> 32, thread->ssl, number, fd);
  thread->read = number;
  thread->read_fd = fd;
  return 0;
}

/* Whether a record is the first that a session made of so much data. */
ALWAYS_INLINE bool record_fits(u32 record, u32 data) {
  u32 kind = record >> 16;
  u32 length = record & 0xffff;
  if (!data)
    return kind != RECORD_DATA;
  if (data > RECORD_MOST_DATA)
    data = RECORD_MOST_DATA;
  return kind == RECORD_DATA && length >= data + RECORD_LEAST_MORE && length <= data + RECORD_MOST_MORE;
}

static __noinline int record_sent(struct scratch *scratch, u32 copied, struct call *call, u32 record) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  u64 number = call->connection;
  s32 fd = call->fd;
  struct tls_mark mark = {};
  if (mark_in(scratch, copied, &mark)) {
    struct tls_marked *made = bpf_map_lookup_elem(&tls_marks, &mark);
    if (made && made->ssl) {
      learn_session(pid_tgid >> 32, made->ssl, number, fd);
      bpf_map_delete_elem(&tls_marks, &mark);
    }
  }
  struct tls_thread *thread = bpf_map_lookup_elem(&tls_threads, &pid_tgid);
  if (!thread)
    return 0;
  if (thread->ssl)
    return learn_session(pid_tgid >> 32, thread->ssl, number, fd);
  u64 wrote = thread->wrote;
  thread->wrote = 0;
  if (wrote && record_fits(record, thread->wrote_size) && !tls_session_of(pid_tgid >> 32, wrote))
    learn_session(pid_tgid >> 32, wrote, number, fd);
  return 0;
}

/* What was read before a thread has opened a connection says nothing of a session that begins afterwards. */
ALWAYS_INLINE void forget_record(u64 pid_tgid) {
  struct tls_thread *thread = bpf_map_lookup_elem(&tls_threads, &pid_tgid);
  if (thread) {
    thread->read = 0;
    thread->wrote = 0;
  }
}
