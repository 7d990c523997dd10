package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ContextOptionsTest {
  @Test
  void profilerIsTheDefault() {
    assertThat(ContextOptions.parse("start,cpu=1ms,jfr,file=profile.jfr"))
        .isEqualTo(ContextOptions.of(ContextStorageMode.PROFILER));
  }

  @Test
  void everyModeHasItsName() {
    assertThat(ContextOptions.parse("ctxstorage=profiler").mode())
        .isEqualTo(ContextStorageMode.PROFILER);
    assertThat(ContextOptions.parse("start,ctxstorage=otel").mode())
        .isEqualTo(ContextStorageMode.OTEL);
    assertThat(ContextOptions.parse("ctxstorage=otep,cpu=1ms").mode())
        .isEqualTo(ContextStorageMode.OTEP);
  }

  @Test
  void anUnknownModeNamesItselfAndTheRightOnes() {
    assertThatThrownBy(() -> ContextOptions.parse("start,ctxstorage=ring"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ctxstorage=ring is not a storage mode; use one of profiler, otel, otep");
    assertThatThrownBy(() -> ContextOptions.parse("ctxstorage"))
        .hasMessage("ctxstorage= is not a storage mode; use one of profiler, otel, otep");
  }

  @Test
  void capacityAttributesAndSchemaAreOptionsToo() {
    ContextOptions options =
        ContextOptions.parse(
            "ctxstorage=otep,ctxcapacity=128,attributes=http.route;user.id,ctxschema=tls_v1");
    assertThat(options.capacity()).isEqualTo(128);
    assertThat(options.attributeKeys()).containsExactly("http.route", "user.id");
    assertThat(options.schemaVersion()).isEqualTo("tls_v1");
  }

  @Test
  void aWrongCapacityNamesItself() {
    assertThatThrownBy(() -> ContextOptions.parse("ctxcapacity=0"))
        .hasMessage("ctxcapacity=0 is not between 1 and 4194304");
    assertThatThrownBy(() -> ContextOptions.parse("ctxcapacity=many"))
        .hasMessage("ctxcapacity=many is not a number between 1 and 4194304");
  }
}
