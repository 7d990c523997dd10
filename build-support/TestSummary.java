/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Sums the reports of Surefire in the folders given: what was skipped and why, what failed and how,
 * and in the last line how many of each. Ends with status 1 if a test failed or none ran.
 */
final class TestSummary {
  private int passed;
  private final List<String> failed = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  public static void main(String[] folders) throws Exception {
    TestSummary summary = new TestSummary();
    for (String folder : folders) {
      if (Files.isDirectory(Path.of(folder))) {
        summary.addFolder(Path.of(folder));
      }
    }
    System.exit(summary.print() ? 0 : 1);
  }

  private void addFolder(Path folder) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    List<Path> reports = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "TEST-*.xml")) {
      entries.forEach(reports::add);
    }
    Collections.sort(reports);
    for (Path report : reports) {
      addReport(factory.newDocumentBuilder(), report);
    }
  }

  private void addReport(DocumentBuilder parser, Path report) {
    NodeList cases;
    try {
      cases = parser.parse(report.toFile()).getElementsByTagName("testcase");
    } catch (IOException | org.xml.sax.SAXException e) {
      // What a JVM that crashed leaves behind.
      failed.add(report.getFileName() + ": the report is not readable: " + e.getMessage());
      return;
    }
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String name = test.getAttribute("classname") + "." + test.getAttribute("name");
      if (reason(test, "skipped") instanceof String reason) {
        skipped.add(name + ": " + reason);
      } else if (reason(test, "failure") instanceof String reason) {
        failed.add(name + ": " + reason);
      } else if (reason(test, "error") instanceof String reason) {
        failed.add(name + ": " + reason);
      } else {
        passed++;
      }
    }
  }

  /** The beginning of what element {@code tag} of a test says; null if it has no such element. */
  private static String reason(Element test, String tag) {
    NodeList elements = test.getElementsByTagName(tag);
    if (elements.getLength() == 0) {
      return null;
    }
    Element element = (Element) elements.item(0);
    String message = element.getAttribute("message");
    String text = message.isBlank() ? element.getTextContent() : message;
    String line = text.strip().lines().map(String::strip).limit(4).collect(Collectors.joining(" "));
    return line.length() <= 200 ? line : line.substring(0, 199) + "…";
  }

  private boolean print() {
    skipped.forEach(test -> System.out.println("skipped " + test));
    failed.forEach(test -> System.out.println("failed  " + test));
    System.out.printf(
        "%d passed, %d failed, %d skipped%n", passed, failed.size(), skipped.size());
    return failed.isEmpty() && passed > 0;
  }
}
