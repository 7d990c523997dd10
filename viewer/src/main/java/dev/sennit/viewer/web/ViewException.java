/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

/** What was asked of a view cannot be shown; the text is for the person who asked. */
public final class ViewException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;

  private ViewException(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  /** The question itself is wrong. */
  public static ViewException wrong(String text) {
    return new ViewException(400, text);
  }

  /** The question is right, but there is nothing. */
  public static ViewException missing(String text) {
    return new ViewException(404, text);
  }

  int status() {
    return status;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
