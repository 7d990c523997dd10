/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import com.google.protobuf.util.JsonFormat;
import dev.sennit.profiles.Kind;
import dev.sennit.profiles.Official;
import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * OpenTelemetry's Collector on ports of its own choice, which writes all that it takes to files.
 */
final class Collector implements AutoCloseable {
  private static final String SERVICE =
      "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";
  private static final Pattern ENDPOINT = Pattern.compile("\"endpoint\":\"([^\"]+)\"");

  private final ChildProcess process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Path protobuf;
  private final Path json;
  private String http = "";
  private String grpc = "";

  Collector(Path tools, Path folder) {
    protobuf = folder.resolve("collected.binpb");
    json = folder.resolve("collected.jsonl");
    String configuration =
        """
        receivers:
          otlp:
            protocols:
              http: {endpoint: "127.0.0.1:0"}
              grpc: {endpoint: "127.0.0.1:0"}
        exporters:
          file/protobuf: {path: "%s", format: proto}
          file/json: {path: "%s", format: json}
        service:
          pipelines:
            profiles: {receivers: [otlp], exporters: [file/protobuf, file/json]}
        """
            .formatted(protobuf, json);
    process =
        ChildProcess.start(
            List.of(
                tools.resolve("collector").toString(),
                "--config=yaml:" + configuration,
                "--feature-gates=+service.profilesSupport"));
    String line;
    do {
      line = process.readLine();
      Matcher endpoint = ENDPOINT.matcher(line);
      if (endpoint.find() && line.contains("HTTP")) {
        http = endpoint.group(1);
      } else if (endpoint.reset().find() && line.contains("GRPC")) {
        grpc = endpoint.group(1);
      }
    } while (!line.contains("Everything is ready"));
  }

  /** Sends a request by HTTP; the result is what it objects to. */
  List<String> send(Kind kind, byte[] request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://" + http + "/v1development/profiles"))
                .header(
                    "Content-Type",
                    kind == Kind.PROTO ? "application/x-protobuf" : "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() != 200) {
      return List.of("status " + response.statusCode() + ": " + text);
    }
    ExportProfilesServiceResponse.Builder answer = ExportProfilesServiceResponse.newBuilder();
    if (kind == Kind.PROTO) {
      answer.mergeFrom(response.body());
    } else {
      JsonFormat.parser().merge(text, answer);
    }
    ExportProfilesPartialSuccess partial = answer.getPartialSuccess();
    return partial.equals(ExportProfilesPartialSuccess.getDefaultInstance())
        ? List.of()
        : List.of(partial.toString());
  }

  /**
   * Sends a request in protobuf by gRPC, with curl: the JDK's client speaks HTTP/2 in the clear
   * only to servers that speak HTTP/1.1 first. The result is the headers and trailers of the
   * answer.
   */
  List<String> sendByGrpc(byte[] request) throws IOException {
    Path message = Files.createTempFile(protobuf.getParent(), "request", ".grpc");
    // A frame of gRPC: not compressed, the length, the message.
    Files.write(
        message,
        ByteBuffer.allocate(5 + request.length)
            .put((byte) 0)
            .putInt(request.length)
            .put(request)
            .array());
    try (ChildProcess curl =
        ChildProcess.start(
            List.of(
                "curl",
                "--silent",
                "--show-error",
                "--http2-prior-knowledge",
                "--header",
                "Content-Type: application/grpc",
                "--header",
                "TE: trailers",
                "--data-binary",
                "@" + message,
                "--dump-header",
                "-",
                "--output",
                "/dev/null",
                "http://" + grpc + SERVICE))) {
      List<String> headers = curl.readAll();
      if (curl.waitFor() != 0) {
        throw new AssertionError("curl: " + curl.errors());
      }
      return headers.stream().map(String::strip).toList();
    }
  }

  /** Ends it, so that everything is in the files. */
  void stop() {
    ProcessHandle.of(process.pid()).orElseThrow().destroy();
    process.readAll();
    if (process.waitFor() != 0) {
      throw new AssertionError("the Collector ended with an error: " + process.errors());
    }
  }

  /** What it wrote as protobuf, request by request. */
  List<ProfilesData> writtenAsProtobuf() throws IOException {
    List<ProfilesData> all = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(protobuf))) {
      // In front of each message is its length, big-endian.
      while (in.available() > 0) {
        all.add(ProfilesData.parseFrom(in.readNBytes(in.readInt())));
      }
    }
    return all;
  }

  /** What it wrote as JSON, request by request. */
  List<ProfilesData> writtenAsJson() throws IOException {
    List<ProfilesData> all = new ArrayList<>();
    for (String line : Files.readAllLines(json)) {
      all.add(Official.parseJson(line.getBytes(StandardCharsets.UTF_8)));
    }
    return all;
  }

  @Override
  public void close() {
    process.close();
  }
}
