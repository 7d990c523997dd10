// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/* Copyright The Sennit Authors */
/*
 * Which request a thread is busy with, and which span an outbound request belongs to. Right or silent: a parent is
 * used only where no other is possible.
 */
#pragma once

#include "http.h"
#include "ids.h"
#include "sockets.h"
#include "filter.h"

ALWAYS_INLINE struct thread_key thread_of(u64 pid_tgid) {
  struct thread_key key = {.pid = pid_tgid >> 32, .tid = (u32)pid_tgid};
  return key;
}

ALWAYS_INLINE void put_id(u8 *target, u64 id) {
  __builtin_memcpy(target, &id, sizeof(id));
}

/* The identity of a request that was read: its sender's trace, or a new one. */
ALWAYS_INLINE void identify(struct trace_context *context, struct head *head, u64 now) {
  u64 span = next_id();
  put_id(context->span_id, span);
  if (head->traceparent_valid) {
    __builtin_memcpy(context->trace_id, head->trace_id, 16);
    __builtin_memcpy(context->parent_id, head->parent_id, 8);
    context->flags = head->trace_flags;
    count(CONTEXT_CONTINUED);
  } else {
    u64 random = next_id();
    put_id(context->trace_id, next_id());
    put_id(context->trace_id + 8, random);
    __builtin_memset(context->parent_id, 0, 8);
    context->flags = random <= settings.sample_below;
    if (head->traceparents)
      count(CONTEXT_INVALID);
    count(CONTEXT_NEW);
  }
  context->time = now;
}

/* A thread as its own process knows it. */
struct own_thread {
  u32 tid;
  u32 pid_namespace;
};

ALWAYS_INLINE struct own_thread own_thread(void) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct pid *pid = task->thread_pid;
  u32 level = pid->level;
  if (!level) {
    struct own_thread first = {.tid = pid->numbers[0].nr, .pid_namespace = pid->numbers[0].ns->ns.inum};
    return first;
  }
  u32 size = bpf_core_type_size(struct upid);
  struct upid *number = (void *)pid + bpf_core_field_offset(struct pid, numbers) + level * size;
  struct own_thread thread = {.tid = BPF_CORE_READ(number, nr), .pid_namespace = BPF_CORE_READ(number, ns, ns.inum)};
  return thread;
}

/*
 * Tells the thread, in the memory that its process has mapped, what it has just read. Of two whose numbers meet at the
 * same moment the second is told nothing, for neither could trust what both have written.
 */
ALWAYS_INLINE void tell_thread(struct connection *connection) {
  struct own_thread thread = own_thread();
  u32 index = thread.tid % INBOUND_SLOTS;
  struct inbound_slot *slot = bpf_map_lookup_elem(&inbound_slots, &index);
  if (!slot)
    return;
  u64 sequence = slot->sequence;
  if (sequence & 1 || __sync_val_compare_and_swap(&slot->sequence, sequence, sequence + 1) != sequence)
    return;
  slot->tid = thread.tid;
  slot->pid_namespace = thread.pid_namespace;
  __builtin_memcpy(slot->trace_id, connection->context.trace_id, 16);
  __builtin_memcpy(slot->span_id, connection->context.span_id, 8);
  slot->flags = connection->context.flags;
  slot->open = 1;
  slot->shared = connection->shared;
  slot->since = lease_since();
  connection->inbound_slot = index;
  connection->inbound_sequence = __sync_fetch_and_add(&slot->sequence, 1) + 1;
}

/* Run by the tracer with each renewal, for only programs can write what processes have mapped. */
SEC("syscall")
int tell_lease(void *nothing) {
  u32 zero = 0;
  u32 index = INBOUND_SLOTS;
  struct inbound_slot *slot = bpf_map_lookup_elem(&inbound_slots, &index);
  struct lease *lease = bpf_map_lookup_elem(&tracing_enabled, &zero);
  if (slot && lease) {
    slot->since = lease->since;
    slot->sequence = lease->until;
  }
  return 0;
}

ALWAYS_INLINE void tell_answered(struct connection *connection) {
  u32 index = connection->inbound_slot;
  if (!connection->inbound_sequence)
    return;
  struct inbound_slot *slot = bpf_map_lookup_elem(&inbound_slots, &index);
  if (slot && slot->sequence == connection->inbound_sequence)
    slot->open = 0;
}

/* A process has one open request more, or less. */
ALWAYS_INLINE struct process *serve(u32 pid, u64 number, s32 change) {
  struct process *process = process_of(pid);
  if (!process)
    return NULL;
  u64 since = lease_since();
  u64 before = process->since;
  if (before != since) {
    u32 open = process->open;
    u64 numbers = process->open_numbers;
    /* Whoever comes first takes away what was counted before the gap, and nothing that others add meanwhile. */
    if (__sync_val_compare_and_swap(&process->since, before, since) == before) {
      __sync_fetch_and_sub(&process->open, open);
      __sync_fetch_and_xor(&process->open_numbers, numbers);
    }
  }
  __sync_fetch_and_add(&process->open, change);
  __sync_fetch_and_xor(&process->open_numbers, number);
  process->served = 1;
  return process;
}

/* The thread has one exchange less to answer. */
__noinline int end_exchange(struct connection *connection) {
  if (!connection || !connection->open)
    return 0;
  connection->open = 0;
  tell_answered(connection);
  if (before_gap(connection->context.time))
    return 0;
  struct thread_key reader = connection->reader;
  serve(reader.pid, connection->context.connection, -1);
  struct trace_context *context = bpf_map_lookup_elem(&thread_trace_ctx, &reader);
  if (!context)
    return 0;
  if (context->open)
    context->open--;
  return 0;
}

/* In its place, where the thread has one: to drop an entry and to make one costs more than all else about it. */
ALWAYS_INLINE void put_context(struct thread_key *thread, struct trace_context *kept, struct trace_context *context) {
  if (!kept) {
    bpf_map_update_elem(&thread_trace_ctx, thread, context, BPF_ANY);
    return;
  }
  __sync_fetch_and_or(&kept->sequence, 1);
  __builtin_memcpy(kept->trace_id, context->trace_id, 16);
  __builtin_memcpy(kept->span_id, context->span_id, 8);
  __builtin_memcpy(kept->parent_id, context->parent_id, 8);
  kept->flags = context->flags;
  kept->ambiguous = 0;
  kept->open = 1;
  kept->connection = context->connection;
  kept->time = context->time;
  __sync_fetch_and_add(&kept->sequence, 1);
}

/* The thread has read the head of a request. */
__noinline int begin_exchange(struct connection *connection, struct call *call) {
  if (!connection || !call)
    return 0;
  u64 number = call->connection;
  end_exchange(connection);
  struct thread_key thread = thread_of(bpf_get_current_pid_tgid());
  identify(&connection->context, &connection->head, call->time);
  connection->context.connection = number;
  connection->context.open = 1;
  connection->context.ambiguous = 0;
  connection->reader = thread;
  connection->open = 1;
  struct process *process = serve(thread.pid, number, 1);
  connection->shared = call->shared;
  connection->inbound_sequence = 0;
  connection->called = 0;
  if (process && process->flags & PROCESS_IS_TOLD)
    tell_thread(connection);
  connection->answered = 0;
  connection->response_chunked = 0;
  connection->response_left = 0;
  connection->bodyless = connection->head.bodyless;
  struct trace_context *busy = bpf_map_lookup_elem(&thread_trace_ctx, &thread);
  if (busy && busy->open && !before_gap(busy->time)) {
    struct connection *other = connection_of(busy->connection);
    if (busy->ambiguous || (other && other->open && busy->connection != number)) {
      busy->open++;
      busy->ambiguous = 1;
      count(CONTEXT_AMBIGUOUS);
      return 0;
    }
  }
  put_context(&thread, busy, &connection->context);
  return 0;
}

/* As many answers from the thread that read show that a process has a thread for each request. */
#define KEPT_ENOUGH 16

/*
 * Whether a thread that has read a request serves it until the end. One that waits for its socket does; one that does
 * not may be an event loop, or run what another thread has begun, until the process has shown that it does not.
 */
ALWAYS_INLINE bool stays(struct process *process, struct connection *inbound) {
  return !inbound->shared || process->kept >= KEPT_ENOUGH;
}

/* Somebody answers a request: where threads do not keep to theirs, what a thread has read says nothing. */
ALWAYS_INLINE void note_answer(struct connection *connection) {
  u64 pid_tgid = bpf_get_current_pid_tgid();
  struct process *process = process_of(pid_tgid >> 32);
  if (!process)
    return;
  if (connection->reader.tid == (u32)pid_tgid && connection->reader.pid == pid_tgid >> 32) {
    if (connection->called)
      __sync_fetch_and_add(&process->kept, 1);
    connection->called = 0;
  } else if (!(process->flags & PROCESS_ANSWERS_ELSEWHERE)) {
    __sync_fetch_and_or(&process->flags, PROCESS_ANSWERS_ELSEWHERE);
    count(ANSWERED_ELSEWHERE);
  }
}

/* What a thread publishes of itself: a slot of the ring of its process. */
struct ring_slot {
  u64 trace_high;
  u64 trace_low;
  u64 span;
  u64 control;
};

struct parent {
  u8 trace_id[16];
  u8 span_id[8];
  u8 flags;
  u8 source;      /* PARENT_… */
  u64 carried; /* the number of the connection whose request had headers that go on with this one; 0 for none */
};

/* The record of OTEP 4947, behind a thread-local pointer. Its thread is in a system call and cannot change it. */
struct pointed_record {
  u8 trace_id[16];
  u8 span_id[8];
  u8 valid;
  u8 flags;
  u8 rest[6];
};

ALWAYS_INLINE bool pointed_record_of_thread(struct record_place *place, struct parent *parent) {
  struct task_struct *task = (void *)bpf_get_current_task();
  u64 record = 0;
  struct pointed_record found;
  if (bpf_probe_read_user(&record, sizeof(record), (void *)(THREAD_POINTER(task) + place->pointer_distance)) || !record ||
      bpf_probe_read_user(&found, 26, (void *)record) || found.valid != 1 || all_zero(found.trace_id, 16) ||
      all_zero(found.span_id, 8))
    return false;
  __builtin_memcpy(parent->trace_id, found.trace_id, 16);
  __builtin_memcpy(parent->span_id, found.span_id, 8);
  parent->flags = found.flags;
  parent->source = PARENT_RECORD;
  return true;
}

ALWAYS_INLINE bool record_of_thread(struct record_place *place, struct parent *parent) {
  if (place->pointer_distance)
    return pointed_record_of_thread(place, parent);
  if (!place->ring_address || !place->ring_capacity)
    return false;
  u32 tid = place->global_numbers ? (u32)bpf_get_current_pid_tgid() : own_thread().tid;
  u64 address = place->ring_address + 32 + 32ULL * (tid % place->ring_capacity);
  u64 before;
  struct ring_slot slot;
  /* The thread is in a system call and cannot write, but the slot may be another's: tids share slots. */
  if (bpf_probe_read_user(&before, sizeof(before), (void *)address + 24) ||
      bpf_probe_read_user(&slot, sizeof(slot), (void *)address) || slot.control != before)
    return false;
  if ((slot.control & 0xff) || (slot.control >> 16 & 0xffffff) != tid || !slot.span || !(slot.trace_high | slot.trace_low))
    return false;
  u64 high = bpf_cpu_to_be64(slot.trace_high);
  u64 low = bpf_cpu_to_be64(slot.trace_low);
  put_id(parent->trace_id, high);
  put_id(parent->trace_id + 8, low);
  put_id(parent->span_id, bpf_cpu_to_be64(slot.span));
  parent->flags = slot.control >> 8;
  parent->source = PARENT_RECORD;
  return true;
}

ALWAYS_INLINE bool keeps_records(struct record_place *place) {
  return place->pointer_distance || (place->ring_address && place->ring_capacity);
}

ALWAYS_INLINE bool context_of_thread(struct process *process, struct thread_key *thread, struct parent *parent, u64 span, bool calls) {
  struct trace_context *context = bpf_map_lookup_elem(&thread_trace_ctx, thread);
  if (!context)
    return false;
  u32 sequence = __sync_fetch_and_add(&context->sequence, 0);
  if (sequence & 1 || context->open != 1 || context->ambiguous)
    return false;
  u64 carried = 0;
  /* One that the tracer has set belongs to no connection. */
  if (context->connection) {
    struct connection *inbound = connection_of(context->connection);
    if (!inbound || !inbound->open || before_gap(context->time))
      return false;
    if (calls)
      inbound->called = 1;
    if (!stays(process, inbound))
      return false;
    carried = inbound->carries ? context->connection : 0;
  }
  u64 now_in = 0;
  __builtin_memcpy(&now_in, context->span_id, 8);
  if (span && now_in != span)
    return false;
  __builtin_memcpy(parent->trace_id, context->trace_id, 16);
  __builtin_memcpy(parent->span_id, context->span_id, 8);
  parent->flags = context->flags;
  parent->carried = carried;
  /* Another thread's may have changed meanwhile. */
  return __sync_fetch_and_add(&context->sequence, 0) == sequence;
}

/*
 * The only request that a process serves, whatever its thread: a process that also calls others when it serves none
 * may be doing so now.
 */
ALWAYS_INLINE bool only_context(struct process *process, u32 pid, struct parent *parent) {
  if (!process->open && process->served)
    __sync_fetch_and_or(&process->flags, PROCESS_HAS_OTHER_WORK);
  u64 number = process->open_numbers;
  if (process->flags & PROCESS_HAS_OTHER_WORK || process->open != 1)
    return false;
  struct connection *inbound = connection_of(number);
  if (!inbound || !inbound->open || inbound->reader.pid != pid || before_gap(inbound->context.time))
    return false;
  __builtin_memcpy(parent->trace_id, inbound->context.trace_id, 16);
  __builtin_memcpy(parent->span_id, inbound->context.span_id, 8);
  parent->flags = inbound->context.flags;
  parent->carried = inbound->carries ? number : 0;
  parent->source = PARENT_ONLY;
  return true;
}

/* The span that a request belongs to which this thread is about to send. */
__noinline int certain_parent(struct parent *parent, struct connection *connection, u32 requests) {
  if (!parent || !connection)
    return 0;
  u64 pid_tgid = bpf_get_current_pid_tgid();
  u32 pid = pid_tgid >> 32;
  struct process *process = process_of(pid);
  if (!process)
    return 0;
  if (record_of_thread(&process->place, parent))
    return 1;
  if (!(process->flags & PROCESS_ANSWERS_ELSEWHERE)) {
    struct thread_key thread = thread_of(pid_tgid);
    if (context_of_thread(process, &thread, parent, 0, true)) {
      parent->source = PARENT_THREAD;
      return 1;
    }
    /* Later requests of a kept connection may be anybody's. */
    struct thread_key connector = connection->connector;
    if (!requests && connector.pid == pid && connector.tid != thread.tid &&
        context_of_thread(process, &connector, parent, connection->connect_span, true)) {
      parent->source = PARENT_CONNECT;
      return 1;
    }
  }
  return only_context(process, pid, parent);
}

/* The same; where there is none a trace may begin. */
ALWAYS_INLINE int find_parent(struct parent *parent, struct connection *connection, u32 requests) {
  if (certain_parent(parent, connection, requests))
    return 1;
  if (!settings.start_traces)
    return 0;
  u64 random = next_id();
  put_id(parent->trace_id, next_id());
  put_id(parent->trace_id + 8, random);
  __builtin_memset(parent->span_id, 0, 8);
  parent->flags = random <= settings.sample_below;
  parent->source = PARENT_NEW;
  return 1;
}
