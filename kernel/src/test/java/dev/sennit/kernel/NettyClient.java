/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The series of requests of {@link RuntimeInjectionTest}, by Netty over either kind of socket. */
final class NettyClient {
  private final Bootstrap bootstrap;
  private final SslContext tls =
      SslContextBuilder.forClient()
          .trustManager(InsecureTrustManagerFactory.INSTANCE)
          .endpointIdentificationAlgorithm(null)
          .build();
  private final Map<Integer, Channel> channels = new HashMap<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private NettyClient(Bootstrap bootstrap) throws IOException {
    this.bootstrap = bootstrap;
  }

  public static void main(String[] arguments) throws Exception {
    Series series = Series.of(arguments);
    boolean epoll = arguments[0].equals("epoll");
    IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    try (MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, factory)) {
      NettyClient client =
          new NettyClient(
              new Bootstrap()
                  .group(group)
                  .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class));
      series.run(client::send);
      client.upgrade(series.port());
    }
  }

  private Channel channel(int port, boolean secret) throws InterruptedException {
    Channel channel = channels.get(port);
    if (channel == null || !channel.isActive()) {
      channel =
          bootstrap
              .clone()
              .handler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel socket) {
                      if (secret) {
                        socket.pipeline().addLast(tls.newHandler(socket.alloc()));
                      }
                      socket
                          .pipeline()
                          .addLast("codec", new HttpClientCodec())
                          .addLast("aggregator", new HttpObjectAggregator(65_536))
                          .addLast("answers", new Answers());
                    }
                  })
              .connect("127.0.0.1", port)
              .sync()
              .channel();
      channels.put(port, channel);
    }
    return channel;
  }

  private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      answers.add(response.status().code() + response.content().toString(Series.CHARSET));
    }
  }

  private void send(String method, URI uri, Map<String, String> headers, byte[] body)
      throws IOException, InterruptedException {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.valueOf(method),
            uri.getPath(),
            Unpooled.wrappedBuffer(body));
    request.headers().set(HttpHeaderNames.HOST, uri.getAuthority());
    headers.forEach(request.headers()::set);
    if (body.length > 0) {
      request.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    }
    channel(uri.getPort(), uri.getScheme().equals("https")).writeAndFlush(request).sync();
    Series.check(answers.take().replaceFirst("^200", ""));
  }

  /** To a WebSocket, and a frame with an empty mask that looks like a request. */
  private void upgrade(int port) throws InterruptedException {
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/socket");
    request
        .headers()
        .set(HttpHeaderNames.HOST, "127.0.0.1:" + port)
        .set(HttpHeaderNames.CONNECTION, "Upgrade")
        .set(HttpHeaderNames.UPGRADE, "websocket")
        .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13")
        .set(HttpHeaderNames.SEC_WEBSOCKET_KEY, "dGhlIHNhbXBsZSBub25jZQ==");
    Channel channel = channel(port, false);
    channel.writeAndFlush(request).sync();
    if (!answers.take().startsWith("101")) {
      throw new AssertionError("not switched");
    }
    channel.pipeline().remove("codec");
    byte[] text = Series.LOOKS_LIKE_A_REQUEST.getBytes(Series.CHARSET);
    byte[] head = {(byte) 0x81, (byte) (0x80 | text.length)};
    byte[] closing = {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0};
    channel.writeAndFlush(Unpooled.wrappedBuffer(head, new byte[4], text)).sync();
    channel.writeAndFlush(Unpooled.wrappedBuffer(closing)).sync();
    channel.closeFuture().sync();
  }
}
