/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Lists the jars of others in a distribution with their licences, as their POMs have them, and what
 * of others is inside of our own jars. Argument: the folder of the distribution.
 */
final class ThirdParty {
  private static final int MOST_PARENTS = 8;

  private final Path repository =
      Path.of(
          System.getProperty(
              "maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));

  /** Where the POM of a jar is that does not have it inside, by the jar's name. */
  private final Map<String, Path> poms = new TreeMap<>();

  public static void main(String[] arguments) throws Exception {
    new ThirdParty().print(Path.of(arguments[0]));
  }

  private void print(Path home) throws Exception {
    try (Stream<Path> files = Files.walk(repository)) {
      files
          .filter(file -> file.toString().endsWith(".pom"))
          .forEach(file -> poms.put(file.getFileName().toString().replace(".pom", ".jar"), file));
    }
    List<Path> jars;
    try (Stream<Path> files = Files.walk(home)) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    List<String> unknown = new ArrayList<>();
    System.out.println("Jars of others in this distribution, and their licences.\n");
    for (Path jar : jars) {
      String name = jar.getFileName().toString();
      if (name.startsWith("sennit-")) {
        continue;
      }
      String licence = licence(pom(jar), 0);
      System.out.println(home.relativize(jar) + ": " + licence);
      if (licence.isEmpty()) {
        unknown.add(name);
      }
    }
    System.out.println("\nOf others inside of Sennit's own jars; the texts are there, too.\n");
    for (Path jar : jars) {
      if (jar.getFileName().toString().startsWith("sennit-")) {
        for (String inside : licencesInside(jar)) {
          System.out.println(home.relativize(jar) + ": " + inside);
        }
      }
    }
    if (!unknown.isEmpty()) {
      System.err.println("no licence is known of " + String.join(", ", unknown));
      System.exit(1);
    }
  }

  private static List<String> licencesInside(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.matches(".*/(LICENSE|NOTICE)[^/]*"))
          .filter(name -> !name.matches("META-INF/(LICENSE|NOTICE)[^/]*"))
          .sorted()
          .toList();
    }
  }

  /** That of the repository, which has its parents beside it, or the one inside of the jar. */
  private Element pom(Path jar) throws Exception {
    Path known = poms.get(jar.getFileName().toString().replaceAll("-linux[^/]*\\.jar$", ".jar"));
    if (known != null) {
      return parse(Files.readAllBytes(known));
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().matches("META-INF/maven/.*/pom\\.xml")) {
          return parse(zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    return null;
  }

  private String licence(Element pom, int depth) throws Exception {
    if (pom == null || depth > MOST_PARENTS) {
      return "";
    }
    List<String> names = new ArrayList<>();
    Element all = child(pom, "licenses");
    for (Node each = all == null ? null : all.getFirstChild();
        each != null;
        each = each.getNextSibling()) {
      if (each instanceof Element licence) {
        String url = text(licence, "url");
        names.add(text(licence, "name") + (url.isEmpty() ? "" : " (" + url + ")"));
      }
    }
    if (!names.isEmpty()) {
      return String.join("; ", names);
    }
    Element parent = child(pom, "parent");
    if (parent == null) {
      return "";
    }
    String artifact = text(parent, "artifactId");
    String version = text(parent, "version");
    Path file =
        repository
            .resolve(text(parent, "groupId").replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(artifact + "-" + version + ".pom");
    return Files.exists(file) ? licence(parse(Files.readAllBytes(file)), depth + 1) : "";
  }

  private static Element parse(byte[] pom) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(pom))
        .getDocumentElement();
  }

  private static Element child(Element parent, String name) {
    for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }

  private static String text(Element parent, String name) {
    Element element = child(parent, name);
    return element == null ? "" : element.getTextContent().strip().replaceAll("\\s+", " ");
  }
}
