/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import static dev.sennit.tracing.protocol.ConversationKit.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class Http2ConversationTest {
  private static final Protocol HTTP2 = new Http2Protocol();
  private static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final Http2Bytes client = new Http2Bytes();
  private final Http2Bytes server = new Http2Bytes();

  private Session begun() {
    return Session.of()
        .request(client.preface().settings(3, 100).take())
        .response(server.settings(3, 100).acknowledge().take())
        .request(client.acknowledge().take());
  }

  private static List<String> results(ConversationKit kit) {
    return kit.ended().stream()
        .map(
            exchange -> {
              String path = attribute(exchange, "url.path");
              String status = attribute(exchange, "http.response.status_code");
              String grpc = attribute(exchange, "rpc.response.status_code");
              return exchange.name()
                  + (path == null ? "" : " " + path)
                  + " "
                  + (status == null ? grpc : status)
                  + (exchange.isComplete() ? "" : " broken");
            })
        .toList();
  }

  private static ConversationKit served(Session session) {
    return ConversationKit.server(HTTP2).play(session).end();
  }

  @Test
  void saysOfAServersRequestWhatItWouldSayOfHttp1() {
    Session session =
        begun().request(client.get(1, "/a?b=c").take()).response(server.ok(1, 5).take());
    assertThat(served(session).told())
        .containsExactly(
            "GET http.request.method=GET http.response.status_code=200 network.protocol.version=2"
                + " server.address=a.example server.port=80 url.path=/a url.query=b=c"
                + " url.scheme=http user_agent.original=test 0B/5B complete");
    assertThat(ConversationKit.toldOf(HTTP2, session))
        .containsExactly(
            "GET http.request.method=GET http.response.status_code=200 network.protocol.version=2"
                + " server.address=a.example server.port=80 url.full=http://a.example/a?b=c 0B/5B"
                + " complete");
    assertThat(served(session).lost()).isEmpty();
    ConversationKit.assertCutsDoNotMatter(HTTP2, session);
  }

  @Test
  void saysOfACallWhatTheConventionsForRpcName() {
    Session session =
        begun()
            .request(client.call(1, "shop.Cart/Add").data(1, true, 7).take())
            .response(
                server
                    .headers(1, false, ":status", "200", "content-type", "application/grpc")
                    .data(1, false, 9)
                    .headers(1, true, "grpc-status", "0")
                    .take());
    ConversationKit kit = served(session);
    assertThat(kit.told())
        .containsExactly(
            "shop.Cart/Add rpc.method=shop.Cart/Add rpc.response.status_code=OK"
                + " rpc.system.name=grpc server.address=a.example server.port=50051 7B/9B"
                + " complete");
    assertThat(kit.ended().getFirst().protocol()).isEqualTo("grpc");
    ConversationKit.assertCutsDoNotMatter(HTTP2, session);
  }

  @ParameterizedTest
  @CsvSource({
    "1,CANCELLED,false",
    "2,UNKNOWN,true",
    "4,DEADLINE_EXCEEDED,true",
    "5,NOT_FOUND,false",
    "7,PERMISSION_DENIED,false",
    "12,UNIMPLEMENTED,true",
    "13,INTERNAL,true",
    "14,UNAVAILABLE,true",
    "15,DATA_LOSS,true",
    "16,UNAUTHENTICATED,false",
    "77,77,false"
  })
  void saysWhichStatusIsAnErrorOfWhichSide(String code, String name, boolean ofServer) {
    Session session =
        begun()
            .request(client.call(1, "S/M").data(1, true, 5).take())
            .response(server.headers(1, true, ":status", "200", "grpc-status", code).take());
    Exchange exchange = served(session).ended().getFirst();
    assertThat(attribute(exchange, "rpc.response.status_code")).isEqualTo(name);
    assertThat(exchange.errorType()).isEqualTo(ofServer ? name : null);
    Exchange ofClient = ConversationKit.client(HTTP2).play(session).ended().getFirst();
    assertThat(ofClient.errorType()).isEqualTo(name);
  }

  @Test
  void takesTheStatusOfHttpWhereNoneOfGrpcWasSaid() {
    Session session =
        begun()
            .request(client.call(1, "S/M").data(1, true, 5).take())
            .response(server.headers(1, true, ":status", "503").take());
    assertThat(results(served(session))).containsExactly("S/M UNAVAILABLE");
  }

  @Test
  void followsStreamsThatInterleave() {
    Session session =
        begun()
            .request(client.get(1, "/1").call(3, "S/M").get(5, "/5").take())
            .response(server.ok(5, 1).take())
            .request(client.data(3, false, 10).data(3, false, 10).take())
            .response(server.headers(3, false, ":status", "200").data(3, false, 4).take())
            .response(server.headers(1, false, ":status", "404").data(1, false, 2).take())
            .request(client.data(3, true, 0).take())
            .response(server.headers(3, true, "grpc-status", "0").data(1, true, 2).take());
    assertThat(results(served(session))).containsExactly("GET /5 200", "S/M OK", "GET /1 404");
    ConversationKit.assertCutsDoNotMatter(HTTP2, session);
  }

  @Test
  void readsBlocksInSeveralFramesWithPaddingAndPriority() {
    byte[] block =
        client.block(":method", "GET", ":scheme", "http", ":path", "/long", ":authority", "a");
    byte[] first = new byte[6 + 4 + 3];
    first[0] = 3;
    System.arraycopy(block, 0, first, 6, 4);
    int flags = Frame.PADDED | Frame.WITH_PRIORITY | Frame.END_STREAM;
    client
        .frame(Frame.HEADERS, flags, 1, first)
        .frame(Frame.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 4, 6))
        .frame(Frame.CONTINUATION, Frame.END_HEADERS, 1, Arrays.copyOfRange(block, 6, block.length))
        .frame(Frame.WINDOW_UPDATE, 0, 0, new byte[4])
        .frame(Frame.PING, 0, 0, new byte[8])
        .frame(0x10, 0, 0, new byte[6]);
    server.headers(1, false, ":status", "200");
    byte[] padded = new byte[10];
    padded[0] = 4;
    server.frame(Frame.DATA, Frame.PADDED | Frame.END_STREAM, 1, padded);
    byte[] requests = client.take();
    byte[] responses = server.take();
    ConversationKit kit = served(begun().request(requests).response(responses));
    assertThat(results(kit)).containsExactly("GET /long 200");
    assertThat(kit.ended().getFirst().responseBytes()).isEqualTo(5);
  }

  @Test
  void passesOverInformationAndPromises() {
    Session session =
        begun()
            .request(client.get(1, "/a").take())
            .response(server.headers(1, false, ":status", "103", "link", "x").take());
    byte[] promised = server.block(":method", "GET", ":path", "/p", "x-new", "entry");
    byte[] payload = new byte[4 + promised.length];
    payload[3] = 2;
    System.arraycopy(promised, 0, payload, 4, promised.length);
    session =
        session.response(
            server.frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, 1, payload).ok(1, 3).take());
    assertThat(results(served(session))).containsExactly("GET /a 200");
  }

  @Test
  void saysThatAStreamWasReset() {
    Session byServer =
        begun().request(client.get(1, "/a").take()).response(server.reset(1, 2).take());
    assertThat(served(byServer).ended().getFirst().errorType()).isEqualTo("INTERNAL_ERROR");
    Http2ConversationTest other = new Http2ConversationTest();
    Session byClient =
        other
            .begun()
            .request(other.client.get(1, "/a").call(3, "S/M").take())
            .request(other.client.reset(1, 8).reset(3, 8).take());
    assertThat(served(byClient).ended().getFirst().errorType()).isNull();
    ConversationKit kit = ConversationKit.client(HTTP2).play(byClient);
    assertThat(results(kit)).containsExactly("GET null broken", "S/M CANCELLED broken");
    assertThat(kit.ended().getFirst().errorType()).isEqualTo("CANCEL");
  }

  @Test
  void endsWhatTheServerDoesNotProcessAnyMore() {
    Session session =
        begun()
            .request(client.get(1, "/1").get(3, "/3").take())
            .response(server.frame(Frame.GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0}).take())
            .response(server.ok(1, 1).take());
    ConversationKit kit = ConversationKit.server(HTTP2).play(session);
    assertThat(results(kit)).containsExactly("GET /3 null broken", "GET /1 200");
    assertThat(kit.ended().getFirst().errorType()).isEqualTo("REFUSED_STREAM");
    assertThat(kit.isOpen()).isFalse();
  }

  @Test
  void readsTheContextThatARequestCarries() {
    byte[] binary = new byte[29];
    byte[] ids = HexFormat.of().parseHex("0af7651916cd43dd8448eb211c80319c");
    System.arraycopy(ids, 0, binary, 2, 16);
    binary[18] = 1;
    System.arraycopy(HexFormat.of().parseHex("b7ad6b7169203331"), 0, binary, 19, 8);
    binary[27] = 2;
    binary[28] = 1;
    String encoded = Base64.getEncoder().withoutPadding().encodeToString(binary);
    String[] head = {":method", "GET", ":scheme", "http", ":path", "/", "x", "y"};
    for (String[] context :
        new String[][] {{"traceparent", TRACEPARENT}, {"grpc-trace-bin", encoded}}) {
      Http2ConversationTest test = new Http2ConversationTest();
      String[] all = Arrays.copyOf(head, 10);
      all[8] = context[0];
      all[9] = context[1];
      Session session = test.begun().request(test.client.headers(1, true, all).take());
      assertThat(served(session).ended().getFirst().carried())
          .isEqualTo(TraceIds.parse(TRACEPARENT));
    }
  }

  @Test
  void tellsWhichCallHadTheEndOfWhichHead() {
    ConversationKit kit = ConversationKit.client(HTTP2).play(begun());
    Piece piece = kit.move(Side.REQUESTS, client.get(1, "/1").get(3, "/3").call(5, "S/M").take());
    RequestIds one = new RequestIds(null, RequestIds.Source.LEFT_ALONE);
    RequestIds two = new RequestIds(null, RequestIds.Source.INJECTED);
    RequestIds three = new RequestIds(null, RequestIds.Source.ADOPTED);
    piece.decided(one);
    piece.decided(two);
    piece.decided(three);
    assertThat(kit.opened()).extracting(Exchange::decision).containsExactly(one, two, three);
  }

  @Test
  void goesOnWithTheRequestThatWasUpgraded() {
    String settings = Base64.getUrlEncoder().encodeToString(new byte[] {0, 1, 0, 0, 0x40, 0});
    Session session =
        Session.of()
            .request(
                "GET /up HTTP/1.1\nHost: a\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\n"
                    + "HTTP2-Settings: "
                    + settings
                    + "\n\n")
            .response("HTTP/1.1 101 Switching\nConnection: Upgrade\nUpgrade: h2c\n\n")
            .response(server.settings().ok(1, 3).take())
            .request(client.preface().settings().get(3, "/next").take())
            .response(server.ok(3, 4).take());
    ConversationKit kit = ConversationKit.server(new Http1Protocol()).play(session).end();
    assertThat(results(kit)).containsExactly("GET /up 200", "GET /next 200");
    assertThat(kit.isSwitched()).isFalse();
    ConversationKit.assertCutsDoNotMatter(new Http1Protocol(), session);
  }

  @Test
  void leavesOutWhatItCannotKnowOfAConnectionThatItJoinsLate() {
    Session session = begun();
    for (int i = 1; i < 12; i += 2) {
      session =
          session
              .request(client.get(i, i < 6 ? "/same" : "/new").take())
              .response(server.ok(i, 1).take());
    }
    // From the third request on: its path, authority and agent are only numbers in a table.
    ConversationKit kit = ConversationKit.server(HTTP2).joinedLate().play(session.from(7)).end();
    assertThat(results(kit)).containsExactly("GET /new 200", "GET /new 200", "GET /new 200");
    assertThat(kit.lost()).containsEntry(Lost.GAP, 1);
    assertThat(attribute(kit.ended().getFirst(), "server.address")).isNull();
  }

  @Test
  void findsFramesBehindAGap() {
    Session session =
        begun()
            .request(client.call(1, "S/M").data(1, true, 5000).take())
            .response(
                server
                    .headers(1, false, ":status", "200")
                    .data(1, false, 5000)
                    .headers(1, true, "grpc-status", "0")
                    .take())
            .request(client.get(3, "/3").take())
            .response(server.ok(3, 1).take());
    ConversationKit kit = ConversationKit.client(HTTP2).capturing(300).play(session).end();
    assertThat(results(kit)).containsExactly("S/M null broken", "GET 200");
    assertThat(kit.ended().getFirst().responseBytes()).isEqualTo(5000);
    assertThat(kit.lost()).containsEntry(Lost.GAP, 1);
  }

  @Test
  void holdsABoundedNumberOfRequests() {
    ConversationKit kit = ConversationKit.server(HTTP2).play(begun());
    for (int i = 1; i < 6000; i += 2) {
      kit.move(Side.REQUESTS, client.get(i, "/" + i).take());
    }
    assertThat(kit.ended()).hasSize(3000 - 1024);
    assertThat(kit.lost()).containsEntry(Lost.TOO_MANY_OPEN, 3000 - 1024);
  }

  @Test
  void tellsNoSecrets() {
    Session session =
        begun()
            .request(
                client
                    .headers(
                        1,
                        true,
                        ":method",
                        "GET",
                        ":path",
                        "/",
                        ":scheme",
                        "http",
                        "cookie",
                        "hush",
                        "authorization",
                        "hush")
                    .take())
            .response(server.headers(1, true, ":status", "200", "set-cookie", "hush").take());
    assertThat(served(session).told().toString()).doesNotContain("hush").contains("200");
  }
}
