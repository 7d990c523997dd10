/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.TracerSettings;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.testing.server.PostgresServer;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One request goes through services in five runtimes, by HTTP and at last by gRPC, and ends in a
 * database. Its number is in every path and in the name of the table, so that every span says
 * itself which request it belongs to, whatever its trace says.
 */
@Requires(
    root = true,
    commands = {"python3", "node", "go", PostgresServer.COMMAND})
final class ChainTest {
  private static final int REQUESTS = 200;
  private static final Pattern NUMBER = Pattern.compile("(?:/|stock_)(\\d+)$");
  private static final Path GATEWAYS =
      Path.of("..", "kernel", "src", "test", "resources", "dev", "sennit", "kernel")
          .toAbsolutePath()
          .normalize();

  @TempDir private Path folder;

  @Test
  void withOneRequestAtATimeEveryHopIsWhole() throws Exception {
    Result result = run(1);

    assertThat(result.wrong()).isEmpty();
    assertThat(result.whole()).allSatisfy((hop, count) -> assertThat(count).isEqualTo(REQUESTS));
    assertThat(result.whole()).hasSize(7);
  }

  @Test
  void withManyAtATimeNothingIsWrongAndThreadsAreWhole() throws Exception {
    Result result = run(20);

    result
        .whole()
        .forEach(
            (hop, count) ->
                System.out.printf("chain at 20: %s whole in %d of %d%n", hop, count, REQUESTS));
    assertThat(result.wrong()).isEmpty();
    assertThat(result.whole())
        .containsEntry("1 java, a thread a request", REQUESTS)
        .containsEntry("2 python", REQUESTS);
  }

  /**
   * @param whole for each hop, in how many requests the call to the next one is below the span that
   *     serves the request, and the next one's below that call
   */
  private record Result(List<Span> wrong, Map<String, Integer> whole) {}

  private Result run(int concurrency) throws Exception {
    try (PostgresServer database = PostgresServer.start()) {
      String url =
          "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
              .formatted(
                  database.port(),
                  PostgresServer.DATABASE,
                  PostgresServer.USER,
                  PostgresServer.PASSWORD);
      createTables(url);
      TracerSettings settings = new TracerSettings.Builder().http2(true).logs(false).build();
      try (ObservedPrograms programs = ObservedPrograms.start(settings)) {
        int first = start(programs, url);
        send(first, concurrency);
        // The driver of the database asks things of its own.
        programs.await(REQUESTS * 12, span -> number(span) != 0 || span.protocol().equals("grpc"));
        return judge(programs.spans());
      }
    }
  }

  private static void createTables(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (int i = 1; i <= REQUESTS; i++) {
        statement.addBatch("CREATE TABLE stock_" + i + " (item text)");
      }
      statement.executeBatch();
    }
  }

  private int start(ObservedPrograms programs, String database) throws IOException {
    String go = folder.resolve("go-gateway").toString();
    try (ChildProcess compiler =
        ChildProcess.start(
            List.of("go", "build", "-o", go, GATEWAYS.resolve("gateway.go").toString()))) {
      assertThat(compiler.waitFor()).as(compiler.errors()).isZero();
    }
    int grpc =
        programs.serve(ChildProcess.javaCommand(List.of(), ChainGrpcService.class, database));
    int virtual = programs.serve(java("virtual", grpc));
    int goroutines = programs.serve(List.of(go, "" + virtual));
    int loop =
        programs.serve(List.of("node", TestResources.extract("chain.js", folder), "" + goroutines));
    int python =
        programs.serve(
            List.of("python3", GATEWAYS.resolve("threaded_server.py").toString(), "" + loop));
    return programs.serve(java("thread", python));
  }

  private static List<String> java(String kind, int next) {
    return ChildProcess.javaCommand(List.of(), ChainJavaService.class, kind, "" + next);
  }

  private static void send(int port, int concurrency)
      throws InterruptedException, ExecutionException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (ExecutorService senders = Executors.newFixedThreadPool(concurrency)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 1; i <= REQUESTS; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + i))
                .header("traceparent", "00-" + traceId(i) + "-00000000000000ff-01")
                .build();
        answers.add(
            senders.submit(
                () -> client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
  }

  private static Result judge(List<Span> spans) {
    List<Span> wrong = new ArrayList<>();
    Map<Long, Span> byId = new HashMap<>();
    for (Span span : spans) {
      assertThat(byId.put(span.ids().spanId(), span)).as("two spans of one id").isNull();
      int said = number(span);
      int of = (int) (span.ids().traceLow() - 0x1_0000_0000L);
      boolean known = span.ids().traceHigh() == 0 && of >= 1 && of <= REQUESTS;
      if (said != 0 && known && said != of) {
        wrong.add(span);
      }
    }
    Map<String, Integer> whole = new HashMap<>();
    for (Span span : spans) {
      Span parent = byId.get(span.ids().parentId());
      if (parent != null && parent.ids().isSameTrace(span.ids())) {
        whole.merge(hop(parent, span), 1, Integer::sum);
        if (parent.kind() == SpanKind.CLIENT && parent.link() == Link.INJECTED) {
          assertThat(span.link()).isEqualTo(Link.INJECTED);
        }
      }
    }
    return new Result(wrong, hops(whole));
  }

  /** A hop is whole where both of its joints are. */
  private static Map<String, Integer> hops(Map<String, Integer> joints) {
    Map<String, Integer> hops = new HashMap<>();
    String[] names = {
      "1 java, a thread a request",
      "2 python",
      "3 node",
      "4 go",
      "5 java, virtual threads",
      "6 grpc"
    };
    for (String name : names) {
      hops.put(
          name,
          Math.min(
              joints.getOrDefault(name + " calls", 0), joints.getOrDefault(name + " asks", 0)));
    }
    hops.put("6 grpc", joints.getOrDefault("6 grpc calls", 0));
    hops.put("database", joints.getOrDefault("6 grpc calls", 0));
    return hops;
  }

  private static String hop(Span parent, Span child) {
    String name = service(parent);
    return name + (child.kind() == SpanKind.CLIENT ? " calls" : " asks");
  }

  private static String service(Span span) {
    return switch (span.resource().service()) {
      case "ChainJavaService" ->
          span.protocol().equals("grpc") || isAskedByGo(span)
              ? "5 java, virtual threads"
              : "1 java, a thread a request";
      case "threaded_server" -> "2 python";
      case "chain" -> "3 node";
      case "go-gateway" -> "4 go";
      default -> "6 grpc";
    };
  }

  private static boolean isAskedByGo(Span span) {
    return span.attributes().get("user_agent.original") instanceof AttributeValue.Text(String agent)
        && agent.startsWith("Go-http-client");
  }

  private static int number(Span span) {
    for (String key : List.of("url.path", "url.full", "db.query.summary", "db.collection.name")) {
      if (span.attributes().get(key) instanceof AttributeValue.Text(String text)) {
        Matcher matcher = NUMBER.matcher(text);
        if (matcher.find()) {
          return Integer.parseInt(matcher.group(1));
        }
      }
    }
    return 0;
  }

  private static String traceId(int number) {
    return String.format("%032x", 0x1_0000_0000L + number);
  }
}
