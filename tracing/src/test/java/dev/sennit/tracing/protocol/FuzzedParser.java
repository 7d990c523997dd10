/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.protocol.dns.DnsProtocol;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import dev.sennit.tracing.protocol.mongodb.MongoProtocol;
import dev.sennit.tracing.protocol.mysql.MysqlProtocol;
import dev.sennit.tracing.protocol.postgres.PostgresProtocol;
import dev.sennit.tracing.protocol.redis.RedisProtocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The parsers that must not fail at any bytes. Each is a line here, and a folder of sessions to
 * begin with under {@code fuzz} in the resources, which {@link Fuzzing#input} makes.
 */
public enum FuzzedParser {
  DNS(new DnsProtocol()),
  HTTP1(new Http1Protocol(true)),
  HTTP2(new Http2Protocol(true)),
  MONGODB(new MongoProtocol()),
  MYSQL(new MysqlProtocol()),
  POSTGRES(new PostgresProtocol()),
  REDIS(new RedisProtocol());

  /** Without state, as its interface demands. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final Protocol protocol;

  FuzzedParser(Protocol protocol) {
    this.protocol = protocol;
  }

  /** Plays a session that the bytes describe, as {@link Fuzzing} says. */
  public Fuzzing.Played play(byte[] input) {
    return Fuzzing.play(protocol, input);
  }

  /** Sessions as bytes, which are there to be changed. */
  public List<byte[]> seeds() {
    String folder = "/fuzz/" + name().toLowerCase(Locale.ROOT);
    URL url = FuzzedParser.class.getResource(folder);
    if (url == null) {
      throw new IllegalStateException("no sessions for " + this + " in the resources, " + folder);
    }
    try {
      URI uri = url.toURI();
      if (!uri.getScheme().equals("jar")) {
        return files(Path.of(uri));
      }
      try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
        return files(jar.getPath(folder));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(url + " is no place of files", e);
    }
  }

  private static List<byte[]> files(Path folder) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        contents.add(Files.readAllBytes(file));
      }
    }
    return contents;
  }
}
