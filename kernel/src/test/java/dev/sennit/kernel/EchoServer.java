/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** The JDK's server, which answers with what it was asked. */
final class EchoServer {
  private EchoServer() {}

  public static void main(String[] arguments) throws IOException {
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
            128);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          String answer =
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + new TreeMap<>(exchange.getRequestHeaders())
                  + " "
                  + body.length
                  + " "
                  + Arrays.hashCode(body);
          byte[] bytes = answer.getBytes(Series.CHARSET);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }
}
