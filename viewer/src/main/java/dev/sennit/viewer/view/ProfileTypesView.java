/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.SampleType;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** What was sampled, and how much of it. */
final class ProfileTypesView implements View {
  private final ProfileQueries profiles;
  private final ProfileQuestion question;

  ProfileTypesView(ProfileQueries profiles, ProfileQuestion question) {
    this.profiles = profiles;
    this.question = question;
  }

  @Override
  public String path() {
    return "profile-types";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    out.writeStartObject();
    out.writeArrayFieldStart("types");
    for (SampleType type : profiles.types(question.filter(query).type(null))) {
      out.writeStartObject();
      out.writeStringField("type", type.type());
      out.writeStringField("unit", type.unit());
      out.writeNumberField("samples", type.samples());
      out.writeNumberField("total", type.total());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
