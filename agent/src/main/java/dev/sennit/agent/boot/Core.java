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
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rest of the agent: one named module with one class loader, whose parent is the platform's, so
 * that nothing in it meets the application's classes. This side cannot see them, and holds one
 * object of a JDK type.
 */
final class Core {
  private static final String MODULE = "dev.sennit.agent";

  private static final String HANDOVER = "dev.sennit.agent.jdk.Handover";

  private final Consumer<@Nullable Object[]> handover;

  private Core(Consumer<@Nullable Object[]> handover) {
    this.handover = handover;
  }

  @SuppressWarnings("unchecked") // the class is the agent's own
  static Core open(File jar) throws IOException, ReflectiveOperationException {
    ModuleFinder finder = CoreModule.finder(MODULE, jar);
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(MODULE));
    ModuleLayer layer =
        ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(boot), ClassLoader.getPlatformClassLoader())
            .layer();
    Consumer<?> handover =
        Class.forName(HANDOVER, true, layer.findLoader(MODULE))
            .asSubclass(Consumer.class)
            .getDeclaredConstructor()
            .newInstance();
    return new Core((Consumer<@Nullable Object[]>) handover);
  }

  void start(Instrumentation instrumentation, @Nullable String options, boolean late) {
    handover.accept(new @Nullable Object[] {instrumentation, options, late});
  }
}
