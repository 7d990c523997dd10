/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.pool.AbstractChannelPoolHandler;
import io.netty.channel.pool.FixedChannelPool;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;

/** Netty as server and client, with fewer connections to the other than it serves requests. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure is seen by who waits for the answer
public final class NettyService {
  private static final int CONNECTIONS = 8;
  private static final int MOST_BODY = 1 << 16;
  private static final int PAUSE = 5;
  private static final AttributeKey<Runnable> THEN = AttributeKey.valueOf("then");

  private final FixedChannelPool pool;
  private final Optional<SslContext> served;
  private final Optional<SslContext> called;

  private NettyService(Bootstrap client, boolean https) throws SSLException {
    this.pool = new FixedChannelPool(client, new Connections(), CONNECTIONS);
    this.called = https ? Optional.of(SslContextBuilder.forClient().build()) : Optional.empty();
    Optional<KeyManagerFactory> keys = Keys.keyManagers();
    this.served =
        keys.isPresent()
            ? Optional.of(SslContextBuilder.forServer(keys.get()).build())
            : Optional.empty();
  }

  /**
   * Serves until it is ended.
   *
   * @param arguments the address of the other service, and {@code nio} or {@code epoll}
   */
  public static void main(String[] arguments) throws InterruptedException, SSLException {
    URI backend = URI.create(arguments[0]);
    boolean epoll = arguments[1].equals("epoll");
    IoHandlerFactory transport = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    EventLoopGroup serving = new MultiThreadIoEventLoopGroup(2, transport);
    EventLoopGroup calling = new MultiThreadIoEventLoopGroup(2, transport);
    Bootstrap client =
        new Bootstrap()
            .group(calling)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .remoteAddress(InetAddress.getLoopbackAddress(), backend.getPort());
    Class<? extends ServerChannel> listening =
        epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    NettyService service = new NettyService(client, backend.getScheme().equals("https"));
    Channel server =
        new ServerBootstrap()
            .group(serving)
            .channel(listening)
            .childHandler(service.requests())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    System.out.println("port " + ((InetSocketAddress) server.localAddress()).getPort());
  }

  private ChannelInitializer<Channel> requests() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        served.ifPresent(tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
        channel
            .pipeline()
            .addLast(new HttpServerCodec())
            .addLast(new HttpObjectAggregator(MOST_BODY))
            .addLast(new Requests());
      }
    };
  }

  private final class Connections extends AbstractChannelPoolHandler {
    @Override
    public void channelCreated(Channel channel) {
      called.ifPresent(
          tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc(), "localhost", -1)));
      channel
          .pipeline()
          .addLast(new HttpClientCodec())
          .addLast(new HttpObjectAggregator(MOST_BODY))
          .addLast(new Responses());
    }
  }

  private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      String path = request.uri();
      ask(
          path + "/1",
          () -> {
            System.out.println("line " + path.substring(1));
            context
                .executor()
                .schedule(
                    () -> ask(path + "/2", () -> answer(context)), PAUSE, TimeUnit.MILLISECONDS);
          });
    }

    private void answer(ChannelHandlerContext context) {
      DefaultFullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
  }

  private void ask(String path, Runnable then) {
    pool.acquire()
        .addListener(
            (Future<Channel> acquired) -> {
              Channel channel = acquired.get();
              channel.attr(THEN).set(then);
              DefaultFullHttpRequest request =
                  new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
              request.headers().set(HttpHeaderNames.HOST, "127.0.0.1");
              channel.writeAndFlush(request);
            });
  }

  private final class Responses extends SimpleChannelInboundHandler<FullHttpResponse> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      Runnable then = context.channel().attr(THEN).getAndSet(null);
      pool.release(context.channel());
      then.run();
    }
  }
}
