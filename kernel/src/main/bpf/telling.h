// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Plaintext of a process whose TLS is its own, such as a JVM's: it tells by a write to a descriptor that no process can
 * have. The kernel answers that there is none, and nothing else has happened. At the address is a head, and the bytes
 * behind it. The socket of a session is the descriptor that the head names, else the one that carried the record with
 * the head's mark.
 */
#pragma once

#include "tls.h"

#define TOLD_DESCRIPTOR 0x5e4e4954

/* With plaintext the mark is not used; with a handshake there are no bytes. */
struct told {
  u64 session;
  u64 mark_low;
  u64 mark_high;
  s32 fd;
  u32 doing;
};

static __noinline int told_handshake(u32 pid, struct told *told) {
  struct tls_mark mark = {.low = told->mark_low, .high = told->mark_high, .pid = pid};
  if (tls_session_of(pid, told->session))
    return 0;
  struct tls_marked *read = bpf_map_lookup_elem(&tls_marks, &mark);
  if (read && read->connection) {
    learn_session(pid, told->session, read->connection, read->fd);
    bpf_map_delete_elem(&tls_marks, &mark);
    return 0;
  }
  struct tls_marked made = {.ssl = told->session};
  bpf_map_update_elem(&tls_marks, &mark, &made, BPF_ANY);
  return 0;
}

static __noinline int on_told(u64 address, u64 size) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  u32 pid = pid_tgid >> 32;
  struct told told;
  if (!active(pid_tgid) || size < sizeof(told) || bpf_probe_read_user(&told, sizeof(told), (void *)address))
    return 0;
  struct process *process = process_of(pid);
  if (process && !(process->flags & PROCESS_TELLS_PLAINTEXT))
    __sync_fetch_and_or(&process->flags, PROCESS_TELLS_PLAINTEXT);
  size -= sizeof(told);
  if (told.doing == TLS_SHAKES_HANDS)
    return told_handshake(pid, &told);
  if ((told.doing != TLS_READS && told.doing != TLS_WRITES) || !size || size > SCAN_LIMIT)
    return 0;
  struct call call = {.buffer = address + sizeof(told), .size = size, .fd = told.fd, .time = bpf_ktime_get_ns()};
  return on_plaintext(&call, told.session, told.doing);
}
