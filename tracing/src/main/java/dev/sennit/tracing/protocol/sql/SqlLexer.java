/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

/**
 * Splits SQL into tokens, from the first character to the last. A literal or a quoted name that
 * does not end is a literal to the end of the text.
 */
final class SqlLexer {
  /** What a token is. */
  enum Kind {
    /** White space, or a comment. */
    SPACE,
    /** A keyword or a name. */
    WORD,
    /** A name in quotes. */
    QUOTED,
    /** A string or a number. */
    LITERAL,
    /** {@code ?} or {@code $1}. */
    PARAMETER,
    /** Any other character. */
    SYMBOL,
    END
  }

  /** No database allows longer names; what is longer is something else. */
  private static final int LONGEST_NAME = 256;

  private final String text;
  private final SqlDialect dialect;
  private Kind kind = Kind.SPACE;
  private int start;
  private int end;
  private boolean afterValue;
  private int executable;

  SqlLexer(String text, SqlDialect dialect) {
    this.text = text;
    this.dialect = dialect;
  }

  Kind next() {
    start = end;
    kind = start == text.length() ? Kind.END : scan();
    if (kind != Kind.SPACE) {
      afterValue =
          switch (kind) {
            case WORD, QUOTED, LITERAL, PARAMETER -> true;
            default -> is(')') || is(']');
          };
    }
    return kind;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** The token as it was written. */
  String token() {
    return text.substring(start, end);
  }

  /** Whether the token is this symbol. */
  boolean is(char symbol) {
    return kind == Kind.SYMBOL && text.charAt(start) == symbol;
  }

  private Kind scan() {
    char c = text.charAt(start);
    end = start + 1;
    if (Character.isWhitespace(c)) {
      while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
        end++;
      }
      return Kind.SPACE;
    }
    if (beginsComment(c)) {
      return Kind.SPACE;
    }
    if (isDigit(c) || (!afterValue && beginsNumber(c))) {
      return number();
    }
    if (isWordStart(c)) {
      return word();
    }
    return switch (c) {
      case '\'' -> string('\'', dialect.hasBackslashes());
      case '"' -> dialect.isPostgres() ? quoted('"') : string('"', dialect.hasBackslashes());
      case '`' -> dialect.isPostgres() ? Kind.SYMBOL : quoted('`');
      case '$' -> dialect.isPostgres() ? dollar() : Kind.SYMBOL;
      case '?' -> Kind.PARAMETER;
      default -> Kind.SYMBOL;
    };
  }

  private boolean beginsComment(char c) {
    if (c == '#' && !dialect.isPostgres()) {
      end = endOfLine();
      return true;
    }
    if (c == '-' && at(start + 1) == '-') {
      // In MySQL a space must follow, because 5--3 is a sum.
      if (dialect.isPostgres() || at(start + 2) <= ' ') {
        end = endOfLine();
        return true;
      }
      return false;
    }
    if (c == '*' && executable > 0 && at(start + 1) == '/') {
      executable--;
      end = start + 2;
      return true;
    }
    if (c != '/' || at(start + 1) != '*') {
      return false;
    }
    int behind = start + 2;
    if (!dialect.isPostgres() && (text.startsWith("!", behind) || text.startsWith("M!", behind))) {
      // MySQL runs what is in /*! … */, after the version in it.
      executable++;
      end = text.indexOf('!', behind) + 1;
      while (isDigit(at(end))) {
        end++;
      }
      return true;
    }
    end = dialect.isPostgres() ? endOfNested(behind) : endOfComment(behind);
    return true;
  }

  private int endOfLine() {
    int line = text.indexOf('\n', start);
    return line < 0 ? text.length() : line;
  }

  private int endOfComment(int from) {
    int close = text.indexOf("*/", from);
    return close < 0 ? text.length() : close + 2;
  }

  private int endOfNested(int from) {
    int depth = 1;
    int i = from;
    while (i < text.length()) {
      if (at(i) == '*' && at(i + 1) == '/') {
        i += 2;
        depth--;
        if (depth == 0) {
          return i;
        }
      } else if (at(i) == '/' && at(i + 1) == '*') {
        i += 2;
        depth++;
      } else {
        i++;
      }
    }
    return i;
  }

  /** A sign is of the number where nothing is before it from which it could be subtracted. */
  private boolean beginsNumber(char c) {
    char second = at(start + 1);
    boolean signed = c == '-' || c == '+';
    return (c == '.' && isDigit(second))
        || (signed && isDigit(second))
        || (signed && second == '.' && isDigit(at(start + 2)));
  }

  private Kind number() {
    boolean hex = at(start) == '0' && (at(start + 1) | 0x20) == 'x';
    while (end < text.length()) {
      char c = text.charAt(end);
      boolean exponentSign =
          (c == '-' || c == '+') && !hex && (text.charAt(end - 1) | 0x20) == 'e' && end > start + 1;
      if (!isWordPart(c) && c != '.' && !exponentSign) {
        break;
      }
      end++;
    }
    return Kind.LITERAL;
  }

  private Kind word() {
    while (end < text.length() && isWordPart(text.charAt(end))) {
      end++;
    }
    int length = end - start;
    char first = (char) (text.charAt(start) | 0x20);
    if (length == 1 && at(end) == '\'' && "ebxn".indexOf(first) >= 0) {
      end++;
      return string('\'', first == 'e' || dialect.hasBackslashes());
    }
    if (length == 1 && first == 'u' && at(end) == '&' && at(end + 1) == '\'') {
      end += 2;
      return string('\'', dialect.hasBackslashes());
    }
    return length > LONGEST_NAME ? Kind.LITERAL : Kind.WORD;
  }

  private Kind string(char quote, boolean backslashes) {
    end = endOfQuoted(quote, backslashes);
    return Kind.LITERAL;
  }

  private Kind quoted(char quote) {
    int from = end;
    end = endOfQuoted(quote, false);
    boolean closed = end - 1 >= from && text.charAt(end - 1) == quote;
    return closed && end - start <= LONGEST_NAME ? Kind.QUOTED : Kind.LITERAL;
  }

  /** Behind the closing quote; a doubled one is a character. */
  private int endOfQuoted(char quote, boolean backslashes) {
    int i = end;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\' && backslashes) {
        i += 2;
      } else if (c != quote) {
        i++;
      } else if (at(i + 1) == quote) {
        i += 2;
      } else {
        return i + 1;
      }
    }
    return text.length();
  }

  /** {@code $1}, or a string between {@code $tag$}s. */
  private Kind dollar() {
    if (isDigit(at(end))) {
      while (isDigit(at(end))) {
        end++;
      }
      return Kind.PARAMETER;
    }
    int close = end;
    while (close < text.length() && isWordPart(text.charAt(close)) && text.charAt(close) != '$') {
      close++;
    }
    if (at(close) != '$') {
      return Kind.SYMBOL;
    }
    if (close - start > LONGEST_NAME) {
      end = text.length();
      return Kind.LITERAL;
    }
    String tag = text.substring(start, close + 1);
    int last = text.indexOf(tag, close + 1);
    end = last < 0 ? text.length() : last + tag.length();
    return Kind.LITERAL;
  }

  /** A character, or 0 behind the end. */
  private char at(int index) {
    return index < text.length() ? text.charAt(index) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
  }

  private static boolean isWordPart(char c) {
    return isWordStart(c) || isDigit(c) || c == '$';
  }
}
