/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import ch.qos.logback.classic.BasicConfigurator;
import ch.qos.logback.classic.LoggerContext;
import java.util.logging.Level;
import org.apache.logging.log4j.LogManager;

/** A program that logs an error with an exception and one without, by the logger that is named. */
final class LoggingProgram {
  private static final String NAME = "org.example.shop.Orders";

  private LoggingProgram() {}

  public static void main(String[] arguments) {
    Exception failure = new IllegalStateException("no stock");
    switch (arguments[0]) {
      case "logback" -> {
        LoggerContext context = new LoggerContext();
        BasicConfigurator configurator = new BasicConfigurator();
        configurator.setContext(context);
        configurator.configure(context);
        context.getLogger(NAME).error("order failed", failure);
        context.getLogger(NAME).error("order lost");
      }
      case "log4j" -> {
        LogManager.getLogger(NAME).error("order failed", failure);
        LogManager.getLogger(NAME).error("order lost");
      }
      case "jul" -> {
        System.setErr(System.out);
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger(NAME);
        logger.log(Level.SEVERE, "order failed", failure);
        logger.severe("order lost");
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
