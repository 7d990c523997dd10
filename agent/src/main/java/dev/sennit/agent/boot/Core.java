/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rest of the agent: one named module with one class loader, whose parent is the platform's, so
 * that nothing in it meets the application's classes. Its classes are called by name, for this side
 * cannot see them.
 */
final class Core {
  private static final String MODULE = "dev.sennit.agent";

  private final ClassLoader loader;

  private Core(ClassLoader loader) {
    this.loader = loader;
  }

  static Core open(File jar, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    ModuleFinder finder = CoreModule.finder(MODULE, jar);
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(MODULE));
    ModuleLayer layer =
        ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(boot), ClassLoader.getPlatformClassLoader())
            .layer();
    Core core = new Core(layer.findLoader(MODULE));
    core.call(
        "dev.sennit.agent.jdk.NativeAccess",
        "enable",
        new Class<?>[] {Instrumentation.class},
        instrumentation);
    return core;
  }

  void start(Instrumentation instrumentation, @Nullable String options, boolean late)
      throws ReflectiveOperationException {
    call(
        "dev.sennit.agent.AgentEntry",
        "start",
        new Class<?>[] {Instrumentation.class, String.class, boolean.class},
        instrumentation,
        options,
        late);
  }

  private void call(String type, String name, Class<?>[] parameters, @Nullable Object... arguments)
      throws ReflectiveOperationException {
    Method method = Class.forName(type, true, loader).getMethod(name, parameters);
    try {
      method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(type + "." + name + ": " + e.getCause(), e);
    }
  }
}
