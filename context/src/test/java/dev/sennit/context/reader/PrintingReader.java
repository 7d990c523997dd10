/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

/** A JVM that reads the process record of a pid and prints what came of it. */
final class PrintingReader {
  private PrintingReader() {}

  public static void main(String[] arguments) {
    System.out.println(new ProcessContextReader().read(Integer.parseInt(arguments[0])));
  }
}
