// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* sockops: sockets get numbers, and outbound ones are put where sk_msg sees what they send. */
#pragma once

#include "contexts.h"

/* Enrolment is decided when a process connects, in its own name; the handshake may end in anybody's. */
SEC("sockops")
int enrol(struct bpf_sock_ops *operation) {
  struct bpf_sock *sock = operation->sk;
  if (!sock)
    return 1;
  if (operation->op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
    /* So that the socket has a number that all programs can read. */
    bpf_get_socket_cookie(operation);
    return 1;
  }
  if (operation->op == BPF_SOCK_OPS_TCP_CONNECT_CB) {
    u64 cookie = bpf_get_socket_cookie(operation);
    u64 pid_tgid = bpf_get_current_pid_tgid();
    if (!settings.inject || !active(pid_tgid))
      return 1;
    struct process *process = process_of(pid_tgid >> 32);
    if (!process || process->flags & PROCESS_ASKS_UNREAD) {
      count(NOT_ENROLLED);
      return 1;
    }
    struct sender *sender = bpf_sk_storage_get(&senders, sock, 0, BPF_SK_STORAGE_GET_F_CREATE);
    if (sender) {
      sender->cookie = cookie;
      sender->enrol = 1;
    }
    return 1;
  }
  if (operation->op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB) {
    struct sender *sender = bpf_sk_storage_get(&senders, sock, 0, 0);
    if (!sender || !sender->enrol)
      return 1;
    u64 cookie = sender->cookie;
    if (bpf_sock_hash_update(operation, &sock_ops_map, &cookie, BPF_NOEXIST))
      count(NOT_ENROLLED);
    else
      count(ENROLLED);
  }
  return 1;
}
