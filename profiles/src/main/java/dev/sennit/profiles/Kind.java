/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

/** The forms in which profiles are written. */
public enum Kind {
  /** Protobuf, as files and requests have it. */
  PROTO,
  /** OTLP/JSON on one line. */
  JSON,
  /** OTLP/JSON for people, one member a line. */
  JSON_PRETTY
}
