/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Spring MVC on Tomcat, which leaves the work to a method that runs on a thread of its own. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({SpringMvcService.Front.class, SpringMvcService.Work.class})
@EnableAsync
public class SpringMvcService {
  private static final int PAUSE = 5;

  /**
   * Serves until it is ended.
   *
   * @param arguments the other service's address, and the client: {@code jdk} or {@code simple}
   */
  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(SpringMvcService.class);
    application.setWebApplicationType(WebApplicationType.SERVLET);
    application.setDefaultProperties(settings(arguments[0], arguments[1]));
    application.run();
  }

  static Map<String, Object> settings(String backend, String client) {
    return Map.of(
        "server.port", "0",
        "server.address", "127.0.0.1",
        "spring.main.banner-mode", "off",
        "logging.level.root", "warn",
        "client", client,
        "backend", backend);
  }

  @EventListener
  void serves(WebServerInitializedEvent event) {
    System.out.println("port " + event.getWebServer().getPort());
  }

  @RestController
  static class Front {
    private final Work work;

    Front(Work work) {
      this.work = work;
    }

    @GetMapping("/{request}")
    CompletableFuture<String> serve(@PathVariable("request") String request) {
      return work.serve(request);
    }
  }

  @Service
  static class Work {
    private final RestClient client;

    Work(@Value("${backend}") String backend, @Value("${client}") String kind) {
      client =
          RestClient.builder()
              .requestFactory(
                  kind.equals("jdk")
                      ? new JdkClientHttpRequestFactory()
                      : new SimpleClientHttpRequestFactory())
              .baseUrl(backend)
              .build();
    }

    @Async
    CompletableFuture<String> serve(String request) {
      ask(request, 1);
      System.out.println("line " + request);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE));
      ask(request, 2);
      return CompletableFuture.completedFuture("done");
    }

    private void ask(String request, int call) {
      client.get().uri("/{request}/{call}", request, call).retrieve().toBodilessEntity();
    }
  }
}
