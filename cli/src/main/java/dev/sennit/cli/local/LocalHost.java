/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.cli.observation.ObservationListener;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.tracing.traffic.TraceIds;
import dev.sennit.viewer.http.Addresses;
import dev.sennit.viewer.receive.OtlpReceiver;
import dev.sennit.viewer.receive.ReceiverLimits;
import dev.sennit.viewer.receive.ReceiverSettings;
import dev.sennit.viewer.view.LiveProcesses;
import dev.sennit.viewer.view.LogViews;
import dev.sennit.viewer.view.ProcessViews;
import dev.sennit.viewer.view.ProfileViews;
import dev.sennit.viewer.view.ServiceViews;
import dev.sennit.viewer.view.TraceViews;
import dev.sennit.viewer.web.ReceiverView;
import dev.sennit.viewer.web.Site;
import dev.sennit.viewer.web.WebServer;
import dev.sennit.viewer.web.WebSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of this host with its two entrances, OTLP and what is observed here, and the page that
 * shows it.
 */
public final class LocalHost implements ObservationListener, AutoCloseable {
  /** How long an ending command waits for a collector. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final TraceNames names;
  private final ServedRequests served;
  private final TelemetryStore store;
  private final KeptRequests kept;
  private final OtlpReceiver receiver;
  private final @Nullable WebServer page;
  private final @Nullable Exporter exporter;
  private final @Nullable StoreSocket questions;

  private LocalHost(
      TraceNames names,
      ServedRequests served,
      TelemetryStore store,
      OtlpReceiver receiver,
      @Nullable WebServer page,
      @Nullable Exporter exporter,
      @Nullable StoreSocket questions) {
    this.names = names;
    this.served = served;
    this.store = store;
    this.kept = new KeptRequests(store);
    this.receiver = receiver;
    this.page = page;
    this.exporter = exporter;
    this.questions = questions;
  }

  /**
   * Opens the store, receives and shows.
   *
   * @param processes what publishes its context here
   * @param profiles where those that come from here go on to; nowhere if it is empty
   * @param log takes lines for people
   * @throws IOException naming the address that cannot be listened on
   * @throws dev.sennit.store.database.StoreException naming the file that cannot be used
   */
  public static LocalHost open(
      LocalSettings settings,
      LiveProcesses processes,
      Optional<ExportSettings> profiles,
      Consumer<String> log)
      throws IOException {
    TraceNames names = new TraceNames();
    ServedRequests served = new ServedRequests(names);
    TelemetryStore store =
        settings.file().isPresent()
            ? TelemetryStore.open(settings.file().get(), settings.store(), served)
            : TelemetryStore.temporary(settings.store(), served);
    @Nullable OtlpReceiver receiver = null;
    @Nullable Exporter exporter = null;
    try {
      exporter = profiles.isPresent() ? Exporter.open(profiles.get(), log) : null;
      receiver = receive(settings, new NamedProfiles(names, store, exporter));
      @Nullable WebServer page =
          settings.page().isPresent()
              ? show(settings.page().get(), site(store.queries(), processes, receiver))
              : null;
      @Nullable StoreSocket questions =
          settings.file().isPresent()
              ? StoreSocket.open(settings.file().get(), store.queries(), log)
              : null;
      return new LocalHost(names, served, store, receiver, page, exporter, questions);
    } catch (IOException | RuntimeException e) {
      if (receiver != null) {
        receiver.close();
      }
      if (exporter != null) {
        exporter.close(Duration.ZERO);
      }
      store.close();
      throw e;
    }
  }

  private static OtlpReceiver receive(LocalSettings settings, TelemetrySink sink)
      throws IOException {
    try {
      return OtlpReceiver.start(
          new ReceiverSettings(
              settings.http().address(), settings.grpc().address(), ReceiverLimits.usual()),
          sink);
    } catch (IOException e) {
      if (settings.http().insisted() || settings.grpc().insisted()) {
        throw e;
      }
      return OtlpReceiver.start(
          new ReceiverSettings(
              settings.http().anyPort().address(),
              settings.grpc().anyPort().address(),
              ReceiverLimits.usual()),
          sink);
    }
  }

  private static WebServer show(Place place, Site site) throws IOException {
    try {
      return WebServer.start(WebSettings.on(place.address()), site);
    } catch (IOException e) {
      if (place.insisted()) {
        throw e;
      }
      return WebServer.start(WebSettings.on(place.anyPort().address()), site);
    }
  }

  private static Site site(StoreQueries queries, LiveProcesses processes, OtlpReceiver receiver) {
    Clock clock = Clock.systemUTC();
    ReceiverView received = new ReceiverView(receiver);
    Site site = Site.EMPTY.with(received).withLive(received);
    site = ServiceViews.addTo(site, queries, clock);
    site = TraceViews.addTo(site, queries, clock);
    site = ProfileViews.addTo(site, queries, clock);
    site = LogViews.addTo(site, queries, clock);
    return ProcessViews.addTo(site, queries, processes, clock);
  }

  /** What to open in a browser, if there is a page. */
  public Optional<URI> page() {
    return Optional.ofNullable(page).map(WebServer::link);
  }

  /** In a sentence, where all of it is. */
  public String describe() {
    return "kept in "
        + store.file()
        + "; OTLP is received at "
        + Addresses.url(receiver.httpAddress())
        + " and "
        + Addresses.url(receiver.grpcAddress())
        + page().map(link -> "; the page is at " + link).orElse("");
  }

  /** Where OTLP is received over HTTP. */
  public URI otlp() {
    return URI.create(Addresses.url(receiver.httpAddress()));
  }

  @Override
  public Set<InetSocketAddress> receivers() {
    return Set.of(receiver.httpAddress(), receiver.grpcAddress());
  }

  public StoreQueries queries() {
    return store.queries();
  }

  /** Requests that were observed and found no room. */
  public long dropped() {
    return kept.dropped() + store.statistics().written().lost();
  }

  /** Waits until all that was observed and received can be asked for. */
  public void flush() throws InterruptedException {
    kept.flush();
    store.flush();
  }

  @Override
  public void onSpans(byte[] request) {
    kept.spans(request);
  }

  @Override
  public void onRecords(byte[] request) {
    kept.records(request);
  }

  @Override
  public void onServed(int pid, int tid, TraceIds ids, long begin, long end) {
    served.served(pid, tid, ids, begin, end);
  }

  @Override
  public void onName(String traceId, String newTraceId) {
    names.named(traceId, newTraceId);
  }

  @Override
  public void close() {
    if (page != null) {
      page.close();
    }
    receiver.close();
    if (exporter != null) {
      exporter.close(LAST_WORDS);
    }
    kept.close();
    if (questions != null) {
      questions.close();
    }
    store.close();
  }
}
