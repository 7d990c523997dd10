/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

/** Bytes that are not protobuf, or not the message that they should be; the message says where. */
final class MalformedProfileException extends Exception {
  MalformedProfileException(String message) {
    super(message);
  }
}
