// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/* From a file descriptor to its socket, through the table of the calling process, and who is at its ends. */
#pragma once

#include "maps.h"

/* Numbers of sockets without a cookie are their inodes' with this bit, so that the two never meet. */
#define BY_INODE (1ULL << 63)

struct endpoint {
  struct sock *sock;
  u64 connection;
  u16 family;
  bool nonblocking;
};

ALWAYS_INLINE struct file *file_of(s32 fd) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct fdtable *table = task->files->fdt;
  if (fd < 0 || (u32)fd >= table->max_fds)
    return NULL;
  struct file *file = NULL;
  bpf_probe_read_kernel(&file, sizeof(file), table->fd + fd);
  return file;
}

ALWAYS_INLINE u64 number_of(u64 cookie, u64 inode) { return cookie ? cookie : inode | BY_INODE; }

ALWAYS_INLINE bool load_endpoint(struct file *untyped, struct endpoint *endpoint) {
  struct file *file = TYPED(struct file, untyped);
  if ((file->f_inode->i_mode & FILE_KIND) != FILE_SOCKET)
    return false;
  struct sock *sock = TYPED(struct socket, file->private_data)->sk;
  endpoint->sock = sock;
  endpoint->family = sock->__sk_common.skc_family;
  endpoint->nonblocking = file->f_flags & FILE_NONBLOCKING;
  endpoint->connection = number_of(sock->__sk_common.skc_cookie.counter, file->f_inode->i_ino);
  return sock;
}

ALWAYS_INLINE bool read_endpoint(struct file *file, struct endpoint *endpoint) {
  struct inode *inode = BPF_CORE_READ(file, f_inode);
  if ((BPF_CORE_READ(inode, i_mode) & FILE_KIND) != FILE_SOCKET)
    return false;
  struct socket *socket = BPF_CORE_READ(file, private_data);
  struct sock *sock = BPF_CORE_READ(socket, sk);
  endpoint->sock = sock;
  endpoint->family = BPF_CORE_READ(sock, __sk_common.skc_family);
  endpoint->nonblocking = BPF_CORE_READ(file, f_flags) & FILE_NONBLOCKING;
  endpoint->connection = number_of(BPF_CORE_READ(sock, __sk_common.skc_cookie.counter), BPF_CORE_READ(inode, i_ino));
  return sock;
}

/* Answers false for what is no stream socket of a family that we know. */
ALWAYS_INLINE bool endpoint_of(s32 fd, struct endpoint *endpoint) {
  struct file *file = file_of(fd);
  if (!file || !(&bpf_rdonly_cast ? load_endpoint(file, endpoint) : read_endpoint(file, endpoint)))
    return false;
  u16 family = endpoint->family;
  return family == ADDRESS_V4 || family == ADDRESS_V6 || family == ADDRESS_UNIX;
}

ALWAYS_INLINE void put_mapped(u8 *target, u32 address) {
  target[10] = 0xff;
  target[11] = 0xff;
  __builtin_memcpy(target + 12, &address, 4);
}

/* Reads the ends of a connection, as of IPv6; those of IPv4 are mapped into it. */
static __noinline int learn_ends(struct connection *connection, struct sock *sock) {
  u16 family = BPF_CORE_READ(sock, __sk_common.skc_family);
  connection->family = family;
  if (family == ADDRESS_UNIX) {
    connection->ends_known = 1;
    return 0;
  }
  connection->local_port = BPF_CORE_READ(sock, __sk_common.skc_num);
  connection->remote_port = bpf_ntohs(BPF_CORE_READ(sock, __sk_common.skc_dport));
  if (family == ADDRESS_V4) {
    put_mapped(connection->local, BPF_CORE_READ(sock, __sk_common.skc_rcv_saddr));
    put_mapped(connection->remote, BPF_CORE_READ(sock, __sk_common.skc_daddr));
  } else {
    BPF_CORE_READ_INTO((struct in6_address *)connection->local, sock, __sk_common.skc_v6_rcv_saddr);
    BPF_CORE_READ_INTO((struct in6_address *)connection->remote, sock, __sk_common.skc_v6_daddr);
  }
  /* A socket of datagrams may be connected later, and to somebody else. */
  connection->ends_known = connection->remote_port && BPF_CORE_READ(sock, sk_type) == SOCKET_STREAM;
  return 0;
}

ALWAYS_INLINE void put_ends(struct event *event, struct connection *connection, struct sock *sock) {
  if (!connection->ends_known && sock)
    learn_ends(connection, sock);
  event->family = connection->family;
  event->local_port = connection->local_port;
  event->remote_port = connection->remote_port;
  __builtin_memcpy(event->local, connection->local, 16);
  __builtin_memcpy(event->remote, connection->remote, 16);
}

ALWAYS_INLINE struct connection *connection_of(u64 number) {
  return bpf_map_lookup_elem(&conn_map, &number);
}
