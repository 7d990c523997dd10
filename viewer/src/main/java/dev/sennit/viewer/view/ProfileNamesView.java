/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ProfileFilter;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.function.BiFunction;

/** Names by which samples can be chosen, those with the most samples first. */
final class ProfileNamesView implements View {
  private static final int USUAL = 200;
  private static final int MOST = 2000;

  private final String path;
  private final ProfileQuestion question;
  private final BiFunction<ProfileFilter, Integer, Page<String>> names;

  ProfileNamesView(
      String path,
      ProfileQuestion question,
      BiFunction<ProfileFilter, Integer, Page<String>> names) {
    this.path = path;
    this.question = question;
    this.names = names;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    Page<String> page = names.apply(question.filter(query), limit);
    out.writeStartObject();
    out.writeArrayFieldStart("names");
    for (String name : page.items()) {
      out.writeString(name);
    }
    out.writeEndArray();
    out.writeBooleanField("more", page.more());
    out.writeEndObject();
  }
}
