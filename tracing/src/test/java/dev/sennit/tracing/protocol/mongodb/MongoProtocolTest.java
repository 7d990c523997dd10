/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.Deflater;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;

class MongoProtocolTest {
  private static final MongoProtocol PROTOCOL = new MongoProtocol();
  private static final String FIND = "{find: 'orders', filter: {a: 'secret'}, '$db': 'shop'}";
  private static final String FINE = "{cursor: {firstBatch: []}, ok: 1.0}";

  private static byte[] bson(String json) {
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec()
          .encode(writer, BsonDocument.parse(json), EncoderContext.builder().build());
      return buffer.toByteArray();
    }
  }

  private static byte[] message(int id, int to, int opCode, byte[]... parts) {
    int length = 16 + Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(length).putInt(id).putInt(to).putInt(opCode);
    for (byte[] part : parts) {
      buffer.put(part);
    }
    return buffer.array();
  }

  private static byte[] little(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] request(int id, int flags, String json) {
    return message(id, 0, 2013, little(flags), new byte[1], bson(json));
  }

  private static byte[] response(int id, int to, int flags, String json) {
    return message(id, to, 2013, little(flags), new byte[1], bson(json));
  }

  private static ConversationKit play(Session session) {
    return ConversationKit.client(PROTOCOL).play(session).end();
  }

  private static Likeness judge(Side side, byte[] bytes) {
    return ConversationKit.judge(PROTOCOL, side, bytes);
  }

  @Test
  void messagesAreRecognised() {
    assertThat(judge(Side.REQUESTS, request(1, 0, FIND))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, response(9, 1, 0, FINE))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, response(9, 1, 0, FINE))).isEqualTo(Likeness.NO);
    assertThat(judge(Side.REQUESTS, Arrays.copyOf(request(1, 0, FIND), 15)))
        .isEqualTo(Likeness.TOO_FEW);
  }

  @Test
  void otherProtocolsAreNot() {
    String[] others = {
      "GET / HTTP/1.1\r\n",
      "HTTP/1.1 200 OK\r\n",
      "*1\r\n$4\r\nPING\r\n*1\r\n",
      "\26\3\1\0\2\1\0\0\0\0\0\0\0\0\0\0\0",
      "Q\0\0\0\25SELECT 1 FROM t\0",
      "Z\0\0\0\5IZ\0\0\0\5IZ\0\0\0\5I",
      "J\0\0\0\n8.0.36\0\1\0\0\0aaaaaaaa\0"
    };
    for (String other : others) {
      assertThat(judge(Side.REQUESTS, bytes(other))).as(other).isEqualTo(Likeness.NO);
      assertThat(judge(Side.RESPONSES, bytes(other))).as(other).isEqualTo(Likeness.NO);
    }
    Replay.assertRandomBytesAreNotTaken(PROTOCOL);
  }

  @Test
  void answersBelongToTheRequestThatTheyName() {
    Session session =
        Session.of()
            .request(request(1, 0, FIND))
            .request(request(2, 0, "{ping: 1, '$db': 'admin'}"))
            .response(response(8, 1, 0, "{ok: 0, errmsg: 'secret', code: 13, codeName: 'X'}"))
            .response(response(9, 2, 0, "{ok: 1.0}"))
            .response(response(10, 4711, 0, "{ok: 1.0}"));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .containsExactly(
            "find orders db.collection.name=orders db.namespace=shop db.operation.name=find"
                + " db.response.status_code=13 db.system.name=mongodb 84B/79B failed: 13 complete",
            "ping admin db.namespace=admin db.operation.name=ping db.system.name=mongodb 51B/38B"
                + " complete");
    assertThat(kit.lost()).containsExactly(Map.entry(Lost.NO_REQUEST, 1));
  }

  @Test
  void documentsMayPrecedeTheCommandAndAChecksumFollowIt() {
    byte[] documents = bson("{_id: 1, name: 'secret'}");
    byte[] name = bytes("documents\0");
    byte[] section = little(4 + name.length + documents.length);
    byte[] insert = bson("{insert: 'orders', '$db': 'shop'}");
    byte[] request =
        message(
            1,
            0,
            2013,
            little(1),
            bytes("\1"),
            section,
            name,
            documents,
            bytes("\0"),
            insert,
            little(7));
    Session session =
        Session.of()
            .request(request)
            .response(response(9, 1, 0, "{n: 0, writeErrors: [{index: 0, code: 11000}], ok: 1.0}"))
            .request(request(2, 0, "{update: 'orders', '$db': 'shop'}"))
            .response(response(9, 2, 0, "{ok: 1.0, writeConcernError: {code: 64}}"));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .satisfiesExactly(
            line ->
                assertThat(line).startsWith("insert orders ").endsWith("failed: 11000 complete"),
            line -> assertThat(line).startsWith("update orders ").endsWith("failed: 64 complete"));
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void whatNobodyAnswersEndsWhenItIsSent() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    kit.move(Side.REQUESTS, request(1, 2, "{insert: 'orders', '$db': 'shop'}"));
    assertThat(kit.ended()).singleElement().matches(each -> each.isComplete());
    assertThat(kit.isOpen()).isFalse();
  }

  @Test
  void waitingForNewsOfTheTopologyIsLeftAlone() {
    ConversationKit kit =
        play(
            Session.of()
                .request(request(1, 1 << 16, "{hello: 1, maxAwaitTimeMS: 10000, '$db': 'admin'}"))
                .response(response(7, 1, 2, "{ok: 1.0}"))
                .response(response(8, 7, 2, "{ok: 1.0}"))
                .response(response(9, 8, 0, "{ok: 1.0}"))
                .request(request(2, 0, "{hello: 1, '$db': 'admin'}"))
                .response(response(10, 2, 0, "{ok: 1.0}")));
    assertThat(kit.told()).singleElement().asString().startsWith("hello admin ");
    assertThat(kit.lost()).isEmpty();
  }

  @Test
  void olderQueriesAreUnderstood() {
    byte[] query = bson("{'$query': {isMaster: 1, helloOk: true}}");
    Session session =
        Session.of()
            .request(message(1, 0, 2004, little(0), bytes("admin.$cmd\0"), little(0, -1), query))
            .response(message(9, 1, 1, little(8, 0, 0, 0, 1), bson("{ok: 0.0, code: 59}")));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .singleElement()
        .asString()
        .startsWith("isMaster admin db.namespace=admin ")
        .endsWith("failed: 59 complete");
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  private static byte[] compressed(int id, int to, int compressor, byte[] plain) {
    byte[] body = plain;
    if (compressor == 2) {
      try (Deflater deflater = new Deflater()) {
        deflater.setInput(plain);
        deflater.finish();
        byte[] target = new byte[plain.length + 64];
        body = Arrays.copyOf(target, deflater.deflate(target));
        System.arraycopy(target, 0, body, 0, body.length);
      }
    }
    byte[] head = little(2013, plain.length);
    return message(id, to, 2012, head, new byte[] {(byte) compressor}, body);
  }

  @Test
  void compressedMessagesAreReadWhereTheyCanBe() {
    ByteBuffer request = ByteBuffer.wrap(request(1, 0, FIND));
    byte[] plain = Arrays.copyOfRange(request.array(), 16, request.capacity());
    byte[] answer = Arrays.copyOfRange(response(9, 1, 0, "{ok: 0, code: 5}"), 16, 53 - 4);
    for (int compressor : new int[] {0, 2}) {
      ConversationKit kit =
          play(
              Session.of()
                  .request(compressed(1, 0, compressor, plain))
                  .response(compressed(9, 1, compressor, answer)));
      assertThat(kit.told())
          .singleElement()
          .asString()
          .startsWith("find orders ")
          .contains("failed");
      assertThat(kit.lost()).isEmpty();
    }
    ConversationKit kit =
        play(
            Session.of().request(compressed(1, 0, 1, plain)).response(compressed(9, 1, 1, answer)));
    assertThat(kit.told()).isEmpty();
    assertThat(kit.lost()).containsExactly(Map.entry(Lost.UNSUPPORTED, 1));
  }

  @Test
  void onlyNamesOfCollectionsAreTold() {
    ConversationKit kit =
        play(
            Session.of()
                .request(request(1, 0, "{createUser: 'alice', pwd: 'secret', '$db': 'shop'}"))
                .response(response(9, 1, 0, "{ok: 1.0}"))
                .request(
                    request(2, 0, "{getMore: {'$numberLong': '7'}, collection: 'c', '$db': 'd'}"))
                .response(response(9, 2, 0, FINE))
                .request(request(3, 0, "{explain: {find: 'orders'}, '$db': 'shop'}"))
                .response(response(9, 3, 0, "{ok: 1.0}"))
                .request(request(4, 0, "{aggregate: 1, '$db': 'shop'}"))
                .response(response(9, 4, 0, FINE)));
    assertThat(kit.ended())
        .extracting(each -> each.name())
        .containsExactly("createUser shop", "getMore c", "explain orders", "aggregate shop");
  }

  @Test
  void lengthsThatAreLiesTakeNoMemory() {
    byte[] request = request(1, 0, FIND);
    ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN).putInt(31, Integer.MAX_VALUE);
    ConversationKit kit = play(Session.of().request(request).response(response(9, 1, 0, FINE)));
    assertThat(kit.ended()).singleElement().matches(each -> each.name().equals("find"));
  }

  @Test
  void anAnswerInAGapEndsWithTheLastCallBeforeTheNextRequest() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    kit.move(Side.REQUESTS, request(1, 0, FIND));
    kit.gap(Side.RESPONSES, 100_000);
    var last = kit.move(Side.RESPONSES, new byte[50]);
    kit.play(Session.of().request(request(2, 0, FIND)).response(response(9, 2, 0, FINE)));
    assertThat(kit.ended()).hasSize(2);
    assertThat(kit.ended().getFirst().isComplete()).isFalse();
    assertThat(kit.ended().getFirst().end()).isSameAs(last);
    assertThat(kit.ended().getLast().isComplete()).isTrue();
  }
}
