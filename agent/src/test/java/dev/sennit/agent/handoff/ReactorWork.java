/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static dev.sennit.agent.handoff.ServedRequests.check;

import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * A server of Reactor Netty that asks another one twice for each request, by fewer connections than
 * there are requests at a time, with a pause of Reactor or of RxJava between the two.
 */
final class ReactorWork {
  private static final int CONNECTIONS = 6;

  private final HttpClient client;
  private final boolean rx;

  private ReactorWork(HttpClient client, boolean rx) {
    this.client = client;
    this.rx = rx;
  }

  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create().host("localhost").port(0);
    DisposableServer backend =
        server.handle((_, response) -> pause().then(response.send())).bindNow();
    ConnectionProvider few =
        ConnectionProvider.builder("few")
            .maxConnections(CONNECTIONS)
            .pendingAcquireMaxCount(-1)
            .build();
    HttpClient client =
        HttpClient.create(few)
            .host("localhost")
            .responseTimeout(Duration.ofSeconds(10))
            .port(backend.port());
    ReactorWork work = new ReactorWork(client, arguments[0].equals("rxjava"));
    ServedRequests.sendTo(server.handle(work::serve).bindNow().port());
  }

  private static Mono<Long> pause() {
    return Mono.delay(Duration.ofMillis(ThreadLocalRandom.current().nextInt(3)));
  }

  private Publisher<Void> serve(HttpServerRequest incoming, HttpServerResponse response) {
    long request = ServedRequests.begin(incoming.uri());
    return call(request)
        .then(rx ? Mono.from(pauseOfRx(request).toFlowable()) : pause())
        .doOnNext(_ -> check(request))
        .flatMap(_ -> call(request))
        .then(response.send())
        .doOnSuccess(_ -> check(request));
  }

  private Mono<Integer> call(long request) {
    return client
        .doOnRequest((_, _) -> check(request))
        .doOnResponse((_, _) -> check(request))
        .get()
        .uri("/" + request)
        .responseSingle(
            (head, body) -> body.asString().defaultIfEmpty("").map(_ -> head.status().code()))
        .doOnNext(_ -> check(request));
  }

  private static Single<Long> pauseOfRx(long request) {
    return Single.timer(1, TimeUnit.MILLISECONDS, Schedulers.computation())
        .doOnSuccess(_ -> check(request))
        .observeOn(Schedulers.io())
        .doOnSuccess(_ -> check(request))
        .observeOn(Schedulers.computation());
  }
}
