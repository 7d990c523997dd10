/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the file says, and for all that it does not say, the defaults. Does not change. */
public final class Configuration {
  private record Setting(Object value, String place) {}

  private final String file;
  private final Map<Key<?>, Setting> settings;

  private Configuration(String file, Map<Key<?>, Setting> settings) {
    this.file = file;
    this.settings = settings;
  }

  /** The defaults alone. */
  public static Configuration defaults() {
    return new Configuration("no configuration file", Map.of());
  }

  /** Begins one that was read from a file. */
  static Builder of(String file) {
    return new Builder(file);
  }

  /** The value of a key, or its default. */
  public <T> T get(Key<T> key) {
    T value = find(key).orElse(key.standard());
    if (value == null) {
      throw new IllegalStateException(key + " has no default");
    }
    return value;
  }

  /** The value of a key if it was set. */
  @SuppressWarnings("unchecked") // The reader puts under a key what the key's own type has made.
  public <T> Optional<T> find(Key<T> key) {
    Setting setting = settings.get(key);
    return setting == null ? Optional.empty() : Optional.of((T) setting.value);
  }

  public boolean isSet(Key<?> key) {
    return settings.containsKey(key);
  }

  /** Where the value of a key stands, for messages. */
  public String place(Key<?> key) {
    Setting setting = settings.get(key);
    return setting == null ? file + ": " + key.path() : setting.place;
  }

  /** The file it was read from. */
  public String file() {
    return file;
  }

  /**
   * The same, but for one value, which wins.
   *
   * @param place who says so, such as an option of the command line
   */
  public <T> Configuration with(Key<T> key, T value, String place) {
    Map<Key<?>, Setting> changed = new HashMap<>(settings);
    changed.put(key, new Setting(value, place));
    return new Configuration(file, changed);
  }

  /** Takes values while a file is read. */
  static final class Builder {
    private final String file;
    private final Map<Key<?>, Setting> settings = new HashMap<>();

    private Builder(String file) {
      this.file = file;
    }

    void put(Key<?> key, Object value, int line) {
      settings.put(key, new Setting(value, file + ":" + line + ": " + key.path()));
    }

    Configuration build() {
      return new Configuration(file, Map.copyOf(settings));
    }
  }

  /** Whether both have the same values, wherever they stand. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Configuration that
        && Keys.all().stream().allMatch(key -> value(key).equals(that.value(key)));
  }

  @Override
  public int hashCode() {
    return Keys.all().stream().map(this::value).toList().hashCode();
  }

  private Optional<?> value(Key<?> key) {
    Optional<?> found = find(key);
    return found.isPresent() ? found : Optional.ofNullable(key.standard());
  }

  /** Without values, which may be secrets. */
  @Override
  public String toString() {
    return file;
  }
}
