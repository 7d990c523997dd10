/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.libbpf.SockhashCheck;
import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.EventRing;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The programs, loaded for as long as this is open and attached while it is active: whom they
 * observe is said by {@link Target}s, what they see goes to one consumer on one thread. A lease
 * that is renewed every second keeps them from acting when this process is gone.
 */
public final class KernelTracer implements HookProvider {
  private static final long BETWEEN_SWEEPS = TimeUnit.SECONDS.toNanos(1);
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BATCH = 4096;

  /** Fewer events at a time are not worth being woken up for, and more should not wait so long. */
  private static final int FEW = 128;

  private static final int MANY = 512;
  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int ENOENT = 2;
  private static final long UNREAD_IS_ZERO = 1;
  private static final List<String> NOT_BY_SECTION =
      List.of("send_message", "enrol", "join", Lease.PROGRAM);

  private final TracerSettings settings;
  private final List<Target> targets;
  private final EventConsumer consumer;
  private final BpfObject object;
  private final EventRing ring;
  private final Lease lease;
  private final BpfMap counters;
  private final BpfMap sockets;
  private final ProcessEntries processes;
  private final @Nullable InboundMap inbound;
  private final ThreadRecords records;
  private final ContextSweep sweep;
  private final KernelTraceInjector injector;
  private final TlsAttachments tls;
  private final LogDescriptors logs;
  private final ObservedCgroups cgroups;

  /** Where the targets live, but not the root, which is everybody's. */
  private final Set<Cgroup> homes;

  /** Homes in which connections are enrolled from their begin on, with what ends that. */
  private final Map<Cgroup, Runnable> enrolled = new HashMap<>();

  private final List<String> missing = new ArrayList<>();
  private final Thread reader;
  private boolean unreadIsZero;
  private volatile @Nullable RuntimeException eventFailure;
  private volatile boolean active;
  private volatile boolean closed;

  private KernelTracer(
      TracerSettings settings,
      List<Target> targets,
      EventConsumer consumer,
      BpfObject object,
      @Nullable InboundMap inbound)
      throws IOException {
    this.settings = settings;
    this.targets = targets;
    this.consumer = consumer;
    this.object = object;
    ring = new EventRing(object.map("events").fd(), settings.ringBytes());
    lease = new Lease(object);
    counters = object.map("counters");
    sockets = object.map("sock_ops_map");
    processes = new ProcessEntries(object);
    this.inbound = inbound;
    records = new ThreadRecords(processes);
    sweep =
        new ContextSweep(
            object.map("thread_trace_ctx"), object.map("conn_map"), settings.contextLifetime());
    injector = new KernelTraceInjector(object.map("thread_trace_ctx"), settings.inject());
    tls = new TlsAttachments(object);
    logs =
        new LogDescriptors(
            object.map("log_fd_map"), object.map("log_patterns"), settings.logFiles());
    cgroups = new ObservedCgroups(object.map("cgroup_targets"), cgroupsOf(targets));
    homes = new LinkedHashSet<>(cgroupsOf(targets));
    reader = Thread.ofPlatform().name("sennit-kernel-events").daemon().unstarted(this::read);
  }

  /**
   * Loads the programs, attaches them, and begins to hand on what they see.
   *
   * @throws BpfException when the kernel refuses something
   * @throws IOException when a cgroup cannot be read
   */
  public static KernelTracer start(
      TracerSettings settings, List<Target> targets, EventConsumer consumer) throws IOException {
    return started(load(settings, targets, consumer));
  }

  /** The same, with an array for the threads that is there already. */
  public static KernelTracer start(
      TracerSettings settings, List<Target> targets, EventConsumer consumer, InboundMap inbound)
      throws IOException {
    return started(load(settings, targets, consumer, inbound));
  }

  private static KernelTracer started(KernelTracer tracer) throws IOException {
    try {
      tracer.activate();
      return tracer;
    } catch (RuntimeException | IOException e) {
      tracer.close();
      throw e;
    }
  }

  /** Loads the programs, and attaches them when it is told to. */
  public static KernelTracer load(
      TracerSettings settings, List<Target> targets, EventConsumer consumer) throws IOException {
    return loaded(settings, targets, consumer, null);
  }

  /** The same, with an array for the threads that is there already, and that stays the caller's. */
  public static KernelTracer load(
      TracerSettings settings, List<Target> targets, EventConsumer consumer, InboundMap inbound)
      throws IOException {
    return loaded(settings, targets, consumer, inbound);
  }

  private static KernelTracer loaded(
      TracerSettings settings,
      List<Target> targets,
      EventConsumer consumer,
      @Nullable InboundMap inbound)
      throws IOException {
    Tracefs.mountIfMissing();
    BpfObject object = BpfObject.open("sennit", ProgramFile.read());
    try {
      object.initialize(".rodata.settings", memory -> ProgramFile.write(settings, targets, memory));
      object.resize("events", settings.ringBytes());
      object.resize("conn_map", settings.connections());
      object.resize("sock_ops_map", settings.connections());
      object.resize("thread_trace_ctx", settings.threads());
      if (inbound != null) {
        inbound.lendTo(object);
      }
      object.load();
      KernelTracer tracer =
          new KernelTracer(settings, List.copyOf(targets), consumer, object, inbound);
      tracer.tellTargets();
      tracer.lease.start();
      tracer.reader.start();
      return tracer;
    } catch (RuntimeException | IOException e) {
      object.close();
      throw e;
    }
  }

  private static List<Cgroup> cgroupsOf(List<Target> targets) {
    return targets.stream()
        .filter(Target.OfCgroup.class::isInstance)
        .map(target -> ((Target.OfCgroup) target).cgroup())
        .toList();
  }

  private void tellTargets() throws IOException {
    BpfMap numbers = object.map("process_targets");
    for (Target target : targets) {
      if (target instanceof Target.OfProcess(int pid)) {
        numbers.put(MapBytes.of(pid), new byte[] {1});
        Cgroup.of(pid).filter(home -> !home.isRoot()).ifPresent(homes::add);
      }
    }
    if (settings.inject()) {
      unreadIsZero = SockhashCheck.unreadIsZero(sockets);
      object
          .map("kernel_faults")
          .put(MapBytes.of(0), MapBytes.of(unreadIsZero ? UNREAD_IS_ZERO : 0L));
    }
  }

  @Override
  public synchronized void activate() throws IOException {
    if (active) {
      return;
    }
    processes.forget();
    if (inbound != null) {
      inbound.addWriter(processes);
    }
    var _ = cgroups.renew();
    lease.begin();
    if (settings.inject()) {
      object.attachToSockets("send_message", sockets);
      homes.forEach(this::enrolIn);
    }
    for (String program : object.programs()) {
      if (!NOT_BY_SECTION.contains(program)
          && !ProcessEntries.PROGRAMS.contains(program)
          && !program.startsWith(TlsAttachments.PREFIX)) {
        attach(program);
      }
    }
    List<Integer> present = Target.processes(targets);
    tls.start(present);
    active = true;
    join(present);
  }

  /**
   * Learns what processes did before they were observed. Not before the programs are there: what a
   * process publishes or opens from then on they tell.
   */
  private void join(List<Integer> pids) {
    pids.forEach(records::refresh);
    if (settings.logs()) {
      logs.renew(Target.processes(targets));
    }
    OldConnections.join(object, pids);
  }

  /** A call that this architecture does not have, has no tracepoint. */
  private void attach(String program) {
    try {
      object.attach(program);
    } catch (BpfException e) {
      if (e.errno() != ENOENT) {
        throw e;
      }
      missing.add(program);
    }
  }

  @Override
  public synchronized void deactivate() {
    if (!active) {
      return;
    }
    active = false;
    lease.end();
    tls.stop();
    object.detach();
    enrolled.clear();
    // A socket that stays in the map is slower, and may not say how much is unread.
    sockets.keys(settings.connections()).forEach(sockets::remove);
  }

  /** The names of the programs, by which the kernel lists them. */
  public List<String> programs() {
    return object.programs();
  }

  /** Whether sockets that are enrolled say that nothing is unread, as some kernels have it. */
  boolean unreadIsZero() {
    return unreadIsZero;
  }

  @Override
  public boolean isActive() {
    return active;
  }

  @Override
  public TraceInjector injector() {
    return injector;
  }

  @Override
  public String describe() {
    RuntimeException failure = eventFailure;
    return describeInjection()
        + "; "
        + tls.describe()
        + (failure == null ? "" : "; an event could not be taken: " + failure);
  }

  private String describeInjection() {
    if (!settings.inject()) {
      return "requests are seen; nothing is put into them, as configured";
    }
    return homes.isEmpty()
        ? "requests are seen; nothing is put into them, for no target lives in a cgroup of its own"
        : "requests are seen and get a traceparent"
            + (missing.isEmpty() ? "" : "; this kernel lacks " + String.join(", ", missing));
  }

  /** One that is gone has no connections; when it comes again this is done again. */
  private void enrolIn(Cgroup cgroup) {
    int fd = (int) Libc.openFolder(cgroup.folder().toString());
    if (fd == -ENOENT) {
      return;
    }
    if (fd < 0) {
      throw new BpfException("the cgroup " + cgroup.folder() + " cannot be opened", -fd);
    }
    try {
      Runnable before = enrolled.put(cgroup, object.attachToCgroup("enrol", fd));
      if (before != null) {
        before.run();
      }
    } finally {
      Libc.close(fd);
    }
  }

  /** Observes what lives in cgroups that were made anew. */
  private synchronized void lookForCgroups() {
    List<Cgroup> fresh = active ? cgroups.renew() : List.of();
    if (fresh.isEmpty()) {
      return;
    }
    if (settings.inject()) {
      fresh.forEach(this::enrolIn);
    }
    List<Integer> come =
        Target.processes(fresh.stream().<Target>map(Target.OfCgroup::new).toList());
    tls.look(come);
    join(come);
  }

  private void read() {
    long swept = System.nanoTime();
    long looked = swept;
    long pause = SHORTEST_PAUSE;
    while (!closed) {
      int count = ring.poll(this::onEvent, BATCH);
      lease.taking();
      long now = System.nanoTime();
      if (now - swept >= BETWEEN_SWEEPS) {
        sweep(now);
        swept = now;
      }
      if (now - looked >= BETWEEN_LOOKS) {
        try {
          lookForCgroups();
        } catch (RuntimeException e) {
          // All that is observed hangs on this thread.
          eventFailure = e;
        }
        looked = now;
      }
      if (count < FEW) {
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      } else if (count > MANY) {
        pause = Math.max(pause / 2, SHORTEST_PAUSE);
      }
      if (count < BATCH) {
        LockSupport.parkNanos(pause);
      }
    }
    ring.poll(this::onEvent, Integer.MAX_VALUE);
  }

  private synchronized void sweep(long now) {
    if (active) {
      sweep.run(now);
    }
  }

  /** All others hang on this thread: what one event does to whoever takes it must not end it. */
  private void onEvent(KernelEvent event) {
    try {
      follow(event);
    } catch (RuntimeException e) {
      eventFailure = e;
    }
    try {
      consumer.onEvent(event);
    } catch (RuntimeException e) {
      eventFailure = e;
    }
  }

  private void follow(KernelEvent event) {
    EventKind kind = event.kind();
    if (kind == EventKind.UNREAD) {
      sockets.remove(MapBytes.of(event.connection()));
    } else if (kind == EventKind.CONTEXT) {
      records.refresh(event.pid());
    }
    tls.onEvent(kind, event.pid());
    if (settings.logs()) {
      logs.onEvent(kind, event.pid());
    }
  }

  @Override
  public Map<Outcome, Long> counters() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    int processors = PossibleProcessors.count();
    Outcome[] outcomes = Outcome.values();
    for (int i = 0; i < outcomes.length; i++) {
      ByteBuffer values =
          ByteBuffer.wrap(counters.get(MapBytes.of(i), processors).orElseThrow())
              .order(ByteOrder.nativeOrder());
      long sum = 0;
      while (values.hasRemaining()) {
        sum += values.getLong();
      }
      counts.put(outcomes[i], sum);
    }
    return counts;
  }

  /** Detaches everything and hands on what was seen until then. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    deactivate();
    closed = true;
    LockSupport.unpark(reader);
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lease.close();
    ring.close();
    if (inbound != null) {
      inbound.removeWriter(processes);
    }
    object.close();
  }
}
