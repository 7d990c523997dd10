// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * What the programs know of the kernel's own types: only the members they read. Offsets are those of the
 * running kernel, filled in when the programs are loaded (CO-RE).
 */
#pragma once

#include <stdbool.h>

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Keeps the compiler from knowing more of a value than the verifier does, and so from dropping a check. */
#define forget(value) asm volatile("" : "+r"(value))

/*
 * A pointer whose type the verifier believes, so that members are loaded and not read by a call each. Kernels before 6.2
 * do not have it.
 */
extern void *bpf_rdonly_cast(const void *object, u32 type) __ksym __weak;

#define TYPED(type, pointer) ((type *)bpf_rdonly_cast(pointer, bpf_core_type_id_kernel(type)))

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct in6_address {
  u8 bytes[16];
};

struct cookie_counter {
  s64 counter;
};

struct sock_common {
  u16 skc_family;
  u8 skc_state;
  u16 skc_num;
  __be16 skc_dport;
  __be32 skc_daddr;
  __be32 skc_rcv_saddr;
  struct in6_address skc_v6_daddr;
  struct in6_address skc_v6_rcv_saddr;
  struct cookie_counter skc_cookie;
};

struct socket;

struct sock {
  struct sock_common __sk_common;
  int sk_wmem_queued;
  int sk_sndbuf;
  u16 sk_type;
  struct socket *sk_socket;
};

struct socket {
  struct sock *sk;
};

struct inode {
  u16 i_mode;
  unsigned long i_ino;
};

struct file {
  unsigned int f_flags;
  struct inode *f_inode;
  void *private_data;
};

struct fdtable {
  unsigned int max_fds;
  struct file **fd;
};

struct files_struct {
  struct fdtable *fdt;
};

struct ns_common {
  unsigned int inum;
};

struct pid_namespace {
  struct ns_common ns;
};

struct upid {
  int nr;
  struct pid_namespace *ns;
};

struct pid {
  unsigned int level;
  struct upid numbers[1];
};

struct live_counter {
  int counter;
};

struct signal_struct {
  struct live_counter live;
};

struct mm_struct {
  struct file *exe_file;
};

#if defined(__TARGET_ARCH_arm64)
struct user_area {
  unsigned long tp_value;
};

struct thread_struct {
  struct user_area uw;
};
#define THREAD_POINTER(task) BPF_CORE_READ(task, thread.uw.tp_value)
#else
struct thread_struct {
  unsigned long fsbase;
};
#define THREAD_POINTER(task) BPF_CORE_READ(task, thread.fsbase)
#endif

struct task_struct {
  int pid;
  int tgid;
  struct mm_struct *mm;
  struct files_struct *files;
  struct pid *thread_pid;
  struct task_struct *group_leader;
  struct signal_struct *signal;
  u64 start_time;
  u32 self_exec_id; /* 64 bits on newer kernels, of which the lower ones do */
  struct thread_struct thread;
};

#pragma clang attribute pop

/* The arguments of tracepoints of system calls, which are the same everywhere. */
struct call_enter {
  u64 common;
  s64 number;
  u64 args[6];
};

struct call_exit {
  u64 common;
  s64 number;
  s64 result;
};

struct user_vector {
  u64 base;
  u64 size;
};

struct user_message {
  u64 name;
  u32 name_size;
  u32 padding;
  u64 vectors;
  u64 vector_count;
  u64 control;
  u64 control_size;
  u32 flags;
  u32 padding2;
};

#define ADDRESS_UNIX 1
#define ADDRESS_V4 2
#define ADDRESS_V6 10
#define SOCKET_STREAM 1
#define FILE_KIND 0170000
#define FILE_SOCKET 0140000
#define FILE_NONBLOCKING 04000
#define MESSAGE_PEEK 2
#define ERROR_IN_PROGRESS 115
