/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpAttributesTest {
  @ParameterizedTest
  @CsvSource({
    "/,/",
    "/users/42,/users/{id}",
    "/v1/orders/550e8400-e29b-41d4-a716-446655440000/items,/v1/orders/{uuid}/items",
    "/blobs/deadbeef01,/blobs/{hex}",
    "/feedface,/feedface",
    "/s3/2024-11-05T10:00,/s3/{value}",
    "/users/me@example.com/,/users/{value}/",
    "/t/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9,/t/{value}",
    "/api/v2/index.html,/api/v2/index.html",
    "/1/2/3/4/5/6/7/8/9/10,/{id}/{id}/{id}/{id}/{id}/{id}/{id}/{id}/*",
    "*,*"
  })
  void guessesWhichPartsOfAPathAreValues(String path, String route) {
    assertThat(RouteGuess.of(path)).isEqualTo(route);
  }

  @ParameterizedTest
  @CsvSource({
    "example.com,example.com,-1",
    "example.com:8080,example.com,8080",
    "example.com:,example.com,-1",
    "[::1]:80,::1,80",
    "[fe80::1],fe80::1,-1",
    "me:pw@h:1,h,1"
  })
  void readsHostAndPort(String text, String host, int port) {
    assertThat(Authority.parse(text)).isEqualTo(new Authority(host, port));
  }

  @ParameterizedTest
  @CsvSource({"a b", "h:port", "h:70000", "h:123456", ":80", "a/b", "''"})
  void takesNothingElseForAHost(String text) {
    assertThat(Authority.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/a?b=c#d,,,/a,b=c",
    "GET,http://h/a,http,h,/a,",
    "GET,https://h?x,https,h,/,x",
    "OPTIONS,*,,,*,",
    "CONNECT,h:443,,h:443,'',",
    "GET,/redirect?to=http://x/y,,,/redirect,to=http://x/y"
  })
  void readsEveryFormOfTarget(
      String method, String target, String scheme, String authority, String path, String query) {
    assertThat(RequestTarget.parse(method, target))
        .isEqualTo(new RequestTarget(scheme, authority, false, path, query));
  }

  @ParameterizedTest
  @CsvSource({
    "a=1&b=2,a=1&b=2",
    "sig=x,sig=REDACTED",
    "Sig=x&sig,Sig=x&sig",
    "a&sig=1=2&b,a&sig=REDACTED&b"
  })
  void redactsTheValuesOfSecretKeys(String query, String redacted) {
    assertThat(QueryRedaction.of(query)).isEqualTo(redacted);
  }
}
