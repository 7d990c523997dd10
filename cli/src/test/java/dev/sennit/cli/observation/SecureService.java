/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A service that knows nothing of traces and speaks HTTPS only. For each request it asks another
 * one twice, once by each of the JDK's clients, unless there is none to ask.
 */
final class SecureService {
  static final char[] PASSWORD = "password".toCharArray();

  private final String backend;
  private final HttpClient client;

  private SecureService(int backend, SSLContext context) {
    this.backend = backend == 0 ? "" : "https://localhost:" + backend;
    this.client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
  }

  public static void main(String[] arguments) throws Exception {
    SSLContext context = context(Path.of(arguments[1]));
    HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
    SecureService service = new SecureService(Integer.parseInt(arguments[0]), context);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(
        arguments[2].equals("virtual")
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(24));
    server.createContext("/", service::serve);
    server.start();
    System.out.println("port " + server.getAddress().getPort());
    // Until whoever started it says that it is enough.
    if (System.in.read() >= 0) {
      System.exit(0);
    }
  }

  /** One that trusts its own key. */
  static SSLContext context(Path store) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    KeyStore others = KeyStore.getInstance("PKCS12");
    others.load(null, null);
    others.setCertificateEntry("server", keys.getCertificate("server"));
    trusted.init(others);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private void serve(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (!backend.isEmpty()) {
      String path = exchange.getRequestURI().getPath();
      HttpsURLConnection connection =
          (HttpsURLConnection) URI.create(backend + path + "/1").toURL().openConnection();
      try (InputStream in = connection.getInputStream()) {
        in.readAllBytes();
      }
      try {
        client.send(
            HttpRequest.newBuilder(URI.create(backend + path + "/2")).build(),
            HttpResponse.BodyHandlers.discarding());
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    exchange.sendResponseHeaders(200, 2);
    exchange.getResponseBody().write(new byte[] {'o', 'k'});
    exchange.close();
  }
}
