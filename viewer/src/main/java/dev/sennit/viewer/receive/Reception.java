/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import com.google.protobuf.Message;
import dev.sennit.intake.Encoding;
import dev.sennit.intake.MalformedException;
import io.helidon.http.HttpException;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import java.io.InputStream;

/** Receives one request after the other within the limits, however they are framed. */
final class Reception implements AutoCloseable {
  private final ReceiverLimits limits;
  private final Room room;
  private final Rate rate;
  private final Deadlines deadlines;

  Reception(ReceiverLimits limits) {
    this.limits = limits;
    this.room = new Room(limits.bytesInFlight());
    this.rate = new Rate(limits.requestsPerSecond());
    this.deadlines = new Deadlines(limits.receiving());
  }

  /** How a request lies in the bytes that come. */
  interface Framing {
    byte[] message(Body body) throws RefusedException;
  }

  /** The response to a request that is taken, at least in part. */
  <M extends Message> Message receive(
      Service<M> service, Encoding encoding, InputStream wire, Framing framing)
      throws RefusedException {
    Tally tally = service.tally();
    tally.request();
    try (Room.Share share = room.share()) {
      rate.admit();
      byte[] bytes = read(new Body(wire, limits.requestBytes(), share), framing, tally);
      return service.take(encoding.read(bytes, service.prototype()));
    } catch (MalformedException e) {
      tally.refused(Refusal.MALFORMED);
      throw Refusal.MALFORMED.because(String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      tally.refused(e.refusal());
      throw e;
    } catch (CloseConnectionException e) {
      tally.refused(Refusal.SLOW);
      throw e;
    }
  }

  private byte[] read(Body body, Framing framing, Tally tally) throws RefusedException {
    try (Deadlines.Deadline deadline = deadlines.begin()) {
      try {
        byte[] bytes = framing.message(body);
        if (deadline.isExpired()) {
          throw slow();
        }
        return bytes;
      } catch (RefusedException e) {
        // What is cut off for being late looks malformed.
        throw deadline.isExpired() ? slow() : e;
      } catch (HttpException e) {
        throw translated(e, e.status());
      } catch (RequestException e) {
        throw translated(e, e.status());
      } catch (RuntimeException e) {
        throw new CloseConnectionException("the sender was too slow, or has gone", e);
      }
    } finally {
      tally.bytes(body.wireBytes());
    }
  }

  private RefusedException translated(RuntimeException thrown, Status status) {
    if (status.code() != Status.REQUEST_ENTITY_TOO_LARGE_413.code()) {
      throw thrown;
    }
    return Refusal.TOO_LARGE.because(
        "the request has more than the " + limits.requestBytes() + " bytes that it may have");
  }

  private RefusedException slow() {
    return Refusal.SLOW.because(
        "the request took longer than " + limits.receiving().toMillis() + " ms to arrive");
  }

  @Override
  public void close() {
    deadlines.close();
  }
}
