/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM comes in: at its start with {@code -javaagent}, later when somebody attaches, and
 * with {@code java -jar} when somebody wonders what the file is. Whatever goes wrong here is one
 * line in the log; the application runs on.
 */
public final class SennitAgent {
  private static final int REQUIRED_JAVA = 25;
  private static final String MARKER = "core/dev/sennit/agent/AgentEntry.classdata";

  /** The opened rest of the jar; later attachments find it here. */
  private static @Nullable Core core;

  private SennitAgent() {}

  /** Called by the JVM before the application's {@code main}. */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation, false);
  }

  /** Called by the JVM when the agent is attached to it at run time. */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation, true);
  }

  private static synchronized void start(
      @Nullable String options, Instrumentation instrumentation, boolean late) {
    try {
      int java = Runtime.version().feature();
      if (java < REQUIRED_JAVA) {
        BootLog.line(
            "the agent needs Java " + REQUIRED_JAVA + " or newer and does nothing on Java " + java);
        return;
      }
      Core opened = core;
      if (opened == null) {
        opened = Core.open(jar());
        core = opened;
      }
      opened.start(instrumentation, options, late);
    } catch (Throwable e) {
      BootLog.line("the agent could not start, and the application runs without it: " + e);
    }
  }

  /**
   * The agent's file. It need not be where this class is from: an application that uses the agent
   * in code has the class on its class path, too, and without the rest.
   */
  private static File jar() throws IOException, URISyntaxException {
    URL marker = ClassLoader.getSystemResource(MARKER);
    if (marker == null) {
      throw new FileNotFoundException(MARKER + " is not in the agent's file");
    }
    return new File(((JarURLConnection) marker.openConnection()).getJarFileURL().toURI());
  }

  /** Says what this file is. */
  public static void main(String[] arguments) {
    String version = SennitAgent.class.getPackage().getImplementationVersion();
    String title = "sennit-agent " + (version == null ? "from classes" : version);
    if (arguments.length == 1 && arguments[0].equals("--version")) {
      System.out.println(title);
      return;
    }
    boolean help = arguments.length == 0 || arguments[0].equals("--help");
    if (!help) {
      System.err.println("sennit-agent: unknown argument '" + arguments[0] + "'");
    }
    (help ? System.out : System.err)
        .println(
            String.join(
                System.lineSeparator(),
                title + ": profiles a JVM and ties every sample to its span",
                "",
                "  java -javaagent:sennit-agent.jar=start,cpu=10ms,ctxstorage=otel,file=app.jfr"
                    + " -jar app.jar",
                "  sennit profile PID          attaches it to a JVM that runs",
                "",
                "It needs Java " + REQUIRED_JAVA + " or newer. docs/agent.md has every option."));
    if (!help) {
      System.exit(2);
    }
  }
}
