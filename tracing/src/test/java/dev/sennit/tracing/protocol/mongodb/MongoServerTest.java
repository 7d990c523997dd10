/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import static dev.sennit.tracing.protocol.Replay.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.RecordedServerTest;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The real driver and a server in this JVM, tapped on loopback. */
class MongoServerTest extends RecordedServerTest {
  private static final MongoProtocol PROTOCOL = new MongoProtocol();

  private MongoServer server;
  private LoopbackTap tap;

  MongoServerTest() {
    super(PROTOCOL, 2);
  }

  @BeforeEach
  void start() {
    server = new MongoServer(new MemoryBackend());
    tap = LoopbackTap.before(server.bind().getPort());
  }

  @AfterEach
  void end() {
    tap.close();
    server.shutdownNow();
  }

  /** The same work in a process of its own, for who observes that: says what is to be told. */
  public static void main(String[] arguments) {
    MongoServerTest test = new MongoServerTest();
    try (MongoClient client = connect(Integer.parseInt(arguments[0]))) {
      test.work(client.getDatabase("shop"));
    }
    test.expected.forEach(System.out::println);
  }

  private MongoClient connect() {
    return connect(tap.port());
  }

  private static MongoClient connect(int port) {
    String url = "mongodb://127.0.0.1:" + port + "/?directConnection=true&maxPoolSize=1";
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(url))
            .retryWrites(false)
            .retryReads(false)
            .applyToServerSettings(each -> each.heartbeatFrequency(1, TimeUnit.HOURS))
            .build());
  }

  private void expect(String operation, String collection) {
    if (collection.isEmpty()) {
      expected.add(
          line(
              operation + " shop",
              "db.system.name",
              "mongodb",
              "db.namespace",
              "shop",
              "db.operation.name",
              operation));
    } else {
      expected.add(
          line(
              operation + " " + collection,
              "db.system.name",
              "mongodb",
              "db.namespace",
              "shop",
              "db.collection.name",
              collection,
              "db.operation.name",
              operation));
    }
  }

  private void expectFailed(int code) {
    expected.add(
        expected
            .removeLast()
            .replaceFirst(" db.system.name=", " db.response.status_code=" + code + "$0")
            .replaceFirst("complete$", "failed: " + code + " complete"));
  }

  /** 230 commands of all kinds. */
  private void work(MongoDatabase database) {
    MongoCollection<Document> orders = database.getCollection("orders");
    orders.createIndex(Indexes.ascending("customer"));
    expect("createIndexes", "orders");
    for (int i = 0; i < 50; i++) {
      orders.insertOne(new Document("_id", i).append("customer", "secret-" + i));
      expect("insert", "orders");
      orders.find(Filters.eq("customer", "secret-" + i)).first();
      expect("find", "orders");
      orders.updateOne(Filters.eq("_id", i), Updates.set("note", "secret"));
      expect("update", "orders");
    }
    List<Document> many = new ArrayList<>();
    for (int i = 100; i < 1100; i++) {
      many.add(new Document("_id", i).append("text", "secret".repeat(20)));
    }
    orders.insertMany(many);
    expect("insert", "orders");
    int seen = 0;
    for (Document document : orders.find().batchSize(400)) {
      seen += document.size() > 0 ? 1 : 0;
    }
    assertThat(seen).isEqualTo(1050);
    expect("find", "orders");
    expect("getMore", "orders");
    expect("getMore", "orders");
    errors(database, orders);
    for (int i = 0; i < 15; i++) {
      orders.findOneAndUpdate(Filters.eq("_id", i), Updates.set("note", "x"));
      expect("findAndModify", "orders");
      orders.deleteOne(Filters.eq("_id", i));
      expect("delete", "orders");
    }
    orders.countDocuments();
    expect("aggregate", "orders");
    orders.distinct("customer", String.class).first();
    expect("distinct", "orders");
    database.listCollectionNames().first();
    expect("listCollections", "");
    database.runCommand(new Document("ping", 1));
    expect("ping", "");
    orders.drop();
    expect("drop", "orders");
  }

  private void errors(MongoDatabase database, MongoCollection<Document> orders) {
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> orders.insertOne(new Document("_id", 1)))
          .isInstanceOf(MongoWriteException.class);
      expect("insert", "orders");
      expectFailed(11000);
      int code =
          assertThrows(
                  MongoCommandException.class,
                  () -> database.runCommand(new Document("noSuchCommand", "secret")))
              .getCode();
      expect("noSuchCommand", "");
      expectFailed(code);
    }
    assertThatThrownBy(
            () -> orders.insertMany(List.of(new Document("_id", 5000), new Document("_id", 1))))
        .isInstanceOf(MongoBulkWriteException.class);
    expect("insert", "orders");
    expectFailed(11000);
  }

  private Session recorded() {
    try (MongoClient client = connect()) {
      work(client.getDatabase("shop"));
    }
    return busiest(tap.sessions());
  }

  private static Session busiest(List<Session> sessions) {
    return sessions.stream()
        .max((one, other) -> Integer.compare(one.moves().size(), other.moves().size()))
        .orElseThrow();
  }

  @Test
  void everyCommandIsToldOnce() {
    Session session = recorded();
    assertThat(expected.size()).isGreaterThan(200);
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    List<String> told = Replay.lines(Replay.play(kit, session, -1));
    int begin = told.size() - expected.size();
    // What the driver says at the begin and at the end.
    told =
        told.stream()
            .filter(each -> !each.matches("(hello|isMaster|ismaster|endSessions) admin .*"))
            .toList();
    assertThat(begin).isBetween(1, 3);
    Replay.assertSame(told, expected);
    assertThat(kit.lost()).isEmpty();
    assertThat(kit.opened()).hasSameSizeAs(kit.ended());
    assertThat(told.toString()).doesNotContain("secret");
  }

  @Override
  protected Session shortSession() {
    try (MongoClient client = connect()) {
      MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
      for (int i = 0; i < 2; i++) {
        orders.insertOne(new Document("_id", i));
        orders.find().first();
        assertThatThrownBy(() -> orders.insertOne(new Document("_id", 0)))
            .isInstanceOf(MongoWriteException.class);
        orders.deleteOne(Filters.eq("_id", 9));
      }
    }
    return busiest(tap.sessions());
  }

  @Test
  void whatIsNotCapturedHidesNoCommand() {
    Session session = recorded();
    Replay.assertToldInOrder(PROTOCOL, session, 4096, 100);
    Replay.assertToldInOrder(PROTOCOL, session, 256, 98);
  }
}
