/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import java.util.logging.Level;
import org.slf4j.LoggerFactory;

/** A program that logs an error with an exception and one without, by the logger that is named. */
final class LoggingProgram {
  private static final String NAME = "org.example.shop.Orders";

  private LoggingProgram() {}

  public static void main(String[] arguments) throws ReflectiveOperationException {
    Exception failure = new IllegalStateException("no stock");
    switch (arguments[0]) {
      case "logback" -> {
        LoggerFactory.getLogger(NAME).error("order failed", failure);
        LoggerFactory.getLogger(NAME).error("order lost");
      }
      case "log4j" -> {
        // By reflection: the compiler warns of annotations in its classes that it does not ship.
        String root = "org.apache.logging.log4j.";
        Object logger =
            Class.forName(root + "LogManager")
                .getMethod("getLogger", String.class)
                .invoke(null, NAME);
        Class<?> type = Class.forName(root + "Logger");
        type.getMethod("error", String.class, Throwable.class)
            .invoke(logger, "order failed", failure);
        type.getMethod("error", String.class).invoke(logger, "order lost");
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
