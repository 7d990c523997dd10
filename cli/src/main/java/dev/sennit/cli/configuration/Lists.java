/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Values that are several words. */
final class Lists {
  private Lists() {}

  static <T> Type<List<T>> list(Type<T> elements, int most, String example) {
    return new ListType<>(elements, most, example);
  }

  /** Names and values of HTTP headers. A value may be a secret and is never shown. */
  static final Type<Map<String, String>> HEADERS = new HeadersType();

  private record ListType<T>(Type<T> elements, int most, String example) implements Type<List<T>> {
    @Override
    public String allowed() {
      return "a list such as " + example + ", of at most " + most;
    }

    @Override
    public List<T> read(Node node) throws WrongValueException {
      if (!(node instanceof SequenceNode sequence) || sequence.getValue().size() > most) {
        throw WrongValueException.of(node, this);
      }
      List<T> values = new ArrayList<>();
      for (Node each : sequence.getValue()) {
        T value = elements.read(each);
        if (values.contains(value)) {
          throw new WrongValueException(each, Nodes.describe(each) + " stands there twice");
        }
        values.add(value);
      }
      return List.copyOf(values);
    }

    @Override
    public String print(List<T> values) {
      return values.stream().map(elements::print).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  private static final class HeadersType implements Type<Map<String, String>> {
    /** RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    @Override
    public String allowed() {
      return "a mapping of names to values such as {x-tenant: shop}";
    }

    @Override
    public Map<String, String> read(Node node) throws WrongValueException {
      if (!(node instanceof MappingNode mapping)) {
        throw new WrongValueException(node, "this is not " + allowed());
      }
      Map<String, String> headers = new LinkedHashMap<>();
      for (NodeTuple tuple : mapping.getValue()) {
        Node key = tuple.getKeyNode();
        if (!(key instanceof ScalarNode name) || !TOKEN.matcher(name.getValue()).matches()) {
          throw new WrongValueException(key, Nodes.describe(key) + " is not the name of a header");
        }
        if (!(tuple.getValueNode() instanceof ScalarNode value) || Nodes.isNothing(value)) {
          throw new WrongValueException(key, "the header " + name.getValue() + " has no value");
        }
        if (headers.put(name.getValue().toLowerCase(Locale.ROOT), value.getValue()) != null) {
          throw new WrongValueException(
              key, "the header " + name.getValue() + " stands there twice");
        }
      }
      return Map.copyOf(headers);
    }

    @Override
    public String print(Map<String, String> headers) {
      return headers.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .map(each -> each.getKey() + ": " + Scalars.printText(each.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
  }
}
