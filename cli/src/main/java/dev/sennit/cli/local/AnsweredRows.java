/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.SqlRows.Column;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows from the process that has the store; see {@link StoreSocket}. */
final class AnsweredRows implements Rows {
  private final SocketChannel channel;
  private final JsonParser in;
  private final List<Column> columns;

  private AnsweredRows(SocketChannel channel, JsonParser in, List<Column> columns) {
    this.channel = channel;
    this.in = in;
    this.columns = List.copyOf(columns);
  }

  /**
   * Asks.
   *
   * @throws IOException if nobody is there
   * @throws StoreException if the question is wrong
   */
  static AnsweredRows ask(Path socket, String sql, Duration limit) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    try {
      JsonGenerator out =
          StoreSocket.JSON.createGenerator(Channels.newOutputStream(channel), JsonEncoding.UTF8);
      out.writeStartArray();
      out.writeString(sql);
      out.writeNumber(Math.max(1, limit.toSeconds()));
      out.writeEndArray();
      out.flush();
      JsonParser in = StoreSocket.JSON.createParser(Channels.newInputStream(channel));
      List<Column> columns = new ArrayList<>();
      begin(in);
      while (in.nextToken() != JsonToken.END_ARRAY) {
        columns.add(new Column(in.getText(), in.nextTextValue()));
      }
      return new AnsweredRows(channel, in, columns);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Whether an array follows, and not the end. */
  private static boolean begin(JsonParser in) throws IOException {
    @Nullable JsonToken token = in.nextToken();
    if (token == JsonToken.VALUE_STRING) {
      throw new StoreException(in.getText());
    }
    if (token == null) {
      throw new StoreException("whoever has the store has gone");
    }
    return token == JsonToken.START_ARRAY;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public @Nullable List<@Nullable Object> next() {
    try {
      if (!begin(in)) {
        return null;
      }
      List<@Nullable Object> row = new ArrayList<>();
      for (@Nullable JsonToken token = in.nextToken();
          token != null && token != JsonToken.END_ARRAY;
          token = in.nextToken()) {
        row.add(value(token));
      }
      return row;
    } catch (IOException e) {
      throw new StoreException("whoever has the store has gone", e);
    }
  }

  private @Nullable Object value(JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> in.getNumberValue();
      case VALUE_NUMBER_FLOAT -> in.getDecimalValue();
      default -> in.getText();
    };
  }

  @Override
  public void close() {
    try {
      in.close();
      channel.close();
    } catch (IOException e) {
      // It is as good as closed.
    }
  }
}
