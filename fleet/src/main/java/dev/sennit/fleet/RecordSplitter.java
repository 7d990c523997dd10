/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.intake.Encoding;
import dev.sennit.intake.MalformedException;
import dev.sennit.tracing.Counters;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Takes the records that come apart: each span goes to the partition of its trace, together with
 * others that go there. What cannot be read goes to the dead letters, and the next record is read.
 */
final class RecordSplitter implements Processor<byte[], byte[], Integer, Parcel> {
  /** More than any Collector sends; reading it takes some ten times the memory. */
  static final int LARGEST_RECORD = 16 * 1024 * 1024;

  /** A span goes through topics that take a megabyte by default, and may become JSON. */
  static final int LARGEST_SPAN = 256 * 1024;

  private static final int SPAN_ID = 8;
  private static final ExportTraceServiceRequest REQUEST =
      ExportTraceServiceRequest.getDefaultInstance();
  private static final WireCheck CHECK = new WireCheck(REQUEST.getDescriptorForType());

  private final int partitions;
  private final Counters<FleetCount> counters;
  private @Nullable ProcessorContext<Integer, Parcel> context;

  RecordSplitter(int partitions, Counters<FleetCount> counters) {
    this.partitions = partitions;
    this.counters = counters;
  }

  @Override
  public void init(ProcessorContext<Integer, Parcel> newContext) {
    context = newContext;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    counters.add(FleetCount.RECORDS);
    Output output = new Output(Objects.requireNonNull(context), record);
    byte @Nullable [] value = record.value();
    if (value == null || value.length == 0) {
      output.dead(new byte[0], "the record is empty");
      return;
    }
    if (value.length > LARGEST_RECORD) {
      output.dead(
          value,
          "the record has " + value.length + " bytes, at most " + LARGEST_RECORD + " are read");
      return;
    }
    read(value, Encoding.of(value), output);
  }

  private void read(byte[] value, Encoding encoding, Output output) {
    try {
      // All of it is looked at, to know that others can read it; what is sent on are its bytes.
      boolean isReadable = encoding == Encoding.PROTOBUF && CHECK.isReadable(value);
      ExportTraceServiceRequest request = isReadable ? REQUEST : encoding.read(value, REQUEST);
      split(
          encoding,
          encoding == Encoding.PROTOBUF
              ? UnsafeByteOperations.unsafeWrap(value)
              : request.toByteString(),
          output);
    } catch (MalformedException e) {
      // A line's end is the first byte of nearly every request in protobuf.
      if (encoding == Encoding.JSON && value[0] == '\n') {
        read(value, Encoding.PROTOBUF, output);
      } else {
        output.dead(value, "not OTLP " + name(encoding) + ": " + e.getMessage());
      }
    }
  }

  private void split(Encoding encoding, ByteString request, Output output) {
    List<Gathering> buckets = new ArrayList<>(partitions);
    for (int i = 0; i < partitions; i++) {
      int bucket = i;
      buckets.add(new Gathering(part -> output.spans(bucket, encoding, part)));
    }
    int[] spans = new int[1];
    RawRequest.forEach(
        request,
        placed -> {
          spans[0]++;
          SpanHead head = SpanHead.of(placed.span());
          String fault = fault(placed, head);
          if (fault == null) {
            counters.add(FleetCount.SPANS);
            buckets.get(head.trace().bucket(partitions)).add(placed);
          } else {
            Gathering alone =
                new Gathering(part -> output.dead(RawRequest.encoded(encoding, part), fault));
            alone.add(placed);
            alone.flush();
          }
        });
    buckets.forEach(Gathering::flush);
    if (spans[0] == 0) {
      output.dead(
          RawRequest.encoded(encoding, request), "no span is in it, read as " + name(encoding));
    }
  }

  /** Null if nothing is wrong with it. */
  private static @Nullable String fault(Placed placed, SpanHead head) {
    int trace = head.traceId().size();
    int id = head.spanId().size();
    if (trace != TraceId.LENGTH || id != SPAN_ID) {
      return "a span has a trace id of " + trace + " bytes and a span id of " + id + " bytes";
    }
    int size = placed.span().size() + placed.resource().size();
    return size <= LARGEST_SPAN
        ? null
        : "a span has "
            + size
            + " bytes with its resource, at most "
            + LARGEST_SPAN
            + " can be sent";
  }

  private static String name(Encoding encoding) {
    return switch (encoding) {
      case PROTOBUF -> "protobuf";
      case JSON -> "JSON";
    };
  }

  /** Where what comes of one record goes. */
  private final class Output {
    private final ProcessorContext<Integer, Parcel> context;
    private final long time;
    private final int source;

    Output(ProcessorContext<Integer, Parcel> context, Record<byte[], byte[]> record) {
      this.context = context;
      this.time = Math.max(0, record.timestamp());
      this.source = context.taskId().partition();
    }

    void spans(int bucket, Encoding encoding, ByteString part) {
      context.forward(new Record<>(bucket, new Parcel.Spans(encoding, source, part), time));
    }

    void dead(byte[] value, String reason) {
      counters.add(FleetCount.DEAD_LETTERS);
      context.forward(DeadLetters.record(value, reason, time, context.recordMetadata()));
    }
  }
}
