/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.Piece;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command while it is read, and until it is answered. Of its arguments only those are looked at
 * that are part of what is done rather than of what it is done with: the name of a subcommand, of a
 * script, the number of a database. Keys are as good as values: they hold the names of people and
 * their tokens often enough, so both are {@code ?}.
 */
final class Command {
  private static final String SYSTEM = "redis";
  private static final int MOST_SHOWN = 32;
  private static final int LONGEST_NAME = 64;

  private static final Set<String> WITH_SUBCOMMANDS =
      Set.of(
          "ACL CLIENT CLUSTER COMMAND CONFIG DEBUG FUNCTION LATENCY MEMORY MODULE OBJECT PUBSUB"
              .concat(" SCRIPT SLOWLOG XGROUP XINFO")
              .split(" "));

  private static final Set<String> OF_SCRIPTS =
      Set.of("EVALSHA", "EVALSHA_RO", "FCALL", "FCALL_RO");

  private static final Set<String> OF_SUBSCRIPTIONS =
      Set.of(
          "SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "PUNSUBSCRIBE", "SSUBSCRIBE", "SUNSUBSCRIBE");

  /** After these, what is on the connection is no commands and answers any more. */
  private static final Set<String> ENDLESS = Set.of("MONITOR", "SYNC", "PSYNC", "CLIENT REPLY");

  private final int arguments;
  private String name = "";
  private String upper = "";
  private @Nullable String second;
  private final Exchange exchange;

  /** How many answers are still to come; of subscriptions there is one for each. */
  int answers = 1;

  long requestBytes;
  long responseBytes;

  Command(Piece begin, int arguments) {
    this.arguments = arguments;
    exchange = new Exchange(RedisProtocol.NAME, SYSTEM, begin);
  }

  static boolean isWordPart(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  static boolean isWord(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_NAME
        && text.chars().allMatch(Command::isWordPart);
  }

  /** Whether this argument, counted from 0, is looked at if it has so many bytes. */
  boolean wants(int index, long length) {
    if (length > LONGEST_NAME) {
      return false;
    }
    return index == 0
        || (index == 1
            && (WITH_SUBCOMMANDS.contains(upper)
                || OF_SCRIPTS.contains(upper)
                || upper.equals("SELECT")));
  }

  void take(int index, String argument) {
    if (index == 0) {
      name = argument;
      upper = argument.toUpperCase(Locale.ROOT);
    } else if (isWord(argument)) {
      second = argument;
    }
  }

  boolean isNamed() {
    return isWord(name);
  }

  /** In capitals, with its subcommand if it has one. */
  String operation() {
    return hasSubcommand() ? upper + " " + String.valueOf(second).toUpperCase(Locale.ROOT) : upper;
  }

  private boolean hasSubcommand() {
    return second != null && WITH_SUBCOMMANDS.contains(upper);
  }

  /** The database that it selects; null for any other. */
  @Nullable String selected() {
    return upper.equals("SELECT") && second != null && second.matches("\\d{1,5}") ? second : null;
  }

  boolean isEndless() {
    return ENDLESS.contains(operation());
  }

  boolean isSubscription() {
    return OF_SUBSCRIPTIONS.contains(upper);
  }

  /** Says what it is, when it has been read. */
  Exchange asked(Piece head, @Nullable String namespace) {
    String operation = hasSubcommand() ? name + " " + second : name;
    if (isSubscription()) {
      answers = Math.max(1, arguments - 1);
    }
    exchange
        .name(operation)
        .head(head)
        .put("db.system.name", SYSTEM)
        .put("db.namespace", namespace)
        .put("db.operation.name", operation)
        .put("db.query.text", text(operation));
    if (OF_SCRIPTS.contains(upper)) {
      exchange.put("db.stored_procedure.name", second);
    }
    return exchange;
  }

  Exchange exchange() {
    return exchange;
  }

  private String text(String operation) {
    StringBuilder text = new StringBuilder(operation);
    int values = arguments - (hasSubcommand() ? 2 : 1);
    text.repeat(" ?", Math.clamp(values, 0, MOST_SHOWN));
    return values > MOST_SHOWN ? text.append(" ...").toString() : text.toString();
  }
}
