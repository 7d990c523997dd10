/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Bearings;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Footing;
import dev.sennit.tracing.protocol.InStep;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one connection says in RESP. */
final class RedisConversation implements Conversation {
  private static final int MOST_OPEN = 1024;
  private static final int LONGEST_INLINE = 1024;
  private static final int LONGEST_HEAD = 16;
  private static final int MOST_ARGUMENTS = 1 << 20;

  /** What the server sends to subscribers, unasked. */
  private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

  private final Channel channel;
  private final Inflow requests;
  private final Inflow responses;
  private final ArrayDeque<Command> open = new ArrayDeque<>();
  private final Bearings bearings;
  private final Footing footing;
  private final InStep inStep = new InStep();
  private @Nullable String namespace;

  /** The command that is being read. */
  private @Nullable Command reading;

  private Piece head = new Piece(0, 0, 0);
  private int argument;
  private int arguments;

  /** How many wait for their answers behind those that are held. */
  private int unheld;

  private Reply reply;
  private boolean subscribed;
  private boolean leftAlone;

  RedisConversation(Channel channel) {
    this.channel = channel;
    requests = channel.inflow(Side.REQUESTS);
    responses = channel.inflow(Side.RESPONSES);
    bearings = new Bearings(channel);
    footing = new Footing(channel, this::giveUp);
    reply = new Reply(responses);
    namespace = channel.isWhole() ? "0" : null;
  }

  @Override
  public void advance(Side side) {
    if (leftAlone) {
      channel.inflow(side).drop();
      return;
    }
    boolean more = true;
    while (more && !leftAlone) {
      more = side == Side.REQUESTS ? advanceRequests() : advanceResponses();
    }
  }

  @Override
  public void end(Piece by) {
    open.forEach(command -> footing.close(command.exchange()));
    giveUp(by);
  }

  @Override
  public boolean isOpen() {
    return !open.isEmpty();
  }

  private boolean advanceRequests() {
    if (requests.size() == 0) {
      return requests.isBroken() && loseRequests(Lost.GAP);
    }
    Command command = reading;
    if (command != null) {
      return argument(command);
    }
    boolean array = requests.get(0) == '*';
    int line = requests.indexOf('\n', 0);
    if (line < 0) {
      if (requests.isBroken()) {
        return loseRequests(Lost.GAP);
      }
      return requests.size() > (array ? LONGEST_HEAD : LONGEST_INLINE)
          && loseRequests(Lost.MALFORMED);
    }
    if (!array) {
      return inline(line);
    }
    int count = count(line);
    if (count < 0) {
      return loseRequests(Lost.MALFORMED);
    }
    if (count > 0) {
      Piece begin = requests.piece(0);
      footing.asked(begin);
      reading = new Command(begin, count);
      reading.requestBytes = line + 1L;
      argument = 0;
      arguments = count;
    }
    requests.consume(line + 1);
    return true;
  }

  /** The number at the begin of a command, or of an argument, whose line ends here; or -1. */
  private int count(int line) {
    if (line < 3 || line > LONGEST_HEAD || requests.get(line - 1) != '\r') {
      return -1;
    }
    long number = 0;
    for (int i = 1; i < line - 1; i++) {
      int digit = requests.get(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    boolean length = requests.get(0) == '$';
    return number <= (length ? Integer.MAX_VALUE - 2 : MOST_ARGUMENTS) ? (int) number : -1;
  }

  private boolean argument(Command command) {
    int line = requests.indexOf('\n', 0);
    if (line < 0) {
      if (requests.isBroken()) {
        return loseRequests(Lost.GAP);
      }
      return requests.size() > LONGEST_HEAD && loseRequests(Lost.MALFORMED);
    }
    int length = requests.get(0) == '$' ? count(line) : -1;
    if (length < 0) {
      return loseRequests(Lost.MALFORMED);
    }
    int body = line + 1;
    if (command.wants(argument, length)) {
      if (requests.size() < body + length) {
        return requests.isBroken() && loseRequests(Lost.GAP);
      }
      command.take(argument, requests.latin1(body, length));
      head = requests.piece(body + Math.max(0, length - 1));
    }
    if (argument == 0 && !command.isNamed()) {
      return loseRequests(Lost.MALFORMED);
    }
    long total = body + (long) length + 2;
    command.requestBytes += total;
    requests.skip(total);
    if (++argument == arguments) {
      reading = null;
      bearings.find();
      ask(command);
    }
    return true;
  }

  private boolean inline(int line) {
    int end = line > 0 && requests.get(line - 1) == '\r' ? line - 1 : line;
    String text = requests.latin1(0, end).strip();
    Piece begin = requests.piece(0);
    if (!text.isEmpty()) {
      String[] words = text.split("\\s+");
      Command command = new Command(begin, words.length);
      command.take(0, words[0]);
      if (!command.isNamed()) {
        return loseRequests(Lost.MALFORMED);
      }
      if (words.length > 1 && command.wants(1, words[1].length())) {
        command.take(1, words[1]);
      }
      command.requestBytes = line + 1L;
      head = requests.piece(line);
      footing.asked(begin);
      bearings.find();
      ask(command);
    }
    requests.consume(line + 1);
    return true;
  }

  private void ask(Command command) {
    inStep.asked(open.size() + unheld);
    subscribed |= command.isSubscription();
    if (open.size() < MOST_OPEN && unheld == 0) {
      open.add(command);
      channel.opened(command.asked(head, namespace));
    } else {
      channel.lost(Lost.TOO_MANY_OPEN);
      unheld++;
    }
  }

  private boolean loseRequests(Lost reason) {
    Command command = reading;
    reading = null;
    if (command != null && command.isNamed()) {
      // It was sent, whatever else was with it.
      bearings.understand();
      ask(command);
    }
    return bearings.lose(reason);
  }

  private boolean advanceResponses() {
    if (footing.isLost()) {
      responses.drop();
      return false;
    }
    if (responses.size() == 0
        && !responses.isSkipping()
        && !responses.isBroken()
        && !reply.isBegun()) {
      return false;
    }
    return switch (reply.read()) {
      case WANTED -> {
        if (responses.isBroken() && !responses.isSkipping()) {
          loseResponses(Lost.GAP);
        }
        yield false;
      }
      case MALFORMED -> {
        loseResponses(Lost.MALFORMED);
        bearings.mistake();
        yield false;
      }
      case OVER -> {
        Reply over = reply;
        reply = new Reply(responses);
        footing.find();
        bearings.understand();
        answered(over, responses.skipped());
        yield true;
      }
    };
  }

  private void loseResponses(Lost reason) {
    reply = new Reply(responses);
    footing.lose(reason);
    responses.drop();
  }

  private void answered(Reply answer, Piece piece) {
    boolean confirmation = answer.kind().endsWith("subscribe");
    boolean unasked =
        answer.isPush() ? !confirmation : subscribed && MESSAGES.contains(answer.kind());
    if (unasked) {
      return;
    }
    Command command = open.peekFirst();
    if (command == null) {
      if (unheld > 0) {
        unheld--;
      } else {
        channel.lost(Lost.NO_REQUEST);
        inStep.unasked();
      }
      return;
    }
    command.responseBytes += answer.bytes();
    if (answer.isPush() && !command.isSubscription()) {
      return;
    }
    if (--command.answers > 0 && confirmation) {
      return;
    }
    open.removeFirst();
    if (command.isEndless()) {
      leftAlone = true;
      channel.lost(Lost.UNSUPPORTED);
    }
    select(command, answer);
    Exchange exchange = command.exchange();
    if (answer.isFailed()) {
      String error = answer.error();
      exchange.put("db.response.status_code", error).failed(error == null ? "_OTHER" : error);
    }
    end(command, exchange.complete(piece));
    for (int lost = inStep.answered(open.size() + unheld); lost > 0 && !open.isEmpty(); lost--) {
      channel.lost(Lost.GAP);
      broken(open.removeFirst(), piece);
    }
  }

  private void select(Command command, Reply answer) {
    String selected = command.selected();
    if (selected != null && !answer.isFailed()) {
      // In a transaction it is not done yet, and may never be.
      namespace = answer.status().equals("OK") ? selected : null;
    } else if (command.operation().equals("RESET")) {
      namespace = "0";
    }
  }

  private void giveUp(Piece piece) {
    reply = new Reply(responses);
    unheld = 0;
    while (!open.isEmpty()) {
      broken(open.removeFirst(), piece);
    }
  }

  private void broken(Command command, Piece piece) {
    end(command, command.exchange().broken(piece));
  }

  private void end(Command command, Exchange exchange) {
    channel.ended(exchange.sizes(command.requestBytes, command.responseBytes));
  }
}
