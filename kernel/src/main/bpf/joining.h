// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Connections that are older than the tracer. It names their sockets by their inodes; this finds them among all of the
 * network namespace, gives them numbers, and enrols the outbound ones. Where in a message they stand nobody knows: a
 * request is touched only after a response has been seen.
 */
#pragma once

#include "capture.h"

/* Inode numbers of sockets, and their ways. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 16384);
  __type(key, u64);
  __type(value, u8);
} joined_sockets SEC(".maps");

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct socket_alloc {
  struct socket socket;
  struct inode vfs_inode;
};

struct tcp_sock {
  int padding;
};

struct bpf_iter__tcp {
  void *meta;
  struct sock_common *sk_common;
};

#pragma clang attribute pop

SEC("iter/tcp")
int join(struct bpf_iter__tcp *context) {
  struct sock_common *common = context->sk_common;
  if (!common)
    return 0;
  struct tcp_sock *sock = bpf_skc_to_tcp_sock(common);
  if (!sock)
    return 0;
  struct socket *socket = BPF_CORE_READ((struct sock *)sock, sk_socket);
  if (!socket)
    return 0;
  struct inode *inode = (void *)socket + bpf_core_field_offset(struct socket_alloc, vfs_inode);
  u64 number = BPF_CORE_READ(inode, i_ino);
  u8 *way = bpf_map_lookup_elem(&joined_sockets, &number);
  if (!way)
    return 0;
  u64 cookie = bpf_get_socket_cookie(sock);
  struct connection *connection = know(cookie, *way, bpf_ktime_get_ns());
  if (!connection || *way != WAY_OUTBOUND || !settings.inject)
    return 0;
  struct sender *sender = bpf_sk_storage_get(&senders, sock, 0, BPF_SK_STORAGE_GET_F_CREATE);
  if (!sender)
    return 0;
  sender->cookie = cookie;
  sender->phase = PHASE_JOINED;
  sender->enrol = 1;
  if (bpf_map_update_elem(&sock_ops_map, &cookie, sock, BPF_NOEXIST))
    count(NOT_ENROLLED);
  else
    count(ENROLLED);
  return 0;
}
