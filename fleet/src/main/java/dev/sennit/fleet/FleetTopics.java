/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** The topics that must be there before the topology runs. Those of its own it makes itself. */
final class FleetTopics {
  private static final long PATIENCE_SECONDS = 30;

  /** What is said to traces is read at once; this is for the time when nobody runs. */
  private static final String LETTERS_KEPT_MILLIS = "86400000";

  private FleetTopics() {}

  /** How many partitions a topic has. */
  static int partitions(FleetOptions options, String topic) throws IOException {
    Admin admin = connect(options);
    try {
      if (!names(admin, options).contains(topic)) {
        throw new IOException("there is no topic " + topic + " at " + options.bootstrap());
      }
      return partitions(admin, options, topic);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  /** Makes what is missing. */
  static void prepare(FleetOptions options, FleetSettings settings) throws IOException {
    Admin admin = connect(options);
    try {
      Set<String> there = names(admin, options);
      if (!there.contains(settings.in())) {
        throw new IOException("there is no topic " + settings.in() + " at " + options.bootstrap());
      }
      int partitions = partitions(admin, options, settings.in());
      List<NewTopic> missing = new ArrayList<>();
      for (String topic : List.of(settings.out(), settings.deadLetter())) {
        if (!there.contains(topic)) {
          missing.add(new NewTopic(topic, Optional.of(partitions), Optional.empty()));
        }
      }
      if (!there.contains(settings.letters())) {
        missing.add(
            new NewTopic(settings.letters(), Optional.of(settings.partitions()), Optional.empty())
                .configs(Map.of("retention.ms", LETTERS_KEPT_MILLIS)));
      }
      make(admin, options, missing);
      int letters = partitions(admin, options, settings.letters());
      if (letters != settings.partitions()) {
        throw new IOException(
            "partitions is "
                + settings.partitions()
                + ", but "
                + settings.application()
                + " began with "
                + letters
                + "; give that number, or another application-id");
      }
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  /** It is closed without waiting for answers, which may not come for a minute. */
  private static Admin connect(FleetOptions options) throws IOException {
    Reachability.check(options.bootstrap());
    return Admin.create(properties(options));
  }

  /** Another instance may be making them at the same time. */
  private static void make(Admin admin, FleetOptions options, List<NewTopic> missing)
      throws IOException {
    for (KafkaFuture<Void> made : admin.createTopics(missing).values().values()) {
      try {
        await(made, options);
      } catch (IOException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
  }

  private static Set<String> names(Admin admin, FleetOptions options) throws IOException {
    return await(admin.listTopics().names(), options);
  }

  private static int partitions(Admin admin, FleetOptions options, String topic)
      throws IOException {
    return await(admin.describeTopics(List.of(topic)).allTopicNames(), options)
        .values()
        .iterator()
        .next()
        .partitions()
        .size();
  }

  private static <T> T await(KafkaFuture<T> future, FleetOptions options) throws IOException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(options.bootstrap() + ": " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException(
          options.bootstrap() + " did not answer within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + options.bootstrap(), e);
    }
  }

  private static Properties properties(FleetOptions options) {
    Properties properties = new Properties();
    properties.putAll(options.kafka());
    properties.setProperty("bootstrap.servers", options.bootstrap());
    return properties;
  }
}
