/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads the file. Only what {@link Keys} knows is taken, each key once and with a value of its
 * kind; the first thing that is wrong ends the reading.
 */
public final class ConfigurationReader {
  private static final int MOST_BYTES = 1 << 20;
  private static final int DEEPEST = 20;
  private static final LoadSettings YAML =
      LoadSettings.builder().setAllowNonScalarKeys(true).build();

  private final String file;
  private final Configuration.Builder read;

  private ConfigurationReader(String file) {
    this.file = file;
    read = Configuration.of(file);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException with the file, the line, the key and what is allowed there
   */
  public static Configuration read(Path path) throws ConfigurationException {
    return read(path.toString(), text(path));
  }

  /** Reads what stands in a file of that name. */
  static Configuration read(String file, String text) throws ConfigurationException {
    ConfigurationReader reader = new ConfigurationReader(file);
    reader.read(text);
    return reader.read.build();
  }

  private static String text(Path path) throws ConfigurationException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException(path + ": there is no such file");
    } catch (AccessDeniedException e) {
      throw new ConfigurationException(path + ": cannot be read: permission denied");
    } catch (IOException e) {
      throw new ConfigurationException(path + ": cannot be read: " + e.getMessage());
    }
    if (bytes.length > MOST_BYTES) {
      throw new ConfigurationException(path + ": is larger than 1 MiB, which no configuration is");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(path + ": is not text in UTF-8");
    }
  }

  private void read(String text) throws ConfigurationException {
    try {
      int line = 1;
      int depth = 0;
      for (Event event : new Parse(YAML).parseString(text)) {
        line = event.getStartMark().map(mark -> mark.getLine() + 1).orElse(line);
        depth = check(event, depth, line);
      }
      Node root = new Compose(YAML).composeString(text).orElse(null);
      if (root != null) {
        readSection(Place.root(), root, 1);
      }
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw wrong(line, "is not YAML: " + sentence(e.getContext(), e.getProblem()));
    } catch (YamlEngineException e) {
      throw new ConfigurationException(
          file + ": is not YAML: " + firstLine(String.valueOf(e.getMessage())));
    }
  }

  /** What makes a small file large, or a value another class, is for other files than this one. */
  private int check(Event event, int depth, int line) throws ConfigurationException {
    return switch (event) {
      case AliasEvent alias ->
          throw wrong(line, "*" + alias.getAlias() + ": aliases are not taken; write the value");
      case ScalarEvent scalar when scalar.getTag().isPresent() ->
          throw wrong(line, scalar.getTag().get() + ": tags are not taken");
      case CollectionStartEvent start when start.getTag().isPresent() ->
          throw wrong(line, start.getTag().get() + ": tags are not taken");
      case CollectionStartEvent start when depth == DEEPEST ->
          throw wrong(line, "is nested too deeply");
      case CollectionStartEvent start -> depth + 1;
      case CollectionEndEvent end -> depth - 1;
      default -> depth;
    };
  }

  private void readSection(Place.Section section, Node node, int line)
      throws ConfigurationException {
    if (Nodes.isNothing(node)) {
      // A section of which everything is commented out.
      return;
    }
    if (!(node instanceof MappingNode mapping)) {
      String prefix = section.path().isEmpty() ? "" : section.path() + ": ";
      throw wrong(line, prefix + Nodes.describe(node) + " is not a section; " + allowed(section));
    }
    Map<String, Integer> lines = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      readEntry(section, tuple, lines);
    }
  }

  private void readEntry(Place.Section section, NodeTuple tuple, Map<String, Integer> lines)
      throws ConfigurationException {
    int line = Nodes.line(tuple.getKeyNode());
    if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
      throw wrong(line, Nodes.describe(tuple.getKeyNode()) + " is not a key");
    }
    String name = scalar.getValue();
    String path = section.pathOf(name);
    Integer before = lines.put(name, line);
    if (before != null) {
      throw wrong(line, path + ": stands there twice, first in line " + before);
    }
    switch (section.places().get(name)) {
      case Place.Section inner -> readSection(inner, tuple.getValueNode(), line);
      case Place.Value(Key<?> key) -> readValue(key, tuple.getValueNode(), line);
      case null -> {
        String suggestion =
            section.suggestion(name).map(near -> " (did you mean " + near + "?)").orElse("");
        throw wrong(line, path + ": unknown key" + suggestion + "; " + allowed(section));
      }
    }
  }

  private void readValue(Key<?> key, Node node, int line) throws ConfigurationException {
    try {
      read.put(key, key.type().read(node), line);
    } catch (Type.WrongValueException e) {
      throw wrong(Math.max(line, e.line()), key.path() + ": " + e.getMessage());
    }
  }

  private static String allowed(Place.Section section) {
    return "allowed here: " + String.join(", ", section.places().keySet());
  }

  private ConfigurationException wrong(int line, String what) {
    return new ConfigurationException(file + ":" + line, what);
  }

  private static String sentence(String context, String problem) {
    String first = context == null || context.isBlank() ? "" : firstLine(context) + ", ";
    return first + firstLine(problem);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }
}
