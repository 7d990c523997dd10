/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static dev.sennit.agent.handoff.ServedRequests.check;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
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
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.AttributeKey;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Version;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A server of Netty that asks another one twice for each request, by fewer connections than there
 * are requests at a time, and checks wherever it gets whose work it is doing.
 */
// Netty 4.1 has no other event loops; what is done is checked where it is done.
@SuppressWarnings({"deprecation", "FutureReturnValueIgnored"})
final class NettyWork {
  private static final int CONNECTIONS = 6;
  private static final int MOST_BODY = 1 << 16;
  private static final String REQUEST = "request";
  private static final AttributeKey<Promise<Integer>> ANSWER = AttributeKey.valueOf("answer");

  private final EventLoopGroup serving;
  private final EventLoopGroup calling;
  private final Class<? extends ServerChannel> listening;
  private final Class<? extends Channel> connecting;
  private final DefaultEventExecutorGroup others = new DefaultEventExecutorGroup(2);
  private final HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);

  private NettyWork(
      EventLoopGroup serving,
      EventLoopGroup calling,
      Class<? extends ServerChannel> listening,
      Class<? extends Channel> connecting) {
    this.serving = serving;
    this.calling = calling;
    this.listening = listening;
    this.connecting = connecting;
  }

  public static void main(String[] arguments) throws Exception {
    NettyWork work =
        arguments[0].equals("epoll")
            ? new NettyWork(
                new EpollEventLoopGroup(2),
                new EpollEventLoopGroup(2),
                EpollServerSocketChannel.class,
                EpollSocketChannel.class)
            : new NettyWork(
                new NioEventLoopGroup(2),
                new NioEventLoopGroup(2),
                NioServerSocketChannel.class,
                NioSocketChannel.class);
    System.out.println("Netty " + Version.identify().get("netty-common"));
    InetSocketAddress backend = work.serve(new Backend());
    FixedChannelPool pool = work.poolTo(backend);
    ServedRequests.sendTo(work.serve(work.new Frontend(pool)).getPort());
  }

  private InetSocketAddress serve(ChannelInboundHandlerAdapter handler) throws Exception {
    Channel server =
        new ServerBootstrap()
            .group(serving)
            .channel(listening)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(new HttpServerCodec())
                        .addLast(new HttpObjectAggregator(MOST_BODY))
                        .addLast(handler);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    return (InetSocketAddress) server.localAddress();
  }

  private FixedChannelPool poolTo(InetSocketAddress address) {
    Bootstrap client = new Bootstrap().group(calling).channel(connecting).remoteAddress(address);
    return new FixedChannelPool(
        client,
        new AbstractChannelPoolHandler() {
          @Override
          public void channelCreated(Channel channel) {
            channel
                .pipeline()
                .addLast(new IdleStateHandler(0, 0, 1, TimeUnit.MILLISECONDS))
                .addLast(new HttpClientCodec())
                .addLast(new HttpObjectAggregator(MOST_BODY))
                .addLast(new Answers());
          }
        },
        CONNECTIONS);
  }

  /** Answers after a while, in no order. */
  @ChannelHandler.Sharable
  private static final class Backend extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      int pause = ThreadLocalRandom.current().nextInt(3);
      FullHttpResponse response = response();
      response.headers().set(REQUEST, request.uri().substring(1));
      context
          .executor()
          .schedule(() -> context.writeAndFlush(response), pause, TimeUnit.MILLISECONDS);
    }
  }

  private static FullHttpResponse response() {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
    return response;
  }

  /** Tells who was asking, by the promise that they left at the channel. */
  private static final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      Promise<Integer> answer = context.channel().attr(ANSWER).getAndSet(null);
      check(response.headers().getInt(REQUEST));
      answer.setSuccess(response.status().code());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      // It is idle, which is nothing to anybody.
    }
  }

  @ChannelHandler.Sharable
  private final class Frontend extends ChannelInboundHandlerAdapter {
    private final FixedChannelPool pool;

    Frontend(FixedChannelPool pool) {
      this.pool = pool;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      long request = ServedRequests.begin(((HttpRequest) message).uri());
      call(
          request,
          () ->
              others.execute(
                  () -> {
                    check(request);
                    others.submit(() -> check(request));
                    timer.newTimeout(
                        _ -> {
                          check(request);
                          again(context, request);
                        },
                        2,
                        TimeUnit.MILLISECONDS);
                  }));
      check(request);
    }

    private void again(ChannelHandlerContext context, long request) {
      calling
          .schedule(() -> check(request), 1, TimeUnit.MILLISECONDS)
          .addListener(
              _ -> {
                check(request);
                call(request, () -> respond(context, request));
              });
    }

    private void respond(ChannelHandlerContext context, long request) {
      context
          .writeAndFlush(response())
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
          .addListener(_ -> check(request));
    }

    private void call(long request, Runnable then) {
      pool.acquire()
          .addListener(
              (Future<Channel> acquired) -> {
                check(request);
                Channel channel = acquired.get();
                Promise<Integer> answer = channel.eventLoop().newPromise();
                channel.attr(ANSWER).set(answer);
                answer.addListener(
                    _ -> {
                      check(request);
                      pool.release(channel).addListener(_ -> check(request));
                      then.run();
                    });
                send(channel, request);
              });
    }

    private void send(Channel channel, long request) {
      DefaultFullHttpRequest message =
          new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/" + request);
      message.headers().set(HttpHeaderNames.HOST, "there");
      channel.writeAndFlush(message).addListener(_ -> check(request));
    }
  }
}
