/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * What every client of {@link RuntimeInjectionTest} is to send: requests on a kept connection, a
 * large body, long headers, a traceparent of its own, and some through TLS.
 *
 * @param port of the plain server
 * @param tlsPort of the one with TLS
 * @param kept how many requests there are on the kept connection
 * @param secret how many go through TLS
 */
record Series(int port, int tlsPort, int kept, int secret) {
  static final Charset CHARSET = StandardCharsets.ISO_8859_1;
  static final int BODY = 1 << 20;
  static final int LONG_HEADERS = 40;
  static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  static final String LOOKS_LIKE_A_REQUEST = "GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** Sends one request and checks the answer. */
  @FunctionalInterface
  interface Sender {
    void send(String method, URI uri, Map<String, String> headers, byte[] body)
        throws IOException, InterruptedException;
  }

  /** After the name of the client. */
  static Series of(String[] arguments) {
    return new Series(
        Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]),
        Integer.parseInt(arguments[3]),
        Integer.parseInt(arguments[4]));
  }

  void run(Sender sender) throws IOException, InterruptedException {
    for (int i = 0; i < kept; i++) {
      sender.send("GET", plain("/get/" + i), Map.of("X-Number", "" + i), new byte[0]);
    }
    sender.send("POST", plain("/post"), Map.of(), body());
    sender.send("GET", plain("/long"), longHeaders(), new byte[0]);
    sender.send("GET", plain("/traced"), Map.of("TraceParent", TRACEPARENT), new byte[0]);
    sender.send("GET", plain("/last"), Map.of(), new byte[0]);
    for (int i = 0; i < secret; i++) {
      URI uri = URI.create("https://127.0.0.1:" + tlsPort + "/secret/" + i);
      sender.send("GET", uri, Map.of(), new byte[0]);
    }
  }

  private URI plain(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  static byte[] body() {
    byte[] body = new byte[BODY];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) ('a' + i % 26);
    }
    return body;
  }

  static Map<String, String> longHeaders() {
    Map<String, String> headers = new TreeMap<>();
    for (int i = 0; i < LONG_HEADERS; i++) {
      headers.put(String.format(Locale.ROOT, "X-Long-%02d", i), "v".repeat(300));
    }
    return headers;
  }

  static void check(String answer) {
    if (!answer.equals("ok")) {
      throw new AssertionError("answered " + answer);
    }
  }

  /** Trusts the certificate of the test, which nobody has signed. */
  static SSLContext trusting() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        null,
        new TrustManager[] {
          new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
              return new X509Certificate[0];
            }
          }
        },
        null);
    return context;
  }
}
