/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.SqlRows;
import dev.sennit.store.query.SqlRows.Column;
import dev.sennit.store.query.StoreQueries;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions in SQL beside the file of a store, for others of the same user. A question is
 * an array of its text and of the seconds that it may take. The answer is an array of columns, then
 * one of each row, then {@code true}, or a text that says what went wrong.
 */
final class StoreSocket implements AutoCloseable {
  private static final int MOST = 8;
  private static final long LONGEST_SECONDS = 3600;
  private static final int LONGEST_QUESTION = 1 << 20;

  static final JsonFactory JSON = new JsonFactory();

  private final Path path;
  private final StoreQueries queries;
  private final ServerSocketChannel server;
  private final Semaphore room = new Semaphore(MOST);

  private StoreSocket(Path path, StoreQueries queries, ServerSocketChannel server) {
    this.path = path;
    this.queries = queries;
    this.server = server;
  }

  /** Where the questions for a store go while a process has it. */
  static Path path(Path file) {
    return file.resolveSibling(file.getFileName() + ".sql");
  }

  /** Begins to answer; null, with a line for people, where that cannot be. */
  static @Nullable StoreSocket open(Path file, StoreQueries queries, Consumer<String> log) {
    Path path = path(file.toAbsolutePath());
    try {
      // Whoever has the file is the only one, so this one is of the past.
      Files.deleteIfExists(path);
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        server.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
      StoreSocket socket = new StoreSocket(path, queries, server);
      Thread.ofVirtual().name("sennit-sql").start(socket::accept);
      return socket;
    } catch (IOException | IllegalArgumentException e) {
      log.accept("sennit sql is not answered while this runs: " + path + ": " + e.getMessage());
      return null;
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel channel = server.accept();
        Thread.ofVirtual().start(() -> serve(channel));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel;
        JsonParser in = JSON.createParser(Channels.newInputStream(channel));
        JsonGenerator out =
            JSON.createGenerator(Channels.newOutputStream(channel), JsonEncoding.UTF8)) {
      if (!room.tryAcquire()) {
        out.writeString("too many questions at a time");
        return;
      }
      try {
        answer(in, out);
      } finally {
        room.release();
      }
    } catch (IOException e) {
      // Whoever asked has gone.
    }
  }

  private void answer(JsonParser in, JsonGenerator out) throws IOException {
    in.nextToken();
    String sql = in.nextTextValue();
    long seconds = in.nextLongValue(0);
    if (sql == null || sql.length() > LONGEST_QUESTION || seconds < 1) {
      out.writeString("that is not a question");
      return;
    }
    Duration limit = Duration.ofSeconds(Math.min(seconds, LONGEST_SECONDS));
    try (SqlRows rows = queries.sql().ask(sql, limit)) {
      out.writeStartArray();
      for (Column column : rows.columns()) {
        out.writeString(column.name());
        out.writeString(column.type());
      }
      out.writeEndArray();
      for (@Nullable List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
        out.writeStartArray();
        for (@Nullable Object value : row) {
          SqlValues.write(value, out);
        }
        out.writeEndArray();
      }
      out.writeBoolean(true);
    } catch (StoreException e) {
      out.writeString(e.line());
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // The next one removes it.
    }
  }
}
