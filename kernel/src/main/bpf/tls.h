// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * What goes through OpenSSL's functions, and those of libraries with the same ones, before it is encrypted and after it
 * was decrypted. All is done when a function returns: only then it is known what was read, what of a write was taken,
 * and, where the function moves its own records, by which socket. The tracer attaches these programs by the functions'
 * places in the files that export them.
 */
#pragma once

#include "capture.h"

/* The registers at a function's begin and end, which are the kernel's interface for uprobes. */
#if defined(__TARGET_ARCH_x86)
struct registers {
  u64 unused[10];
  u64 ax;
  u64 cx;
  u64 dx;
  u64 si;
  u64 di;
  u64 unused2[4];
  u64 sp;
};
#define FIRST(registers) ((registers)->di)
#define SECOND(registers) ((registers)->si)
#define FOURTH(registers) ((registers)->cx)
#define RESULT(registers) ((registers)->ax)
/* Returning takes the address off. */
#define STACK_AFTER(registers) ((registers)->sp + 8)
#else
struct registers {
  u64 x[31];
  u64 sp;
};
#define FIRST(registers) ((registers)->x[0])
#define SECOND(registers) ((registers)->x[1])
#define FOURTH(registers) ((registers)->x[3])
#define RESULT(registers) ((registers)->x[0])
#define STACK_AFTER(registers) ((registers)->sp)
#endif

/* Of its own, for what runs at a function can be preempted by what runs at a call. */
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, u32);
  __type(value, struct scratch);
} tls_scratch SEC(".maps");

static __noinline int begin_function(struct tls_thread *begun) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!active(pid_tgid))
    return 0;
  struct tls_thread *thread = tls_thread_of(pid_tgid);
  if (!thread)
    return 0;
  /* Inside of another one, whose plaintext it is. What was left by one that never returned is not further up. */
  if (thread->ssl && begun->stack < thread->stack)
    return 0;
  u64 read = thread->read;
  thread->ssl = begun->ssl;
  thread->stack = begun->stack;
  thread->buffer = begun->buffer;
  thread->moved = begun->moved;
  thread->doing = begun->doing;
  thread->time = bpf_ktime_get_ns();
  thread->read = 0;
  if (read && begun->doing != TLS_WRITES && !tls_session_of(pid_tgid >> 32, begun->ssl))
    learn_session(pid_tgid >> 32, begun->ssl, read, thread->read_fd);
  return 0;
}

SEC("uprobe") int tls_read(struct registers *registers) {
  struct tls_thread begun = {
      .ssl = FIRST(registers), .stack = STACK_AFTER(registers), .buffer = SECOND(registers), .doing = TLS_READS};
  return begin_function(&begun);
}

SEC("uprobe") int tls_read_ex(struct registers *registers) {
  struct tls_thread begun = {.ssl = FIRST(registers),
                             .stack = STACK_AFTER(registers),
                             .buffer = SECOND(registers),
                             .moved = FOURTH(registers),
                             .doing = TLS_READS};
  return begin_function(&begun);
}

SEC("uprobe") int tls_write(struct registers *registers) {
  struct tls_thread begun = {
      .ssl = FIRST(registers), .stack = STACK_AFTER(registers), .buffer = SECOND(registers), .doing = TLS_WRITES};
  return begin_function(&begun);
}

SEC("uprobe") int tls_write_ex(struct registers *registers) {
  struct tls_thread begun = {.ssl = FIRST(registers),
                             .stack = STACK_AFTER(registers),
                             .buffer = SECOND(registers),
                             .moved = FOURTH(registers),
                             .doing = TLS_WRITES};
  return begin_function(&begun);
}

SEC("uprobe") int tls_handshake(struct registers *registers) {
  struct tls_thread begun = {.ssl = FIRST(registers), .stack = STACK_AFTER(registers), .doing = TLS_SHAKES_HANDS};
  return begin_function(&begun);
}

/* The socket of a session, as it is now: a descriptor may be closed and another have its number. */
ALWAYS_INLINE bool socket_of_session(u32 pid, u64 ssl, struct call *call) {
  struct tls_session *session = tls_session_of(pid, ssl);
  if (!session)
    return false;
  u64 number = session->connection;
  call->fd = session->fd;
  if (place(call) && (!number || number == call->connection))
    return true;
  struct tls_key key = {.pid = pid, .ssl = ssl};
  if (number)
    bpf_map_delete_elem(&tls_sessions, &key);
  return false;
}

/* By the descriptor of the call; one that is negative is that of the session. */
static __noinline int on_plaintext(struct call *call, u64 ssl, u32 doing) {
  u32 zero = 0;
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (call->fd >= 0 ? !place(call) : !socket_of_session(pid_tgid >> 32, ssl, call)) {
    count(TLS_WITHOUT_SOCKET);
    return 0;
  }
  struct connection *connection = know(call->connection, WAY_UNKNOWN, call->time);
  struct scratch *scratch = bpf_map_lookup_elem(&tls_scratch, &zero);
  if (!connection || !scratch)
    return 0;
  if (__sync_lock_test_and_set(&scratch->busy, 1)) {
    count(EVENTS_LOST);
    return 0;
  }
  claim(connection, ssl);
  if (doing == TLS_READS)
    take_in(scratch, connection, call, gather_in(scratch, connection, call), EVENT_TLS_IN);
  else
    give_out(scratch, connection, call, gather_out(scratch, connection, call), EVENT_TLS_OUT);
  __sync_lock_test_and_set(&scratch->busy, 0);
  return 0;
}

SEC("uretprobe") int tls_return(struct registers *registers) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct tls_thread *thread = bpf_map_lookup_elem(&tls_threads, &pid_tgid);
  if (!thread || !thread->ssl || registers->sp != thread->stack)
    return 0;
  u64 ssl = thread->ssl;
  u32 doing = thread->doing;
  thread->ssl = 0;
  s64 size = (s32)RESULT(registers);
  if (thread->moved && (size != 1 || bpf_probe_read_user(&size, sizeof(size), (void *)thread->moved)))
    size = 0;
  if (doing == TLS_SHAKES_HANDS || size < 0)
    size = 0;
  /* Records may be sent together: the first is that of the first data. A read may have shaken hands. */
  if (thread->wrote != ssl)
    thread->wrote_size = doing == TLS_WRITES ? size : 0;
  thread->wrote = ssl;
  if (!size || !active(pid_tgid))
    return 0;
  struct call call = {.buffer = thread->buffer, .size = size, .fd = -1};
  call.time = doing == TLS_WRITES ? thread->time : bpf_ktime_get_ns();
  return on_plaintext(&call, ssl, doing);
}

/* Also where there is one descriptor for each way: they are mostly the same. */
SEC("uprobe") int tls_set_fd(struct registers *registers) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  if (!active(pid_tgid))
    return 0;
  struct tls_key key = {.pid = pid_tgid >> 32, .ssl = FIRST(registers)};
  struct tls_session session = {.fd = SECOND(registers)};
  bpf_map_update_elem(&tls_sessions, &key, &session, BPF_ANY);
  return 0;
}

SEC("uprobe") int tls_free(struct registers *registers) {
  u32 pid = bpf_get_current_pid_tgid() >> 32;
  struct tls_session *session = tls_session_of(pid, FIRST(registers));
  if (!session)
    return 0;
  struct endpoint end = {.connection = session->connection};
  if (!end.connection)
    endpoint_of(session->fd, &end);
  struct connection *connection = connection_of(end.connection);
  if (connection && connection->ssl == FIRST(registers))
    connection->ssl = 0;
  struct tls_key key = {.pid = pid, .ssl = FIRST(registers)};
  bpf_map_delete_elem(&tls_sessions, &key);
  return 0;
}
