/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.kernel.LogPattern;
import dev.sennit.kernel.TracerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every key that the file may have, with its kind of value, its default and what it is for. The
 * order is that in which they are printed.
 */
public final class Keys {
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;
  private static final int HIGHEST_PID = 4_194_304;

  /** What the programs in the kernel have room for; of processes, with those that they start. */
  private static final int MOST_PIDS = 1024;

  private static final int MOST_CGROUPS = 16;

  private static final KeyList OBSERVING = new KeyList();

  public static final Key<List<Integer>> PIDS =
      key(
          "targets.pids",
          Lists.list(Scalars.whole(1, HIGHEST_PID), MOST_PIDS, "[4711, 4712]"),
          List.of(),
          "Processes that are observed, with the children that they start from then on.");

  public static final Key<List<String>> CGROUPS =
      key(
          "targets.cgroups",
          Lists.list(Scalars.TEXT, MOST_CGROUPS, "[/shop.slice/cart.service]"),
          List.of(),
          "Cgroups (version 2) that are observed with all that lives in them, as paths below the"
              + " hierarchy or in the file system. Never the root, which is the whole host.");

  public static final Key<Boolean> HOOK_ENABLED =
      flag("hook.enabled", true, "Whether programs in the kernel see requests.");

  public static final Key<Boolean> HOOK_ON_DEMAND =
      flag(
          "hook.on_demand",
          false,
          "Whether they wait detached, at no cost, until SIGUSR1 switches them on and, the next"
              + " time, off.");

  public static final Key<Boolean> HOOK_INJECT =
      flag("hook.inject", true, "Whether traceparent is put into requests that are sent.");

  public static final Key<Boolean> HOOK_START_TRACES =
      flag(
          "hook.start_traces",
          true,
          "Whether a request that is sent and belongs to no other begins a trace.");

  public static final Key<Boolean> HOOK_HTTP2 =
      flag("hook.http2", false, "Whether requests of HTTP/2 and gRPC get traceparent, too.");

  public static final Key<Boolean> HOOK_BAGGAGE =
      flag(
          "hook.baggage",
          false,
          "Whether the baggage of a request goes on with what is sent for it.");

  public static final Key<Long> HOOK_CAPTURE =
      key(
          "hook.capture",
          Scalars.size(0, 16 * KIB),
          4 * KIB,
          "How many bytes of a message are looked at in user space, at most.");

  public static final Key<Long> HOOK_SCAN =
      key(
          "hook.scan",
          Scalars.size(256, 16 * KIB),
          16 * KIB,
          "How many bytes of headers are looked at in the kernel, at most.");

  public static final Key<Duration> HOOK_CONTEXT_TTL =
      key(
          "hook.context_ttl",
          Scalars.duration(Duration.ofSeconds(1), Duration.ofHours(24)),
          Duration.ofSeconds(30),
          "After what time the context of a thread is forgotten whose request is not open any"
              + " more.");

  public static final Key<Long> HOOK_RING =
      key(
          "hook.ring",
          Scalars.powerOfTwo(4 * KIB, GIB),
          32 * MIB,
          "The size of the ring through which the kernel tells of events.");

  public static final Key<Integer> HOOK_CONNECTIONS =
      key(
          "hook.connections",
          Scalars.whole(1, 10_000_000),
          16_384,
          "How many connections the kernel's programs know at a time.");

  public static final Key<Integer> HOOK_THREADS =
      key(
          "hook.threads",
          Scalars.whole(1, 10_000_000),
          8192,
          "How many threads that serve requests they know at a time.");

  public static final Key<Boolean> JVM_ATTACH =
      flag(
          "jvm.attach",
          false,
          "Whether the agent is attached to observed JVMs, so that requests are followed from"
              + " thread to thread in them, and they can be profiled. A JVM prints a warning at"
              + " that, unless it was started with -XX:+EnableDynamicAgentLoading.");

  public static final Key<String> JVM_PROFILE =
      key(
          "jvm.profile",
          Scalars.TEXT,
          "cpu=10ms,wall=50ms",
          "What is sampled in JVMs that the agent was attached to, as its options have it; off for"
              + " nothing. Samples go to the store, so without one there are none.");

  public static final Key<Boolean> TRACING_ENABLED =
      flag(
          "tracing.enabled",
          true,
          "Whether spans are made; without them, requests still carry the trace on.");

  public static final Key<Double> SAMPLING_RATIO =
      key(
          "tracing.sampling_ratio",
          Scalars.RATIO,
          1.0,
          "The share of new traces that is kept. What came with a decision keeps it.");

  public static final Key<String> SDK_SPANS =
      key(
          "tracing.sdk_spans",
          Scalars.choice("drop", "child"),
          "drop",
          "What becomes of a span that an SDK in the process reports as well: it is dropped, or"
              + " kept as a child of the SDK's span.");

  /** By the name of the protocol. */
  public static final Map<String, Key<Boolean>> PROTOCOLS =
      Map.ofEntries(
          protocol("http", "HTTP/1 and HTTP/2"),
          protocol("grpc", "gRPC"),
          protocol("postgres", "PostgreSQL"),
          protocol("mysql", "MySQL and MariaDB"),
          protocol("redis", "Redis"),
          protocol("mongodb", "MongoDB"),
          protocol("dns", "DNS"));

  public static final Key<Boolean> GUESS_ROUTE =
      flag(
          "tracing.protocols.http.guess_route",
          false,
          "Whether http.route is guessed from the path, with what looks like an id replaced.");

  public static final Key<Integer> LIMIT_CONNECTIONS =
      key(
          "tracing.limits.connections",
          Scalars.whole(1, 10_000_000),
          10_000,
          "How many connections are followed at a time; then the one is forgotten that was silent"
              + " for longest.");

  public static final Key<Long> LIMIT_BYTES_PER_SIDE =
      key(
          "tracing.limits.bytes_per_side",
          Scalars.size(4 * KIB, 16 * MIB),
          64 * KIB,
          "How many bytes of one direction of a connection wait to be understood.");

  public static final Key<Long> LIMIT_BYTES =
      key(
          "tracing.limits.bytes",
          Scalars.size(16 * MIB, 64 * GIB),
          64 * MIB,
          "How many bytes wait in all.");

  public static final Key<Boolean> STITCHING_ENABLED =
      flag(
          "tracing.stitching.enabled",
          true,
          "Whether the two sides of a request are joined that carried no ids.");

  public static final Key<Duration> STITCHING_WINDOW =
      key(
          "tracing.stitching.window",
          Scalars.duration(MOMENT, Duration.ofMinutes(1)),
          Duration.ofSeconds(1),
          "How far apart in time the two sides may come.");

  public static final Key<Integer> STITCHING_THRESHOLD =
      key(
          "tracing.stitching.threshold",
          Scalars.whole(1, 1_000_000),
          20,
          "How many times likelier a pair must be than any other to be joined.");

  public static final Key<Boolean> CORRELATION_ENABLED =
      flag(
          "correlation.enabled",
          true,
          "Whether what observed processes write to their logs is read, and joined to spans.");

  public static final Key<String> CORRELATION_STRATEGY =
      key(
          "correlation.strategy",
          Scalars.choice("pid_tid_timestamp"),
          "pid_tid_timestamp",
          "How: by process, thread and time.");

  public static final Key<Duration> CORRELATION_WINDOW =
      key(
          "correlation.window",
          Scalars.duration(MOMENT, Duration.ofMinutes(1)),
          Duration.ofMillis(100),
          "How far the time of a line may be from its span.");

  public static final Key<String> CORRELATION_AMBIGUOUS =
      key(
          "correlation.ambiguous",
          Scalars.choice("silent", "latest"),
          "silent",
          "What a line gets that could belong to several requests of its process: nothing, or the"
              + " one that began last, which is often wrong.");

  public static final Key<List<LogPattern>> LOG_FILES =
      key(
          "correlation.files",
          Lists.list(Scalars.LOG_PATTERN, LogPattern.MOST, "[/srv/shop/*.out]"),
          List.of(),
          "Files of observed processes that are logs, beside standard output and error, *.log and"
              + " what lies below /var/log.");

  public static final Key<Long> LINE_BYTES =
      key(
          "correlation.line",
          Scalars.size(256, TracerSettings.LONGEST_LINE),
          (long) TracerSettings.LONGEST_LINE,
          "How much is read of what is written at a time; what is longer is cut.");

  public static final Key<Boolean> MASK_ENABLED =
      flag(
          "correlation.mask.enabled",
          true,
          "Whether what looks like a secret is taken out of lines: tokens, passwords, keys.");

  public static final Key<List<String>> MASK_PATTERNS =
      key(
          "correlation.mask.patterns",
          Lists.list(Scalars.PATTERN, 64, "['session=([0-9a-f]+)']"),
          List.of(),
          "Regular expressions of what is a secret, too: the group, or without one all of it.");

  public static final Key<List<String>> TAIL_FILES =
      key(
          "correlation.tail.files",
          Lists.list(Scalars.ABSOLUTE, 256, "[/srv/shop/logs/*.txt]"),
          List.of(),
          "Log files that are followed whoever writes them, over rotation and restarts. What"
              + " observed processes write to their own logs is read anyway.");

  public static final Key<Boolean> TAIL_FROM_BEGINNING =
      flag(
          "correlation.tail.from_beginning",
          false,
          "Whether a file that is there at the first start is read from its beginning.");

  public static final Key<String> TAIL_POSITIONS =
      open(
          "correlation.tail.positions",
          Scalars.ABSOLUTE,
          "/var/lib/sennit/log-positions",
          "The file that remembers how far they were read. Otherwise one of the user's own.");

  public static final Key<String> EXPORT_ENDPOINT =
      open(
          "export.endpoint",
          Scalars.TEXT,
          "http://localhost:4318",
          "The collector. Without it OTEL_EXPORTER_OTLP_ENDPOINT is used, and without that nothing"
              + " is sent. All of this section has such variables behind it.");

  public static final Key<String> EXPORT_PROTOCOL =
      open(
          "export.protocol",
          Scalars.choice("grpc", "http/protobuf"),
          "http/protobuf",
          "Otherwise grpc for port 4317, and http/protobuf for any other.");

  public static final Key<Map<String, String>> EXPORT_HEADERS =
      open("export.headers", Lists.HEADERS, "{x-tenant: shop}", "Headers that go with requests.");

  public static final Key<String> EXPORT_COMPRESSION =
      open("export.compression", Scalars.choice("none", "gzip"), "gzip", "Otherwise none.");

  public static final Key<Duration> EXPORT_TIMEOUT =
      open(
          "export.timeout",
          Scalars.duration(MOMENT, HOUR),
          "10s",
          "How long one request may take. Otherwise 10s.");

  public static final Key<String> EXPORT_CERTIFICATE =
      open(
          "export.certificate",
          Scalars.TEXT,
          "/etc/ssl/collector.pem",
          "A file of PEM with those to trust. Otherwise those that the JDK trusts.");

  public static final Key<String> EXPORT_CLIENT_KEY =
      open(
          "export.client_key",
          Scalars.TEXT,
          "/etc/ssl/sennit.key",
          "A file of PEM with the key of this client, where the collector asks for one.");

  public static final Key<String> EXPORT_CLIENT_CERTIFICATE =
      open(
          "export.client_certificate",
          Scalars.TEXT,
          "/etc/ssl/sennit.pem",
          "A file of PEM with its certificate.");

  public static final Key<String> QUEUE_DIRECTORY =
      open(
          "export.queue.directory",
          Scalars.TEXT,
          "/var/lib/sennit/queue",
          "Where requests wait while the collector is away. Otherwise a place of the user's own.");

  public static final Key<Long> QUEUE_BOUND =
      open(
          "export.queue.bound",
          Scalars.size(0, 1024 * GIB),
          "100MiB",
          "How much may wait there; 0 for no queue. Otherwise 100MiB.");

  public static final Key<String> METRICS_LISTEN =
      key(
          "metrics.listen",
          Scalars.LISTEN,
          "127.0.0.1:9464",
          "Where Sennit's own metrics can be read in Prometheus' text format, at /metrics.");

  public static final Key<Boolean> METRICS_OTLP =
      flag(
          "metrics.otlp.enabled",
          false,
          "Whether they are sent to the collector of the section export, too.");

  public static final Key<Duration> METRICS_INTERVAL =
      key(
          "metrics.otlp.interval",
          Scalars.duration(Duration.ofMillis(100), HOUR),
          Duration.ofMinutes(1),
          "How often.");

  private Keys() {}

  static List<Key<?>> all() {
    return Stream.of(OBSERVING, LocalKeys.LIST).flatMap(list -> list.keys().stream()).toList();
  }

  private static <T> Key<T> key(String path, Type<T> type, T standard, String help) {
    return OBSERVING.key(path, type, standard, help);
  }

  private static <T> Key<T> open(String path, Type<T> type, String example, String help) {
    return OBSERVING.open(path, type, example, help);
  }

  private static Key<Boolean> flag(String path, boolean standard, String help) {
    return OBSERVING.flag(path, standard, help);
  }

  private static Map.Entry<String, Key<Boolean>> protocol(String name, String title) {
    return Map.entry(
        name,
        flag(
            "tracing.protocols." + name + ".enabled",
            true,
            "Whether spans are made of " + title + "."));
  }
}
