/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import org.jspecify.annotations.Nullable;

/**
 * What a request asks for, in any of the forms of RFC 9112, section 3.2.
 *
 * @param scheme null where the target does not say it
 * @param authority host and port, for CONNECT and in absolute form; without userinfo
 * @param hasUserinfo whether somebody's name and perhaps password stood before the host
 * @param path empty for CONNECT
 * @param query without its question mark; null for none
 */
record RequestTarget(
    @Nullable String scheme,
    @Nullable String authority,
    boolean hasUserinfo,
    String path,
    @Nullable String query) {

  static RequestTarget parse(String method, String target) {
    if (method.equals("CONNECT") && !target.startsWith("/")) {
      return new RequestTarget(null, host(target), target.indexOf('@') >= 0, "", null);
    }
    String rest = target;
    @Nullable String scheme = null;
    @Nullable String authority = null;
    boolean userinfo = false;
    int colon = rest.indexOf("://");
    if (colon > 0 && isScheme(rest, colon)) {
      scheme = rest.substring(0, colon);
      int end = endOfAuthority(rest, colon + 3);
      String all = rest.substring(colon + 3, end);
      userinfo = all.indexOf('@') >= 0;
      authority = host(all);
      rest = rest.substring(end);
    }
    int fragment = rest.indexOf('#');
    if (fragment >= 0) {
      rest = rest.substring(0, fragment);
    }
    int mark = rest.indexOf('?');
    String path = mark < 0 ? rest : rest.substring(0, mark);
    return new RequestTarget(
        scheme,
        authority,
        userinfo,
        path.isEmpty() && scheme != null ? "/" : path,
        mark < 0 ? null : rest.substring(mark + 1));
  }

  private static String host(String authority) {
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  private static int endOfAuthority(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '/' || c == '?' || c == '#') {
        return i;
      }
    }
    return text.length();
  }

  private static boolean isScheme(String text, int length) {
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
        return false;
      }
    }
    return true;
  }
}
