/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.shared.ContextOwner;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.ContextStorageMode;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where OpenTelemetry's autoconfiguration finds Sennit: it makes the current span of a thread known
 * to readers outside, and the SDK's exporter of logs one that Sennit's agent may use. The resource
 * is {@link ResourceAutoConfiguration}'s.
 *
 * <p>{@code sennit.extension.enabled=false} leaves the SDK alone. {@code sennit.ctxstorage} chooses
 * the layout of the thread records where no agent of Sennit has done so; the default is {@code
 * otel}.
 */
public final class SennitAutoConfiguration implements AutoConfigurationCustomizerProvider {
  private static final String NO_SPANS = "spans are not made known to readers outside";

  private static final AtomicBoolean INSTALLED = new AtomicBoolean();
  private static final LocalRootSpans ROOTS = new LocalRootSpans();

  /** Made by the service loader. */
  public SennitAutoConfiguration() {}

  @Override
  public void customize(AutoConfigurationCustomizer configuration) {
    if (!isEnabled()) {
      return;
    }
    try {
      startContexts();
    } catch (RuntimeException | LinkageError | AssertionError e) {
      Problems.warn(NO_SPANS, e);
      return;
    }
    // A wrapper counts only if it comes before the first use of a context, and stays for good.
    if (INSTALLED.compareAndSet(false, true)) {
      ContextStorage.addWrapper(storage -> new RecordedContextStorage(storage, ROOTS));
    }
    configuration.addTracerProviderCustomizer((provider, _) -> takeOver(provider));
    configuration.addLogRecordExporterCustomizer(LentLogExporter::offer);
  }

  /** Whether the SDK is not to be left alone. */
  static boolean isEnabled() {
    return setting("sennit.extension.enabled", "true").equalsIgnoreCase("true");
  }

  private static void startContexts() {
    if (!ContextApi.isInitialized()) {
      String mode = setting("sennit.ctxstorage", ContextStorageMode.OTEL.optionValue());
      ContextApi.initialize(ContextOptions.parse("ctxstorage=" + mode));
    }
  }

  /** Nobody calls this where the SDK is disabled: Sennit's agent goes on saying what threads do. */
  private static SdkTracerProviderBuilder takeOver(SdkTracerProviderBuilder provider) {
    try {
      RecordedContextStorage.start();
      ContextOwner.takeOver();
      // The ring has no place for them, and to remember them costs every span.
      if (ContextApi.getMode() != ContextStorageMode.OTEL) {
        return provider.addSpanProcessor(ROOTS);
      }
    } catch (RuntimeException | LinkageError | AssertionError e) {
      Problems.warn(NO_SPANS, e);
    }
    return provider;
  }

  private static String setting(String property, String otherwise) {
    @Nullable String value = System.getProperty(property);
    if (value == null) {
      value = System.getenv(property.toUpperCase(Locale.ROOT).replace('.', '_'));
    }
    return value == null || value.isBlank() ? otherwise : value.strip();
  }
}
