/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chromium without a window, driven by its DevTools protocol: it opens a page, is clicked and typed
 * at as by a person, and remembers what the page asked of the network and complained of.
 */
final class Browser implements AutoCloseable {
  static final int WIDTH = 1280;
  static final int HEIGHT = 800;

  private static final int PATIENCE_SECONDS = 60;
  private static final Pattern PAGE =
      Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+/page/[^\"]+)\"");

  private final ChildProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final LinkedBlockingQueue<Struct> messages = new LinkedBlockingQueue<>();
  private final List<String> requests = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private boolean loaded;
  private int lastId;

  private Browser(ChildProcess process) throws IOException, InterruptedException {
    this.process = process;
    URI browser = URI.create(process.expect("DevTools listening on "));
    URI list = URI.create("http://" + browser.getAuthority() + "/json/list");
    String pages = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
    Matcher page = PAGE.matcher(pages);
    if (!page.find()) {
      throw new AssertionError("the browser has no page: " + pages);
    }
    socket =
        http.newWebSocketBuilder().buildAsync(URI.create(page.group(1)), new Listener()).join();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      command(domain + ".enable", "{}");
    }
  }

  /** Starts the browser; what it keeps goes to the folder. */
  static Browser start(Path folder) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            "--remote-debugging-port=0",
            "--user-data-dir=" + folder,
            "--window-size=" + WIDTH + "," + HEIGHT,
            "about:blank");
    ChildProcess process = ChildProcess.start(builder.redirectErrorStream(true));
    try {
      return new Browser(process);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      process.close();
      throw e;
    }
  }

  /** Opens a page and waits until it is there. */
  void open(Path page) {
    requests.clear();
    complaints.clear();
    loaded = false;
    command(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}"
            .formatted(WIDTH, HEIGHT));
    command("Page.navigate", "{\"url\":" + quoted(page.toUri().toString()) + "}");
    while (!loaded) {
      handle(next());
    }
    settle();
  }

  /** The value of an expression, as text. */
  String evaluate(String expression) {
    Struct result =
        command(
            "Runtime.evaluate",
            "{\"returnByValue\":true,\"awaitPromise\":true,\"expression\":"
                + quoted("Promise.resolve(" + expression + ").then(String)")
                + "}");
    if (result.containsFields("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result);
    }
    return result
        .getFieldsOrThrow("result")
        .getStructValue()
        .getFieldsOrThrow("value")
        .getStringValue();
  }

  /** The text of an element. */
  String text(String id) {
    return evaluate("document.getElementById('" + id + "').textContent");
  }

  void hover(double x, double y) {
    mouse("mouseMoved", x, y);
    settle();
  }

  void click(double x, double y) {
    mouse("mouseMoved", x, y);
    mouse("mousePressed", x, y);
    mouse("mouseReleased", x, y);
    settle();
  }

  /** Clicks in the middle of the first element that a selector finds. */
  void click(String selector) {
    String[] middle =
        evaluate(
                "(b => (b.left + b.width / 2) + ' ' + (b.top + b.height / 2))"
                    + "(document.querySelector('"
                    + selector
                    + "').getBoundingClientRect())")
            .split(" ");
    click(Double.parseDouble(middle[0]), Double.parseDouble(middle[1]));
  }

  /** Presses a key by its name, such as Enter. */
  void press(String key) {
    String text = key.length() == 1 ? ",\"text\":" + quoted(key) : "";
    command("Input.dispatchKeyEvent", "{\"type\":\"keyDown\",\"key\":" + quoted(key) + text + "}");
    command("Input.dispatchKeyEvent", "{\"type\":\"keyUp\",\"key\":" + quoted(key) + "}");
    settle();
  }

  void type(String text) {
    command("Input.insertText", "{\"text\":" + quoted(text) + "}");
    settle();
  }

  void preferDark(boolean dark) {
    command(
        "Emulation.setEmulatedMedia",
        "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
            .formatted(dark ? "dark" : "light"));
    settle();
  }

  void screenshot(Path file) throws IOException {
    String data = command("Page.captureScreenshot", "{}").getFieldsOrThrow("data").getStringValue();
    Files.write(file, Base64.getDecoder().decode(data));
  }

  /** What was asked of the network or the disk since the page was opened. */
  List<String> requests() {
    return requests;
  }

  /** Errors, warnings and dialogs since the page was opened. */
  List<String> complaints() {
    return complaints;
  }

  private void mouse(String type, double x, double y) {
    command(
        "Input.dispatchMouseEvent",
        String.format(
            Locale.ROOT,
            "{\"type\":\"%s\",\"x\":%f,\"y\":%f,\"button\":\"%s\",\"clickCount\":1}",
            type,
            x,
            y,
            type.equals("mouseMoved") ? "none" : "left"));
  }

  /** Waits until the page has drawn what was asked for before. */
  private void settle() {
    evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  private Struct command(String method, String parameters) {
    int id = ++lastId;
    socket
        .sendText(
            "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
        .join();
    while (true) {
      Struct message = next();
      if (!message.containsFields("id")) {
        handle(message);
      } else if (message.getFieldsOrThrow("id").getNumberValue() == id) {
        if (message.containsFields("error")) {
          throw new AssertionError(method + ": " + message);
        }
        return message.getFieldsOrThrow("result").getStructValue();
      }
    }
  }

  private void handle(Struct event) {
    Struct parameters =
        event.getFieldsOrDefault("params", Value.getDefaultInstance()).getStructValue();
    switch (event.getFieldsOrThrow("method").getStringValue()) {
      case "Page.loadEventFired" -> loaded = true;
      case "Network.requestWillBeSent" ->
          requests.add(
              parameters
                  .getFieldsOrThrow("request")
                  .getStructValue()
                  .getFieldsOrThrow("url")
                  .getStringValue());
      case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown" ->
          complaints.add(parameters.toString());
      case "Page.javascriptDialogOpening" -> {
        complaints.add(parameters.toString());
        command("Page.handleJavaScriptDialog", "{\"accept\":true}");
      }
      default -> {
        // Much happens in a browser.
      }
    }
  }

  private Struct next() {
    try {
      @Nullable Struct message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("the browser said nothing for " + PATIENCE_SECONDS + " s");
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the browser", e);
    }
  }

  private static String quoted(String text) {
    try {
      return JsonFormat.printer().print(Value.newBuilder().setStringValue(text));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(text, e);
    }
  }

  @Override
  public void close() {
    socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true).join();
    process.waitFor();
    process.close();
    socket.abort();
    http.shutdownNow();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        Struct.Builder message = Struct.newBuilder();
        try {
          JsonFormat.parser().merge(text.toString(), message);
        } catch (InvalidProtocolBufferException e) {
          throw new AssertionError(text.toString(), e);
        }
        messages.add(message.build());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
