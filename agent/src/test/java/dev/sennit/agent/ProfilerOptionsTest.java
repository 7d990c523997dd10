/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.agent.ProfilerOptions.Action;
import dev.sennit.agent.ProfilerOptions.EngineWish;
import dev.sennit.agent.handoff.HandOffKind;
import dev.sennit.context.thread.ContextStorageMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilerOptionsTest {
  @Test
  void aCommandSaysWhatIsSampledHowAndWhereItGoes() {
    ProfilerOptions options =
        parse(
            "start,cpu=10ms,wall=50ms,alloc=512k,live,lock=10us,nativemem=1m,"
                + "ctxstorage=otel,jfr,file=a-%p.jfr,otlp=http://collector:4318,"
                + "chunktime=2s,engine=async,shape=aggregated");

    assertThat(options.action()).isEqualTo(Action.START);
    assertThat(options.engine()).isEqualTo(EngineWish.ASYNC);
    assertThat(options.cpu()).isEqualTo(10_000_000);
    assertThat(options.wall()).isEqualTo(50_000_000);
    assertThat(options.alloc()).isEqualTo(512 << 10);
    assertThat(options.live()).isTrue();
    assertThat(options.lock()).isEqualTo(10_000);
    assertThat(options.nativemem()).isEqualTo(1 << 20);
    assertThat(options.contexts().mode()).isEqualTo(ContextStorageMode.OTEL);
    assertThat(options.resolvedFile())
        .contains(Path.of("a-" + ProcessHandle.current().pid() + ".jfr"));
    assertThat(options.endpoint()).contains("http://collector:4318");
    assertThat(options.exports()).isTrue();
    assertThat(options.chunktime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.aggregate()).isTrue();
  }

  @Test
  void aStartAloneSamplesCpuAndSendsIt() {
    ProfilerOptions options = parse("start");

    assertThat(options.events()).isEqualTo("cpu=10ms");
    assertThat(options.exports()).isTrue();
    assertThat(options.contexts().mode()).isEqualTo(ContextStorageMode.PROFILER);
    assertThat(options.namesContexts()).isFalse();
    assertThat(options.chunktime()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void tlsIsTheKernelsToSee() {
    assertThat(parse("start").tls()).isFalse();
    assertThat(parse("inbound=/a/socket").tls()).isTrue();
    assertThat(parse("inbound=/a/socket,tls=off").tls()).isFalse();
    assertThat(parse("tls=on").tls()).isTrue();
    assertThat(parse("tls=on").contexts().mode()).isEqualTo(ContextStorageMode.OTEL);
    assertThatThrownBy(() -> parse("tls=perhaps")).hasMessageContaining("on, off");
  }

  @Test
  void whatIsHandedOverGoesToRecordsThatTheKernelCanRead() {
    assertThat(parse("start").handsOff()).isFalse();
    assertThat(parse("handoff").handOff()).containsExactlyInAnyOrder(HandOffKind.values());
    assertThat(parse("handoff").contexts().mode()).isEqualTo(ContextStorageMode.OTEL);
    assertThat(parse("inbound=/a/socket").handOff()).hasSize(HandOffKind.values().length);
    assertThat(parse("inbound=/a/socket").inbound()).contains("/a/socket");
    assertThat(parse("inbound=/a/socket,handoff=none").handOff()).isEmpty();
    assertThat(parse("handoff=executor;timer,ctxstorage=otep").handOff())
        .containsExactlyInAnyOrder(HandOffKind.EXECUTOR, HandOffKind.TIMER);
    assertThat(parse("handoff=timer,ctxstorage=otep").contexts().mode())
        .isEqualTo(ContextStorageMode.OTEP);
    assertThatThrownBy(() -> parse("handoff=pools"))
        .hasMessageContaining("'pools' is not known")
        .hasMessageContaining("executor;forkjoin");
  }

  @Test
  void aFileAloneSendsNothing() {
    assertThat(parse("start,file=a.jfr").exports()).isFalse();
    assertThat(parse("start,file=a.jfr,otlp").exports()).isTrue();
  }

  @Test
  void whatIsNamedWithoutAValueHasAUsualOne() {
    assertThat(parse("start,cpu,wall,alloc,lock,nativemem").events())
        .isEqualTo("cpu=10ms,wall=50ms,alloc=512k,lock=10us,nativemem=512k");
  }

  @Test
  void anIntervalIsThatOfCpuSamples() {
    assertThat(parse("start,interval=1ms").events()).isEqualTo("cpu=1ms");
    assertThat(parse("start,cpu,interval=1ms").events()).isEqualTo("cpu=1ms");
    assertThat(parse("start,wall=20ms").events()).isEqualTo("wall=20ms");
  }

  @Test
  void theCommandWinsOverThePropertyAndThatOverTheEnvironment() {
    Map<String, String> properties = Map.of("sennit.wall", "20ms", "sennit.cpu", "2ms");
    Map<String, String> environment =
        Map.of("SENNIT_WALL", "30ms", "SENNIT_LOCK", "3us", "SENNIT_OTLP_SHAPE", "aggregated");

    ProfilerOptions options =
        ProfilerOptions.parse("start,cpu=1ms", properties::get, environment::get);

    assertThat(options.events()).isEqualTo("cpu=1ms,wall=20ms,lock=3us");
    assertThat(options.aggregate()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "start;cpuu=1ms, 'cpuu' is not an option; did you mean 'cpu'?",
    "strat, 'strat' is not an option; did you mean 'start'?",
    "start;cpu=fast, cpu=fast is not a time",
    "start;cpu=0, cpu=0 is not a time",
    "start;alloc=1q, alloc=1q is not a size",
    "start;ctxstorage=ring, ctxstorage=ring is not a storage mode",
    "start;engine=jmc, engine=jmc is not known; use one of auto",
    "start;file, 'file' needs a value",
    "start;jfr=1, 'jfr' takes no value",
    "start;stop, asks for two things at once",
  })
  void aWrongOptionNamesItselfAndTheRightOnes(String command, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(command.replace(';', ',')))
        .withMessageContaining(message);
  }

  @Test
  void anUnknownOptionListsAllOfThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("zzzzzzzzzz"))
        .withMessageContaining("start, stop, dump, status")
        .withMessageContaining("ctxstorage=profiler|otel|otep")
        .withMessageContaining("alloc[=512k]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000ns", "1us", "1000"})
  void aTimeMayHaveAnyUnit(String time) {
    assertThat(parse("start,lock=" + time).lock()).isEqualTo(1000);
  }

  private static ProfilerOptions parse(String command) {
    return ProfilerOptions.parse(command, name -> null, name -> null);
  }
}
