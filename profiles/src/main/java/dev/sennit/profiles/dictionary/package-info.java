/**
 * The tables of an OTLP profiles dictionary: each entry stands once and has an index, and index 0
 * is the zero value. Flat arrays and open addressing, no object per entry; nothing here is safe for
 * use by several threads, and nothing knows where the entries come from.
 */
@NullMarked
package dev.sennit.profiles.dictionary;

import org.jspecify.annotations.NullMarked;
