/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sennit doctor}: what this machine offers, what is missing, and how to get it. */
@Command(
    name = "doctor",
    description = "Says what this machine offers, what is missing, and how to get it.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:everything that is needed to publish and to read contexts is there",
      "1:something of it is missing"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit doctor",
      "  sennit doctor --json | jq -r '.findings[] | select(.ok | not) | .remedy'"
    })
final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "One JSON document.")
  private boolean json;

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(ContextExamination.findings());
    findings.addAll(HostExamination.findings());
    findings.addAll(KernelExamination.findings());
    boolean ready = findings.stream().noneMatch(Finding::isFatal);
    PrintWriter out = Commands.out(spec);
    if (json) {
      out.println(document(ready, findings));
    } else {
      print(out, findings);
      out.println();
      out.println(ready ? "contexts can be published and read here" : "something is missing");
    }
    out.flush();
    return ready ? 0 : CommandFailure.NOT_SO;
  }

  private void print(PrintWriter out, List<Finding> findings) {
    int width = findings.stream().mapToInt(finding -> finding.name().length()).max().orElse(0);
    for (Finding.Purpose purpose : Finding.Purpose.values()) {
      out.println(terminal.bold(purpose.words()));
      for (Finding finding : findings) {
        if (finding.purpose() == purpose) {
          String state = finding.ok() ? terminal.green("ok     ") : terminal.red("missing");
          String name = finding.name() + " ".repeat(width - finding.name().length());
          String remedy = finding.remedy() == null ? "" : "; " + finding.remedy();
          out.println("  " + state + "  " + name + "  " + Printable.of(finding.found() + remedy));
        }
      }
    }
  }

  private static String document(boolean ready, List<Finding> findings) {
    return Json.object(
        json -> {
          json.writeBooleanField("ready", ready);
          json.writeArrayFieldStart("findings");
          for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringField("name", finding.name());
            json.writeBooleanField("ok", finding.ok());
            json.writeBooleanField("needed", finding.purpose() == Finding.Purpose.CONTEXT);
            json.writeStringField("purpose", finding.purpose().name().toLowerCase(Locale.ROOT));
            json.writeStringField("found", finding.found());
            json.writeStringField("remedy", finding.remedy());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
