/**
 * What the parts of the converter cost by themselves: interning into the tables of a dictionary,
 * turning stacks into entries, encoding protobuf. The peer of a table is the map that one would use
 * in its place, in the same run.
 */
@NullMarked
package dev.sennit.bench.profiles;

import org.jspecify.annotations.NullMarked;
