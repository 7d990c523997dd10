/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Spring WebFlux on Reactor Netty, with fewer connections to the other than it serves requests. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(WebFluxService.Front.class)
public class WebFluxService {
  private static final int CONNECTIONS = 8;
  private static final Duration PAUSE = Duration.ofMillis(5);

  /**
   * Serves until it is ended.
   *
   * @param arguments the address of the other service
   */
  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(WebFluxService.class);
    application.setWebApplicationType(WebApplicationType.REACTIVE);
    application.setDefaultProperties(SpringMvcService.settings(arguments[0], "reactor"));
    application.run();
  }

  @EventListener
  void serves(WebServerInitializedEvent event) {
    System.out.println("port " + event.getWebServer().getPort());
  }

  @RestController
  static class Front {
    private final WebClient client;

    Front(@Value("${backend}") String backend) {
      ConnectionProvider few =
          ConnectionProvider.builder("few")
              .maxConnections(CONNECTIONS)
              .pendingAcquireMaxCount(-1)
              .build();
      client =
          WebClient.builder()
              .clientConnector(new ReactorClientHttpConnector(HttpClient.create(few)))
              .baseUrl(backend)
              .build();
    }

    @GetMapping("/{request}")
    Mono<String> serve(@PathVariable("request") String request) {
      return ask(request, 1)
          .doOnSuccess(_ -> System.out.println("line " + request))
          .then(Mono.delay(PAUSE))
          .then(Mono.defer(() -> ask(request, 2)))
          .thenReturn("done");
    }

    private Mono<Void> ask(String request, int call) {
      return client
          .get()
          .uri("/{request}/{call}", request, call)
          .retrieve()
          .toBodilessEntity()
          .then();
    }
  }
}
