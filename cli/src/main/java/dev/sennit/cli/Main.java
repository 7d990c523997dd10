/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The {@code sennit} command: what it is called with goes to one of its subcommands. */
@Command(
    name = "sennit",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Shows who the processes of this host are and what their threads are doing, traces and"
            + " profiles them, and converts their profiles.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:what was asked about is not so",
      "2:wrong usage or input; a line on standard error says which"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit demo                         a shop to look at, and the page that shows it",
      "  sennit demo-context --for 1m &      a process to look at",
      "  sennit ps                           who publishes a context here",
      "  sennit context 4711 --threads       what the threads of process 4711 are doing",
      "  sennit context 4711 --json | jq .   the same for programs",
      "  sennit profile 4711 --for 30s       profile JVM 4711, and tie samples to spans",
      "  sennit run -- ./service             traces, profiles and log lines of anything",
      "  sennit convert app.jfr -o app.otlp  a recording as OTLP profiles",
      "  sennit convert app.jfr -o app.html  or as a flame graph",
      "  sennit sql 'FROM services'          ask the store",
      "  sennit doctor                       what this machine offers",
      "  . <(sennit generate-completion)     completion in this shell"
    })
public final class Main {
  /** What the user types to run this; the launcher says so. */
  static final String COMMAND = System.getProperty("sennit.command", "sennit");

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(commandLine(Terminal.detect(), Terminal.detectErrors()).execute(arguments));
  }

  static CommandLine commandLine(Terminal terminal, Terminal errors) {
    return new CommandLine(new Main())
        .addSubcommand(withHelp(new DemoCommand()))
        .addSubcommand(withHelp(new PsCommand(terminal)))
        .addSubcommand(withHelp(new ContextCommand(terminal)))
        .addSubcommand(withHelp(new ProfileCommand(errors)))
        .addSubcommand(withHelp(new ConvertCommand(errors)))
        .addSubcommand(withHelp(new ValidateCommand()))
        .addSubcommand(withHelp(new DoctorCommand(terminal)))
        .addSubcommand(withHelp(new RunCommand()))
        .addSubcommand(withHelp(new DaemonCommand()))
        .addSubcommand(withHelp(new FleetCommand()))
        .addSubcommand(withHelp(new TraceRawCommand()))
        .addSubcommand(withHelp(new SqlCommand(terminal)))
        .addSubcommand(withHelp(new ExportCommand()))
        .addSubcommand(withHelp(new DemoContextCommand()))
        .addSubcommand(new GenerateCompletion())
        .addSubcommand(new HelpCommand())
        .setParameterExceptionHandler((failure, arguments) -> report(failure))
        .setExecutionExceptionHandler(Main::report);
  }

  private static CommandLine withHelp(Object command) {
    CommandLine line = new CommandLine(command);
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build());
    return line;
  }

  private static int report(ParameterException failure) {
    String command = failure.getCommandLine().getCommandSpec().qualifiedName();
    failure
        .getCommandLine()
        .getErr()
        .println(
            Printable.of(command + ": " + failure.getMessage() + "; try " + command + " --help"));
    return CommandFailure.WRONG_INPUT;
  }

  private static int report(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (failure instanceof CommandFailure known) {
      command.getErr().println(Printable.of("sennit: " + known.getMessage()));
      return known.status();
    }
    throw failure;
  }

  /** The version that the jar says it has. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "sennit " + (version == null ? "from classes" : version),
        "Java " + Runtime.version() + " on " + System.getProperty("os.arch")
      };
    }
  }
}
