/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Sessions of dnsjava's resolver with small servers on the loopback interface. */
final class RecordedDnsTest {
  private static final DnsProtocol DNS = new DnsProtocol();

  private static byte[] answer(byte[] query) throws IOException {
    Message asked = new Message(query);
    Message answer = new Message(asked.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    Record question = asked.getQuestion();
    answer.addRecord(question, Section.QUESTION);
    if (question.getName().toString().startsWith("known")) {
      InetAddress address = InetAddress.getByAddress(new byte[] {10, 1, 2, 3});
      answer.addRecord(new ARecord(question.getName(), DClass.IN, 60, address), Section.ANSWER);
    } else {
      answer.getHeader().setRcode(Rcode.NXDOMAIN);
    }
    return answer.toWire();
  }

  private static Message query(String name) throws IOException {
    return Message.newQuery(Record.newRecord(Name.fromString(name), Type.A, DClass.IN));
  }

  private static void assertUnderstood(Session session) {
    assertThat(ConversationKit.toldOf(DNS, session))
        .extracting(line -> line.replaceAll(" \\d+B/\\d+B", ""))
        .containsExactly(
            "DNS A dns.answers=[10.1.2.3] dns.question.name=known.example complete",
            "DNS A dns.question.name=unknown.example failed: NXDOMAIN complete");
  }

  @Test
  void understandsDatagrams() throws IOException, InterruptedException {
    List<Session.Move> moves = new ArrayList<>();
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    byte[] buffer = new byte[4096];
                    try {
                      for (int i = 0; i < 2; i++) {
                        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                        server.receive(packet);
                        byte[] query = Arrays.copyOf(buffer, packet.getLength());
                        byte[] answer = answer(query);
                        moves.add(new Session.Move(Side.REQUESTS, query));
                        moves.add(new Session.Move(Side.RESPONSES, answer));
                        server.send(
                            new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                      }
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      SimpleResolver resolver =
          new SimpleResolver(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
      resolver.send(query("known.example."));
      resolver.send(query("unknown.example."));
      thread.join();
    }
    assertUnderstood(Session.of(moves));
    ConversationKit.assertLossIsLocal(DNS, Session.of(moves), 1);
  }

  @Test
  void understandsTcp() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        LoopbackTap tap = LoopbackTap.before(server.getLocalPort())) {
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Socket socket = server.accept()) {
                      DataInputStream in = new DataInputStream(socket.getInputStream());
                      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                      for (int i = 0; i < 2; i++) {
                        byte[] answer = answer(in.readNBytes(in.readUnsignedShort()));
                        out.writeShort(answer.length);
                        out.write(answer);
                      }
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      SimpleResolver resolver =
          new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), tap.port()));
      resolver.setTCP(true);
      resolver.send(query("known.example."));
      resolver.send(query("unknown.example."));
      thread.join();
      Session session = tap.sessions().getFirst();
      assertUnderstood(session);
      ConversationKit.assertCutsDoNotMatter(DNS, session);
    }
  }
}
