/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.Otlp;
import dev.sennit.store.SampleOwner;
import dev.sennit.store.database.Database;
import dev.sennit.store.database.Reading;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The writer with a room that is soon full. */
@Timeout(120)
class SmallRoomTest {
  private static final long MIB = 1 << 20;
  private static final Room ROOM = new Room(2 * MIB, MIB, MIB / 2, 12 * MIB, 2 * MIB);

  /** What the file may hold, the log, and what says where all else is. */
  private static final long BOUND = ROOM.file() + ROOM.log() + 2 * MIB;

  private static final long QUEUE = 4 * MIB;

  @TempDir private Path folder;
  private final Random random = new Random(1);
  private Database database;
  private RowWriter writer;
  private long most;

  @BeforeEach
  void open() throws SQLException {
    database = Database.open(folder.resolve("small.duckdb"), 128 * MIB, ROOM.part());
    writer = new RowWriter(database, QUEUE, Duration.ofMillis(1), ROOM, Duration.ofDays(1));
  }

  @AfterEach
  void close() {
    writer.close();
    database.close();
  }

  private String randomText(int length) {
    byte[] bytes = new byte[length / 2];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Batch spans(int count, int width) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      spans.add(
          Otlp.span(Otlp.trace(random.nextLong()), Otlp.span(random.nextLong()), "work")
              .addAttributes(Otlp.attribute("text", randomText(width)))
              .build());
    }
    return SpanDecoder.decode(Otlp.traces("shop", spans));
  }

  private void send(Batch batch) throws InterruptedException {
    while (!writer.offer(batch)) {
      look();
      Thread.sleep(1);
    }
    look();
  }

  private void look() {
    most = Math.max(most, database.bytesOnDisk());
  }

  private long number(String question) throws SQLException {
    try (Reading reading = database.read();
        Statement statement = reading.connection().createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      return answer.getLong(1);
    }
  }

  @Test
  void howeverWideRowsAreTheBoundHolds() throws Exception {
    int[] widths = {10, 500_000, 300, 10_000, 100_000, 50};
    long sent = 0;
    for (int i = 0; writer.state().pruned() < 20_000; i++) {
      int width = widths[i / 20 % widths.length];
      int count = Math.clamp(MIB / 2 / width, 1, 1000);
      send(spans(count, width));
      sent += count;
    }
    writer.flush();
    assertThat(most).isLessThanOrEqualTo(BOUND);
    assertThat(writer.state().lastFailure()).isNull();
    assertThat(writer.state().lost()).isZero();
    assertThat(number("SELECT count(*) FROM spans") + writer.state().pruned()).isEqualTo(sent);
  }

  @Test
  void whoeverReadsTheBoundHoldsAndTheWriterWaits() throws Exception {
    long taken = 0;
    try (Reading reading = database.read();
        Statement statement = reading.connection().createStatement()) {
      statement.execute("BEGIN TRANSACTION READ ONLY");
      statement.execute("SELECT count(*) FROM spans");
      // Rows are deleted, but as long as somebody may look at them their room is not free.
      Batch batch = spans(1000, 300);
      for (int refused = 0; refused < 100 || writer.state().pruned() == 0; ) {
        look();
        if (writer.offer(batch)) {
          taken += 1000;
          refused = 0;
          batch = spans(1000, 300);
        } else {
          refused++;
          Thread.sleep(10);
        }
      }
    }
    writer.flush();
    look();
    assertThat(most).isLessThanOrEqualTo(BOUND);
    assertThat(writer.state().lastFailure()).isNull();
    assertThat(writer.state().spans()).isEqualTo(taken);
  }

  @Test
  void aRequestThatIsTooLargeForATransactionIsDividedAndARowThatIsIsRejected() throws Exception {
    Batch large = spans(5000, 500);
    assertThat(large.storedBytes()).isGreaterThan(2 * ROOM.largest());
    send(large);
    Batch hopeless = spans(2, (int) ROOM.largest());
    send(hopeless);
    assertThat(hopeless.rejected()).isEqualTo(2);
    assertThat(hopeless.reason()).contains("more than " + ROOM.largest() + " bytes");
    Batch profile = profile(0, 10_000);
    assertThat(profile.storedBytes()).isGreaterThan(2 * ROOM.largest());
    send(profile);
    send(profile(0, 10_000));
    writer.flush();
    assertThat(number("SELECT count(*) FROM spans")).isEqualTo(5000);
    assertThat(number("SELECT count(*) FROM samples")).isEqualTo(10_000);
    assertThat(writer.state().duplicates()).isEqualTo(10_000);
  }

  @Test
  void stacksGoWithTheSamplesThatNameThemAndStayWithTheOthers() throws Exception {
    // One stack is in every profile, the others come but once.
    int profiles = 0;
    while (writer.state().pruned() < 20_000) {
      send(profile(profiles++, 50));
      send(spans(50, 1000));
    }
    writer.flush();
    assertThat(most).isLessThanOrEqualTo(BOUND);
    assertThat(number("SELECT count(*) FROM samples ANTI JOIN stacks USING (stack_id)")).isZero();
    assertThat(
            number(
                "SELECT count(*) FROM (SELECT unnest(frame_ids) AS frame_id FROM stacks)"
                    + " ANTI JOIN frames USING (frame_id)"))
        .isZero();
    assertThat(number("SELECT count(*) FROM samples ANTI JOIN processes USING (process_id)"))
        .isZero();
    assertThat(number("SELECT count(*) FROM stacks")).isLessThan(profiles);
    assertThat(number("SELECT count(*) - count(DISTINCT stack_id) FROM stacks")).isZero();
  }

  /** Samples of a stack that all have in common, and of one that only this number has. */
  private static Batch profile(int number, int samples) {
    ProfilesDictionary dictionary =
        ProfilesDictionary.newBuilder()
            .addAllStringTable(List.of("", "cpu", "count", "main", "work " + number))
            .addLinkTable(Link.newBuilder())
            .addFunctionTable(Function.newBuilder())
            .addFunctionTable(Function.newBuilder().setNameStrindex(3))
            .addFunctionTable(Function.newBuilder().setNameStrindex(4))
            .addLocationTable(Location.newBuilder())
            .addLocationTable(Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(1)))
            .addLocationTable(Location.newBuilder().addLines(Line.newBuilder().setFunctionIndex(2)))
            .addStackTable(Stack.newBuilder())
            .addStackTable(Stack.newBuilder().addLocationIndices(1))
            .addStackTable(Stack.newBuilder().addLocationIndices(2).addLocationIndices(1))
            .build();
    Sample.Builder common = Sample.newBuilder().setStackIndex(1);
    Sample.Builder own = Sample.newBuilder().setStackIndex(2);
    for (int i = 0; i < samples / 2; i++) {
      common.addTimestampsUnixNano(1000 + i);
      own.addTimestampsUnixNano(1000 + i);
    }
    Profile.Builder profile =
        Profile.newBuilder()
            .setProfileId(Otlp.id(Otlp.trace(number + 1)))
            .setSampleType(ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
            .addSamples(common)
            .addSamples(own);
    return ProfileDecoder.decode(
        ExportProfilesServiceRequest.newBuilder()
            .setDictionary(dictionary)
            .addResourceProfiles(
                ResourceProfiles.newBuilder()
                    .setResource(Otlp.service("shop"))
                    .addScopeProfiles(ScopeProfiles.newBuilder().addProfiles(profile)))
            .build(),
        SampleOwner.NONE);
  }
}
