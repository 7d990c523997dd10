/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What is said of a message. */
final class DnsMessage {
  private static final int MOST_ANSWERS = 64;

  private final int id;
  private final int flags;
  private final @Nullable Message message;

  private DnsMessage(int id, int flags, @Nullable Message message) {
    this.id = id;
    this.flags = flags;
    this.message = message;
  }

  /** Null for what has not even a head. */
  static @Nullable DnsMessage parse(byte[] bytes) {
    if (bytes.length < Wire.HEAD) {
      return null;
    }
    int id = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    int flags = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
    Message message = read(bytes);
    if (message == null) {
      // Without its records, which may be cut or of kinds that cannot be read.
      byte[] question = bytes.clone();
      for (int i = 6; i < Wire.HEAD; i++) {
        question[i] = 0;
      }
      message = read(question);
    }
    return new DnsMessage(id, flags, message);
  }

  private static @Nullable Message read(byte[] bytes) {
    try {
      return new Message(bytes);
    } catch (IOException | RuntimeException e) {
      // Whatever the bytes are, they are not for us to complain about.
      return null;
    }
  }

  boolean isResponse() {
    return (flags & 0x8000) != 0;
  }

  /** Whether it is or answers a question: no update, no notification. */
  boolean isQuestion() {
    return (flags & 0x7800) == 0;
  }

  int id() {
    return id;
  }

  private @Nullable Record question() {
    return message == null ? null : message.getQuestion();
  }

  /** What tells it from others with the same id: its question; null where it has none. */
  @Nullable String question(boolean forPeople) {
    Record question = question();
    if (question == null) {
      return null;
    }
    String name = question.getName().toString(true);
    return forPeople ? name : name.toLowerCase(Locale.ROOT) + " " + question.getType();
  }

  /** The name of the question's type; null where it has none, for any number can be one. */
  @Nullable String type() {
    Record question = question();
    String type = question == null ? null : Type.string(question.getType());
    return type == null || type.startsWith("TYPE") ? null : type;
  }

  /** Null where all went well. */
  @Nullable String error() {
    int rcode = message == null ? flags & 0xf : message.getRcode();
    return rcode == 0 ? null : Rcode.string(rcode);
  }

  /** Addresses, and names where names were asked for. */
  List<String> answers() {
    Record question = question();
    if (message == null || question == null) {
      return List.of();
    }
    List<String> answers = new ArrayList<>();
    for (Record record : message.getSection(Section.ANSWER)) {
      String answer = answer(record, question.getType());
      if (answer != null && answers.size() < MOST_ANSWERS) {
        answers.add(answer);
      }
    }
    return answers;
  }

  private static @Nullable String answer(Record record, int asked) {
    if (record instanceof ARecord address) {
      return address.getAddress().getHostAddress();
    }
    if (record instanceof AAAARecord address) {
      return address.getAddress().getHostAddress();
    }
    if (record.getType() != asked && asked != Type.ANY) {
      return null;
    }
    return switch (record) {
      case CNAMERecord name -> name.getTarget().toString(true);
      case MXRecord exchanger -> exchanger.getTarget().toString(true);
      case NSRecord server -> server.getTarget().toString(true);
      case PTRRecord name -> name.getTarget().toString(true);
      case SRVRecord service -> service.getTarget().toString(true);
      default -> null;
    };
  }
}
