/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

/** Two ways to run the application that differ in what is to be measured, and nothing else. */
enum Pair {
  SENNIT_ALONE("Sennit, off, beside no agent", Subject.NO_AGENT, Subject.SENNIT_OFF),
  SENNIT("Sennit, async-profiler", Subject.SENNIT_OFF, Subject.SENNIT),
  SENNIT_JFR("Sennit, JFR", Subject.SENNIT_OFF, Subject.SENNIT_JFR),
  DATADOG("dd-java-agent", Subject.DATADOG_OFF, Subject.DATADOG),
  SPLUNK("splunk-otel-javaagent", Subject.SPLUNK_OFF, Subject.SPLUNK);

  final String title;
  final Subject without;
  final Subject with;

  Pair(String title, Subject without, Subject with) {
    this.title = title;
    this.without = without;
    this.with = with;
  }
}
