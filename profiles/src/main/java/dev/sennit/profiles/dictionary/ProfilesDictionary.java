/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

/**
 * One of each table: what all profiles of a request share. Attribute sets stand beside them, as
 * locations, mappings and samples name their attributes by set. Not safe for use by several
 * threads.
 */
public final class ProfilesDictionary {
  private final StringTable strings = new StringTable();
  private final FunctionTable functions = new FunctionTable();
  private final MappingTable mappings = new MappingTable();
  private final LocationTable locations = new LocationTable();
  private final StackTable stacks = new StackTable();
  private final LinkTable links = new LinkTable();
  private final AttributeTable attributes = new AttributeTable();
  private final AttributeSets attributeSets = new AttributeSets();

  public StringTable strings() {
    return strings;
  }

  public FunctionTable functions() {
    return functions;
  }

  public MappingTable mappings() {
    return mappings;
  }

  public LocationTable locations() {
    return locations;
  }

  public StackTable stacks() {
    return stacks;
  }

  public LinkTable links() {
    return links;
  }

  public AttributeTable attributes() {
    return attributes;
  }

  public AttributeSets attributeSets() {
    return attributeSets;
  }

  /** Empties every table but for its entry 0; arrays are kept for the next use. */
  public void reset() {
    strings.reset();
    functions.reset();
    mappings.reset();
    locations.reset();
    stacks.reset();
    links.reset();
    attributes.reset();
    attributeSets.reset();
  }
}
