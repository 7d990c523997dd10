/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A folder of the jar as a module. It is an automatic one: it reads every module that is there, be
 * it many or few, and uses every service; what {@code META-INF/services} names, it provides.
 */
final class CoreModule extends ModuleReference {
  private static final String FOLDER = "core/";
  private static final String CLASS = ".class";
  private static final String CLASS_DATA = ".classdata";
  private static final String SERVICES = "META-INF/services/";

  /** Open for good: classes are loaded from it as long as the JVM runs. */
  private final JarFile jar;

  private final URI location;

  private CoreModule(ModuleDescriptor descriptor, JarFile jar, URI location) {
    super(descriptor, location);
    this.jar = jar;
    this.location = location;
  }

  static ModuleFinder finder(String name, File file) throws IOException {
    JarFile jar = new JarFile(file, false);
    CoreModule module = new CoreModule(describe(name, jar), jar, file.toURI());
    return new ModuleFinder() {
      @Override
      public Optional<ModuleReference> find(String wanted) {
        return wanted.equals(name) ? Optional.of(module) : Optional.empty();
      }

      @Override
      public Set<ModuleReference> findAll() {
        return Set.of(module);
      }
    };
  }

  private static ModuleDescriptor describe(String name, JarFile jar) throws IOException {
    Set<String> packages = new HashSet<>();
    Map<String, List<String>> services = new HashMap<>();
    for (ZipEntry entry : Collections.list(jar.entries())) {
      String path = entry.getName();
      if (path.startsWith(FOLDER + SERVICES)) {
        services.put(
            path.substring((FOLDER + SERVICES).length()), providers(jar.getInputStream(entry)));
      } else if (path.startsWith(FOLDER) && path.endsWith(CLASS_DATA)) {
        packages.add(path.substring(FOLDER.length(), path.lastIndexOf('/')).replace('/', '.'));
      }
    }
    ModuleDescriptor.Builder builder = ModuleDescriptor.newAutomaticModule(name).packages(packages);
    // Packages of named modules have no version of their own; the module must have it.
    Manifest manifest = jar.getManifest();
    if (manifest != null) {
      String version = manifest.getMainAttributes().getValue(Name.IMPLEMENTATION_VERSION);
      if (version != null) {
        builder.version(version);
      }
    }
    // Loops and no lambdas here: the JVM would write a class for each, in every start.
    for (Map.Entry<String, List<String>> service : services.entrySet()) {
      List<String> providers = new ArrayList<>();
      for (String provider : service.getValue()) {
        // A library may name providers of packages that it does not bring.
        if (packages.contains(packageOf(provider))) {
          providers.add(provider);
        }
      }
      if (!providers.isEmpty()) {
        builder.provides(service.getKey(), providers);
      }
    }
    return builder.build();
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('.')));
  }

  private static List<String> providers(InputStream file) throws IOException {
    List<String> providers = new ArrayList<>();
    try (InputStream in = file) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\\R")) {
        String provider = line.replaceFirst("#.*", "").trim();
        if (!provider.isEmpty() && !providers.contains(provider)) {
          providers.add(provider);
        }
      }
    }
    return providers;
  }

  @Override
  public ModuleReader open() {
    return new Reader();
  }

  private final class Reader implements ModuleReader {
    @Override
    public Optional<URI> find(String name) {
      String path = path(name);
      return jar.getEntry(path) == null
          ? Optional.empty()
          : Optional.of(URI.create("jar:" + location + "!/" + path));
    }

    @Override
    public Optional<InputStream> open(String name) throws IOException {
      ZipEntry entry = jar.getEntry(path(name));
      return entry == null ? Optional.empty() : Optional.of(jar.getInputStream(entry));
    }

    @Override
    public Stream<String> list() {
      return jar.stream()
          .map(ZipEntry::getName)
          .filter(path -> path.startsWith(FOLDER) && !path.endsWith("/"))
          .map(path -> path.substring(FOLDER.length()))
          .map(
              path ->
                  path.endsWith(CLASS_DATA)
                      ? path.substring(0, path.length() - CLASS_DATA.length()) + CLASS
                      : path);
    }

    @Override
    public void close() {}

    private String path(String name) {
      return FOLDER + (name.endsWith(CLASS) ? name + "data" : name);
    }
  }
}
