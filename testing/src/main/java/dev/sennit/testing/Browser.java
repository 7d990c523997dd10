/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

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
public final class Browser implements AutoCloseable {
  public static final int WIDTH = 1280;
  public static final int HEIGHT = 800;

  private static final int PATIENCE_SECONDS = 60;
  private static final Pattern PAGE =
      Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+/page/[^\"]+)\"");

  private final ChildProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final LinkedBlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
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
  public static Browser start(Path folder) throws IOException, InterruptedException {
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

  /** Opens a page from a file and waits until it is there. */
  public void open(Path page) {
    open(page.toUri());
  }

  /** Opens a page and waits until it is there. */
  public void open(URI page) {
    requests.clear();
    complaints.clear();
    resize(WIDTH, HEIGHT);
    loaded = false;
    command("Page.navigate", "{\"url\":" + quoted(page.toString()) + "}");
    while (!loaded) {
      handle(next());
    }
    settle();
  }

  /** Gives the window another size, such as that of a telephone. */
  public void resize(int width, int height) {
    command(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}"
            .formatted(width, height));
  }

  /** Waits until an expression is true, as a person would. */
  public void await(String expression) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!evaluate(expression).equals("true")) {
      if (System.nanoTime() > end) {
        throw new AssertionError(expression + " is not so after " + PATIENCE_SECONDS + " s");
      }
      settle();
    }
  }

  /** The value of an expression, as text. */
  public String evaluate(String expression) {
    JsonObject result =
        command(
            "Runtime.evaluate",
            "{\"returnByValue\":true,\"awaitPromise\":true,\"expression\":"
                + quoted("Promise.resolve(" + expression + ").then(String)")
                + "}");
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result);
    }
    return result.object("result").text("value");
  }

  /** The text of an element. */
  public String text(String id) {
    return evaluate("document.getElementById('" + id + "').textContent");
  }

  public void hover(double x, double y) {
    mouse("mouseMoved", x, y);
    settle();
  }

  public void click(double x, double y) {
    mouse("mouseMoved", x, y);
    mouse("mousePressed", x, y);
    mouse("mouseReleased", x, y);
    settle();
  }

  /** Clicks twice, quickly. */
  public void doubleClick(double x, double y) {
    click(x, y);
    mouse("mousePressed", x, y, 2);
    mouse("mouseReleased", x, y, 2);
    settle();
  }

  /** Clicks in the middle of the first element that a selector finds. */
  public void click(String selector) {
    String[] middle =
        evaluate(
                "(b => (b.left + b.width / 2) + ' ' + (b.top + b.height / 2))"
                    + "(document.querySelector('"
                    + selector
                    + "').getBoundingClientRect())")
            .split(" ");
    click(Double.parseDouble(middle[0]), Double.parseDouble(middle[1]));
  }

  /** Drags over the first element that a selector finds, from one part of its width to another. */
  public void drag(String selector, double from, double to) {
    String[] box =
        evaluate(
                "(b => [b.left, b.top + b.height / 2, b.width].join(' '))"
                    + "(document.querySelector('"
                    + selector
                    + "').getBoundingClientRect())")
            .split(" ");
    double left = Double.parseDouble(box[0]);
    double middle = Double.parseDouble(box[1]);
    double width = Double.parseDouble(box[2]);
    drag(left + from * width, middle, left + to * width, middle);
  }

  /** Presses in one place and lets go in another, with places between as a hand has them. */
  public void drag(double fromX, double fromY, double toX, double toY) {
    beginDrag(fromX, fromY, toX, toY);
    mouse("mouseReleased", toX, toY);
    settle();
  }

  /** The same without letting go. */
  public void beginDrag(double fromX, double fromY, double toX, double toY) {
    mouse("mouseMoved", fromX, fromY);
    mouse("mousePressed", fromX, fromY);
    for (int i = 1; i <= 4; i++) {
      held(fromX + (toX - fromX) * i / 4, fromY + (toY - fromY) * i / 4);
    }
    settle();
  }

  /** Turns the wheel over a place; with Control held down it is for zooming. */
  public void wheel(double x, double y, double turnedX, double turnedY, boolean control) {
    command(
        "Input.dispatchMouseEvent",
        String.format(
            Locale.ROOT,
            "{\"type\":\"mouseWheel\",\"x\":%f,\"y\":%f,\"deltaX\":%f,\"deltaY\":%f,\"modifiers\":%d}",
            x,
            y,
            turnedX,
            turnedY,
            control ? 2 : 0));
    settle();
  }

  /** Presses a key by its name, such as Enter. */
  public void press(String key) {
    String text = key.length() == 1 ? ",\"text\":" + quoted(key) : "";
    command("Input.dispatchKeyEvent", "{\"type\":\"keyDown\",\"key\":" + quoted(key) + text + "}");
    command("Input.dispatchKeyEvent", "{\"type\":\"keyUp\",\"key\":" + quoted(key) + "}");
    settle();
  }

  public void type(String text) {
    command("Input.insertText", "{\"text\":" + quoted(text) + "}");
    settle();
  }

  public void preferDark(boolean dark) {
    command(
        "Emulation.setEmulatedMedia",
        "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
            .formatted(dark ? "dark" : "light"));
    settle();
  }

  public void screenshot(Path file) throws IOException {
    String data = command("Page.captureScreenshot", "{}").text("data");
    Files.write(file, Base64.getDecoder().decode(data));
  }

  /** What was asked of the network or the disk since the page was opened. */
  public List<String> requests() {
    return requests;
  }

  /** Errors, warnings and dialogs since the page was opened. */
  public List<String> complaints() {
    return complaints;
  }

  private void mouse(String type, double x, double y) {
    mouse(type, x, y, 1);
  }

  private void mouse(String type, double x, double y, int clicks) {
    command(
        "Input.dispatchMouseEvent",
        String.format(
            Locale.ROOT,
            "{\"type\":\"%s\",\"x\":%f,\"y\":%f,\"button\":\"%s\",\"clickCount\":%d}",
            type,
            x,
            y,
            type.equals("mouseMoved") ? "none" : "left",
            clicks));
  }

  private void held(double x, double y) {
    command(
        "Input.dispatchMouseEvent",
        String.format(
            Locale.ROOT,
            "{\"type\":\"mouseMoved\",\"x\":%f,\"y\":%f,\"button\":\"left\",\"buttons\":1}",
            x,
            y));
  }

  /** Waits until the page has drawn what was asked for before. */
  private void settle() {
    evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  private JsonObject command(String method, String parameters) {
    int id = ++lastId;
    socket
        .sendText(
            "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
        .join();
    while (true) {
      JsonObject message = next();
      if (!message.has("id")) {
        handle(message);
      } else if (message.text("id").equals(Integer.toString(id))) {
        if (message.has("error")) {
          throw new AssertionError(method + ": " + message);
        }
        return message.object("result");
      }
    }
  }

  private void handle(JsonObject event) {
    JsonObject parameters = event.object("params");
    switch (event.text("method")) {
      case "Page.loadEventFired" -> loaded = true;
      case "Network.requestWillBeSent" -> requests.add(parameters.object("request").text("url"));
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

  private JsonObject next() {
    try {
      @Nullable JsonObject message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
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
    return JsonObject.quoted(text);
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
        messages.add(JsonObject.parse(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
