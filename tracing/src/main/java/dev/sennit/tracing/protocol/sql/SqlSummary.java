/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The summary of a query as the conventions for {@code db.query.summary} want it: operations and
 * targets as they were written, in their order. This is no parser of SQL: it knows the words that
 * stand before a table, keeps account of brackets, and leaves out what it is not sure of.
 */
final class SqlSummary {
  private static final int LONGEST = 255;
  private static final int DEEPEST = 64;
  private static final int MOST_NAMES = 64;

  /** What is going on between two brackets. */
  private static final class Level {
    /** The operation, or what is defined, in capitals; empty in an expression. */
    String operation = "";

    /** The next name is a target. */
    boolean wantsTarget;

    /** A comma brings the next target. */
    boolean inTables;
  }

  private final SqlLexer lexer;
  private final int cutAt;
  private final StringBuilder text = new StringBuilder();
  private final Level[] levels = new Level[DEEPEST];

  /** Common table expressions, which are no tables, and the depth at which they are named. */
  private final Set<String> ownNames = new HashSet<>();

  private int withDepth = -1;
  private int depth;
  private boolean atStart = true;
  private boolean over;

  /** The word before, in capitals, or the symbol. */
  private String previous = "";

  private @Nullable String operation;
  private @Nullable String collection;
  private @Nullable String procedure;
  private boolean severalOperations;
  private boolean severalCollections;

  private SqlSummary(String query, SqlDialect dialect, boolean cut) {
    lexer = new SqlLexer(query, dialect);
    cutAt = cut ? query.length() : Integer.MAX_VALUE;
    levels[0] = new Level();
  }

  static SqlSummary of(String query, SqlDialect dialect, boolean cut) {
    SqlSummary summary = new SqlSummary(query, dialect, cut);
    summary.run();
    return summary;
  }

  @Nullable String text() {
    return text.isEmpty() ? null : text.toString();
  }

  @Nullable String operation() {
    return severalOperations ? null : operation;
  }

  @Nullable String collection() {
    return severalCollections ? null : collection;
  }

  @Nullable String procedure() {
    return procedure;
  }

  private void run() {
    SqlLexer.Kind kind = significant();
    while (kind != SqlLexer.Kind.END && !over) {
      kind =
          switch (kind) {
            case WORD -> word();
            case QUOTED -> name(lexer.token(), "");
            case SYMBOL -> symbol();
            default -> {
              level().wantsTarget = false;
              yield pass("");
            }
          };
    }
  }

  /** The next token that means something; one that may go on behind the cut means nothing. */
  private SqlLexer.Kind significant() {
    SqlLexer.Kind kind;
    do {
      kind = lexer.next();
    } while (kind == SqlLexer.Kind.SPACE);
    return lexer.end() >= cutAt ? SqlLexer.Kind.END : kind;
  }

  private SqlLexer.Kind pass(String token) {
    previous = token;
    return significant();
  }

  private Level level() {
    return levels[Math.min(depth, DEEPEST - 1)];
  }

  private SqlLexer.Kind symbol() {
    Level level = level();
    if (lexer.is('(')) {
      Level inner = new Level();
      inner.wantsTarget = level.wantsTarget && level.inTables;
      inner.inTables = inner.wantsTarget;
      level.wantsTarget = false;
      depth++;
      if (depth < DEEPEST) {
        levels[depth] = inner;
      }
    } else if (lexer.is(')')) {
      depth = Math.max(0, depth - 1);
    } else if (lexer.is(';')) {
      depth = 0;
      levels[0] = new Level();
      atStart = true;
      withDepth = -1;
    } else {
      level.wantsTarget = lexer.is(',') && level.inTables;
    }
    return pass(lexer.token());
  }

  private SqlLexer.Kind word() {
    String written = lexer.token();
    String word = written.toUpperCase(Locale.ROOT);
    if (previous.equals(".")) {
      return pass("");
    }
    if (word.equals("WITH") && (atStart || previous.equals("("))) {
      withDepth = depth;
      atStart = false;
      return pass(word);
    }
    if (isOperation(word)) {
      return operation(written, word);
    }
    atStart = false;
    Level level = level();
    if (word.equals("FROM")) {
      level.wantsTarget =
          SqlWords.WITH_FROM.contains(level.operation) && !previous.equals("DISTINCT");
      level.inTables |= level.wantsTarget;
    } else if (word.equals("JOIN") || word.equals("STRAIGHT_JOIN")) {
      level.wantsTarget = level.inTables;
    } else if (word.equals("USING") && SqlWords.WITH_USING.contains(level.operation)) {
      level.wantsTarget = true;
      level.inTables = true;
    } else if (word.equals("INTO") && level.operation.equals("LOAD")) {
      level.wantsTarget = true;
    } else if (SqlWords.AFTER_TABLES.contains(word)) {
      level.wantsTarget = false;
      level.inTables = false;
    } else if (!level.wantsTarget || !SqlWords.BETWEEN.contains(word)) {
      return name(written, word);
    }
    return pass(word);
  }

  private SqlLexer.Kind name(String written, String word) {
    if (level().wantsTarget) {
      return target();
    }
    if (depth == withDepth && ownNames.size() < MOST_NAMES) {
      ownNames.add(written.toLowerCase(Locale.ROOT));
    }
    return pass(word);
  }

  private boolean isOperation(String word) {
    boolean inside =
        previous.equals("(")
            || (depth == withDepth && previous.equals(")"))
            || (previous.equals("AS") && level().operation.equals("PREPARE"));
    return word.equals("SELECT")
        || (atStart && SqlWords.beginsStatement(word))
        || (inside && SqlWords.CHANGES.contains(word));
  }

  private SqlLexer.Kind operation(String written, String word) {
    Level level = level();
    atStart = false;
    if (depth == withDepth) {
      withDepth = -1;
    }
    level.operation = word;
    level.inTables = SqlWords.OF_TABLES.contains(word);
    level.wantsTarget = SqlWords.WITH_TARGET.contains(word);
    if (SqlWords.DEFINITIONS.contains(word)) {
      return definition(written, word);
    }
    if (SqlWords.OF_TWO_WORDS.contains(word)) {
      SqlLexer.Kind second = significant();
      tellOperation(second == SqlLexer.Kind.WORD ? written + " " + lexer.token() : written);
      return second == SqlLexer.Kind.WORD ? pass(word) : second;
    }
    tellOperation(written);
    return word.equals("EXPLAIN") ? explained() : pass(word);
  }

  /** Passes over the options of EXPLAIN; what follows is a statement of its own. */
  private SqlLexer.Kind explained() {
    SqlLexer.Kind kind = significant();
    if (kind == SqlLexer.Kind.SYMBOL && lexer.is('(')) {
      while (kind != SqlLexer.Kind.END && !lexer.is(')')) {
        kind = significant();
      }
      kind = significant();
    }
    while (kind == SqlLexer.Kind.WORD
        && (lexer.token().equalsIgnoreCase("ANALYZE")
            || lexer.token().equalsIgnoreCase("VERBOSE"))) {
      kind = significant();
    }
    atStart = true;
    return kind;
  }

  /** CREATE, ALTER and DROP with the kind of what they are about, and its name. */
  private SqlLexer.Kind definition(String written, String word) {
    Level level = level();
    SqlLexer.Kind kind = significant();
    while (kind != SqlLexer.Kind.END && !lexer.is(';') && !lexer.is('(')) {
      String object = kind == SqlLexer.Kind.WORD ? lexer.token().toUpperCase(Locale.ROOT) : "";
      if (SqlWords.OBJECTS.contains(object)) {
        tellOperation(written + " " + lexer.token());
        level.operation = object;
        return defined(object, word.equals("DROP"));
      }
      kind = significant();
    }
    tellOperation(written);
    return kind;
  }

  private SqlLexer.Kind defined(String object, boolean several) {
    SqlLexer.Kind kind = pass(object);
    while (kind == SqlLexer.Kind.WORD
        && SqlWords.BETWEEN.contains(lexer.token().toUpperCase(Locale.ROOT))) {
      kind = significant();
    }
    // An index may have no name, and who may log in is nobody's business.
    boolean named =
        kind == SqlLexer.Kind.QUOTED
            || (kind == SqlLexer.Kind.WORD && !lexer.token().equalsIgnoreCase("ON"));
    if (named && !object.equals("USER") && !object.equals("ROLE")) {
      kind = target();
      level().inTables = several;
    }
    over |= SqlWords.WITH_BODY.contains(object);
    return kind;
  }

  /** Takes a name, which may have several parts, for a target. */
  private SqlLexer.Kind target() {
    Level level = level();
    level.wantsTarget = false;
    StringBuilder name = new StringBuilder(lexer.token());
    SqlLexer.Kind kind = pass("");
    while (kind == SqlLexer.Kind.SYMBOL && lexer.is('.')) {
      kind = significant();
      if (kind != SqlLexer.Kind.WORD && kind != SqlLexer.Kind.QUOTED) {
        return kind;
      }
      name.append('.').append(lexer.token());
      kind = significant();
    }
    boolean function = kind == SqlLexer.Kind.SYMBOL && lexer.is('(') && level.inTables;
    if (!function && !ownNames.contains(name.toString().toLowerCase(Locale.ROOT))) {
      tellTarget(level.operation, name.toString());
    }
    return kind;
  }

  private void tellTarget(String by, String name) {
    boolean table = !SqlWords.OBJECTS.contains(by) || by.equals("TABLE") || by.equals("VIEW");
    if (by.equals("CALL") || by.equals("EXEC")) {
      procedure = name;
    } else if (table && !by.equals("EXECUTE") && !by.equals("USE")) {
      severalCollections |= collection != null && !collection.equals(name);
      collection = name;
    }
    append(name);
  }

  private void tellOperation(String name) {
    severalOperations |= operation != null && !operation.equalsIgnoreCase(name);
    operation = operation == null ? name : operation;
    append(name);
  }

  private void append(String part) {
    if (text.length() + part.length() + 1 > LONGEST) {
      over = true;
      return;
    }
    if (!text.isEmpty()) {
      text.append(' ');
    }
    text.append(part);
  }
}
