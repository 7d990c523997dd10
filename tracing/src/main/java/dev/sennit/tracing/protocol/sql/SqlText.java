/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import org.jspecify.annotations.Nullable;

/**
 * SQL without its literals and comments, as {@code db.query.text} has it. Lists behind {@code IN}
 * become one element, and rows of {@code VALUES} that look alike one row, so that the number of
 * parameters makes no other text.
 */
final class SqlText {
  private final SqlLexer lexer;
  private final StringBuilder out;

  /** Where the list behind IN begins, as long as nothing but values is in it; or -1. */
  private int list = -1;

  private boolean afterIn;

  /** Rows of VALUES: where the row begins, or -1; how deep in it; where the last one ended. */
  private int row = -1;

  private int rowDepth;
  private int lastRowEnd;
  private @Nullable String lastRow;
  private boolean inValues;

  private SqlText(String text, SqlDialect dialect) {
    lexer = new SqlLexer(text, dialect);
    out = new StringBuilder(Math.min(text.length(), 256));
  }

  static String sanitise(String text, SqlDialect dialect) {
    return new SqlText(text, dialect).run();
  }

  private String run() {
    boolean space = false;
    for (SqlLexer.Kind kind = lexer.next(); kind != SqlLexer.Kind.END; kind = lexer.next()) {
      if (kind == SqlLexer.Kind.SPACE) {
        space = true;
        continue;
      }
      if (space && !out.isEmpty()) {
        out.append(' ');
      }
      space = false;
      int at = out.length();
      if (kind == SqlLexer.Kind.LITERAL) {
        out.append('?');
      } else {
        out.append(lexer.token());
      }
      collapseList(kind);
      collapseRows(kind, at);
    }
    return out.toString();
  }

  private void collapseList(SqlLexer.Kind kind) {
    if (lexer.is('(') && afterIn) {
      list = out.length();
    } else if (lexer.is(')') && list >= 0 && out.length() > list + 1) {
      out.setLength(list);
      out.append("?)");
      list = -1;
    } else if (kind != SqlLexer.Kind.LITERAL && kind != SqlLexer.Kind.PARAMETER && !lexer.is(',')) {
      list = -1;
    }
    afterIn = kind == SqlLexer.Kind.WORD && lexer.token().equalsIgnoreCase("IN");
  }

  private void collapseRows(SqlLexer.Kind kind, int at) {
    if (row >= 0) {
      if (lexer.is('(')) {
        rowDepth++;
      } else if (lexer.is(')')) {
        rowDepth--;
        if (rowDepth == 0) {
          endRow();
        }
      }
    } else if (inValues && lexer.is('(')) {
      row = at;
      rowDepth = 1;
    } else if (!inValues || !lexer.is(',')) {
      inValues = kind == SqlLexer.Kind.WORD && isValues(lexer.token());
      lastRow = null;
    }
  }

  private void endRow() {
    String text = out.substring(row);
    row = -1;
    if (text.equals(lastRow)) {
      out.setLength(lastRowEnd);
    } else {
      lastRow = text;
      lastRowEnd = out.length();
    }
  }

  private static boolean isValues(String word) {
    return word.equalsIgnoreCase("VALUES") || word.equalsIgnoreCase("VALUE");
  }
}
