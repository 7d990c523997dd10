/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Piece;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

final class DnsConversationTest {
  private static final DnsProtocol DNS = new DnsProtocol();

  private static Message query(int id, String name, int type) throws IOException {
    Message message = Message.newQuery(Record.newRecord(Name.fromString(name), type, DClass.IN));
    message.getHeader().setID(id);
    return message;
  }

  private static Message answer(Message query, int rcode, Record... records) {
    Message message = new Message(query.getHeader().getID());
    message.getHeader().setFlag(Flags.QR);
    message.getHeader().setFlag(Flags.RA);
    message.getHeader().setRcode(rcode);
    message.addRecord(query.getQuestion(), Section.QUESTION);
    for (Record record : records) {
      message.addRecord(record, Section.ANSWER);
    }
    return message;
  }

  private static Record a(String name, int last) throws IOException {
    byte[] address = {10, 0, 0, (byte) last};
    return new ARecord(Name.fromString(name), DClass.IN, 60, InetAddress.getByAddress(address));
  }

  private static byte[] overTcp(Message... messages) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Message message : messages) {
      byte[] bytes = message.toWire();
      out.write(bytes.length >> 8);
      out.write(bytes.length);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void saysWhatWasAskedAndAnswered() throws IOException {
    Message query = query(7, "www.example.com.", Type.A);
    query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
    Name host = Name.fromString("host.example.net.");
    Message answer =
        answer(
            query,
            Rcode.NOERROR,
            new CNAMERecord(Name.fromString("www.example.com."), DClass.IN, 60, host),
            a("host.example.net.", 1),
            a("host.example.net.", 2));
    Session session = Session.of().request(query.toWire()).response(answer.toWire());
    assertThat(ConversationKit.toldOf(DNS, session))
        .containsExactly(
            "DNS A dns.answers=[10.0.0.1, 10.0.0.2] dns.question.name=www.example.com 44B/"
                + answer.toWire().length
                + "B complete");
  }

  @Test
  void saysNamesWhereNamesWereAskedForAndNoTexts() throws IOException {
    Message mail = query(1, "example.com.", Type.MX);
    Name name = Name.fromString("example.com.");
    Message exchangers =
        answer(
            mail,
            Rcode.NOERROR,
            new MXRecord(name, DClass.IN, 60, 10, Name.fromString("mx1.example.com.")));
    Message text = query(2, "example.com.", Type.TXT);
    Message secret =
        answer(text, Rcode.NOERROR, new TXTRecord(name, DClass.IN, 60, "verification=hush"));
    Session session =
        Session.of()
            .request(mail.toWire())
            .response(exchangers.toWire())
            .request(text.toWire())
            .response(secret.toWire());
    assertThat(ConversationKit.toldOf(DNS, session).toString())
        .contains("DNS MX dns.answers=[mx1.example.com]")
        .contains("DNS TXT dns.question.name=example.com")
        .doesNotContain("hush");
  }

  @Test
  void saysWhatWentWrong() throws IOException {
    Message query = query(3, "nowhere.example.", Type.AAAA);
    Session session =
        Session.of().request(query.toWire()).response(answer(query, Rcode.NXDOMAIN).toWire());
    Exchange exchange = ConversationKit.client(DNS).play(session).ended().getFirst();
    assertThat(exchange.name()).isEqualTo("DNS AAAA");
    assertThat(exchange.errorType()).isEqualTo("NXDOMAIN");
  }

  @Test
  void pairsByIdAndQuestionInAnyOrder() throws IOException {
    Message v4 = query(10, "a.example.", Type.A);
    Message v6 = query(11, "a.example.", Type.AAAA);
    Message other = query(10, "b.example.", Type.A);
    byte[] address = new byte[16];
    address[15] = 1;
    Record six =
        new AAAARecord(
            Name.fromString("a.example."), DClass.IN, 60, InetAddress.getByAddress(address));
    Session session =
        Session.of()
            .request(v4.toWire())
            .request(v6.toWire())
            .request(other.toWire())
            .response(answer(other, Rcode.NOERROR, a("b.example.", 9)).toWire())
            .response(answer(v6, Rcode.NOERROR, six).toWire())
            .response(answer(v4, Rcode.NOERROR, a("a.example.", 4)).toWire());
    assertThat(ConversationKit.toldOf(DNS, session))
        .extracting(line -> line.replaceAll(" \\d+B.*", ""))
        .containsExactly(
            "DNS A dns.answers=[10.0.0.9] dns.question.name=b.example",
            "DNS AAAA dns.answers=[0:0:0:0:0:0:0:1] dns.question.name=a.example",
            "DNS A dns.answers=[10.0.0.4] dns.question.name=a.example");
    ConversationKit.assertLossIsLocal(DNS, session, 1);
  }

  @Test
  void takesAQuestionThatIsRepeatedAsOne() throws IOException {
    Message query = query(5, "slow.example.", Type.A);
    Session session =
        Session.of()
            .request(query.toWire())
            .request(query.toWire())
            .response(answer(query, Rcode.NOERROR, a("slow.example.", 1)).toWire())
            .response(answer(query, Rcode.NOERROR, a("slow.example.", 1)).toWire());
    ConversationKit kit = ConversationKit.client(DNS).play(session).end();
    assertThat(kit.opened()).hasSize(1);
    assertThat(kit.ended()).hasSize(1);
    assertThat(kit.ended().getFirst().begin().time()).isEqualTo(2000);
    assertThat(kit.lost()).containsEntry(Lost.NO_REQUEST, 1);
  }

  @Test
  void followsTcp() throws IOException {
    Message one = query(1, "one.example.", Type.A);
    Message two = query(2, "two.example.", Type.A);
    Session session =
        Session.of()
            .request(overTcp(one, two))
            .response(
                overTcp(
                    answer(two, Rcode.SERVFAIL), answer(one, Rcode.NOERROR, a("one.example.", 1))));
    assertThat(ConversationKit.toldOf(DNS, session)).hasSize(2);
    ConversationKit.assertCutsDoNotMatter(DNS, session);
  }

  @Test
  void answersWithoutTheirQuestionBelongToTheOnlyOneOfTheirId() throws IOException {
    Message query = query(6, "a.example.", Type.A);
    Message refusal = new Message(6);
    refusal.getHeader().setFlag(Flags.QR);
    refusal.getHeader().setRcode(Rcode.FORMERR);
    Session session = Session.of().request(query.toWire()).response(refusal.toWire());
    assertThat(ConversationKit.client(DNS).play(session).ended().getFirst().errorType())
        .isEqualTo("FORMERR");
  }

  @Test
  void givesUpQuestionsThatNobodyAnswers() throws IOException {
    ConversationKit kit = ConversationKit.client(DNS);
    kit.move(Side.REQUESTS, query(1, "a.example.", Type.A).toWire());
    Piece later = new Piece(60_000_000_000L, 1, 1);
    kit.move(Side.REQUESTS, later, query(2, "a.example.", Type.A).toWire());
    assertThat(kit.ended()).hasSize(1);
    assertThat(kit.ended().getFirst().errorType()).isEqualTo("timeout");
    kit.end();
    assertThat(kit.ended()).hasSize(2);
  }

  @Test
  void saysTheResultOfAnAnswerThatIsLongerThanWhatIsCaptured() throws IOException {
    Message query = query(6, "many.example.", Type.A);
    Record[] records = new Record[40];
    for (int i = 0; i < records.length; i++) {
      records[i] = a("many.example.", i);
    }
    ConversationKit kit =
        ConversationKit.client(DNS)
            .capturing(100)
            .play(
                Session.of()
                    .request(query.toWire())
                    .response(answer(query, Rcode.NOERROR, records).toWire()));
    assertThat(kit.ended().getFirst().isComplete()).isTrue();
    assertThat(kit.lost()).containsEntry(Lost.GAP, 1);
  }

  @Test
  void leavesMulticastAndUpdatesAlone() throws IOException {
    Message query = query(0, "printer.local.", Type.A);
    ConversationKit multicast =
        ConversationKit.client(DNS)
            .serverAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5353))
            .play(Session.of().request(query.toWire()));
    assertThat(multicast.opened()).isEmpty();
    assertThat(multicast.lost()).containsEntry(Lost.UNSUPPORTED, 1);
    Message update = query(9, "zone.example.", Type.SOA);
    update.getHeader().setOpcode(Opcode.UPDATE);
    ConversationKit updated =
        ConversationKit.client(DNS)
            .play(Session.of().request(query.toWire()).request(update.toWire()));
    assertThat(updated.opened()).hasSize(1);
    assertThat(updated.lost()).containsEntry(Lost.UNSUPPORTED, 1);
  }

  @Test
  void holdsABoundedNumberOfQuestions() throws IOException {
    ConversationKit kit = ConversationKit.client(DNS);
    for (int i = 0; i < 3000; i++) {
      kit.move(Side.REQUESTS, query(i, "a.example.", Type.A).toWire());
    }
    assertThat(kit.ended()).hasSize(3000 - 1024);
  }

  @Test
  void isClearForMessagesAndNoForAnythingElse() throws IOException {
    Message query = query(0x1603, "example.com.", Type.HTTPS);
    byte[] datagram = query.toWire();
    byte[] stream = overTcp(query);
    assertThat(ConversationKit.judge(DNS, Side.REQUESTS, datagram)).isEqualTo(Likeness.CLEAR);
    assertThat(ConversationKit.judge(DNS, Side.RESPONSES, datagram)).isEqualTo(Likeness.NO);
    assertThat(ConversationKit.judge(DNS, Side.REQUESTS, stream)).isEqualTo(Likeness.CLEAR);
    for (int i = 0; i < stream.length; i++) {
      assertThat(ConversationKit.judge(DNS, Side.REQUESTS, Arrays.copyOf(stream, i)))
          .as("%d bytes", i)
          .isEqualTo(Likeness.TOO_FEW);
    }
    byte[] startup = {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f};
    assertThat(ConversationKit.judge(DNS, Side.REQUESTS, startup)).isEqualTo(Likeness.NO);
  }

  @Property
  void isNeverClearForBytesByChance(@ForAll byte[] bytes) {
    for (Side side : Side.values()) {
      assertThat(ConversationKit.judge(DNS, side, bytes)).isNotEqualTo(Likeness.CLEAR);
    }
  }
}
