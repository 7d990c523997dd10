/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextPublisher;
import dev.sennit.context.thread.ContextApi;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A client with a thread that is in a span for ever, and asks when it is told {@code ask}; at
 * {@code withdraw} another thread takes all records back, and asks for {@code /marker}.
 */
final class WithdrawingClient {
  private WithdrawingClient() {}

  public static void main(String[] arguments) throws Exception {
    String server = "http://127.0.0.1:" + arguments[0];
    ContextApi.initialize("ctxstorage=" + arguments[1]);
    ProcessContextPublisher.publish(
        ProcessContext.builder().resource("service.name", "client").build());
    try (ExecutorService worker = Executors.newSingleThreadExecutor()) {
      worker.submit(() -> ContextApi.setOtel(1, 2, 3, 1)).get();
      System.out.println("ready");
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("withdraw")) {
          ContextApi.shutdown();
          ask(server + "/marker");
        } else {
          String path = line.substring(line.indexOf('/'));
          worker.submit(() -> ask(server + path)).get();
        }
        System.out.println("done");
      }
    }
  }

  private static int ask(String address) throws IOException {
    return URI.create(address).toURL().openConnection().getInputStream().readAllBytes().length;
  }
}
