/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import java.util.Set;

/** The words of SQL that decide where operations and their targets stand; all in capitals. */
final class SqlWords {
  /** Statements whose first word is told, and nothing else of them. */
  static final Set<String> BARE =
      words(
          "ABORT BEGIN CHECKPOINT CLOSE COMMENT COMMIT DEALLOCATE DISCARD DO END FETCH FLUSH GRANT"
              + " HELP KILL LISTEN MOVE NOTIFY OPTIMIZE PURGE REASSIGN REFRESH REINDEX RELEASE"
              + " RENAME REPAIR RESET REVOKE ROLLBACK SAVEPOINT SET SHOW SHUTDOWN SIGNAL STOP"
              + " UNLISTEN UNLOCK VALUES XA");

  /** Statements before another one. */
  static final Set<String> BEFORE_OTHERS = words("DECLARE EXPLAIN PREPARE");

  /** Statements with a target behind their first word. */
  static final Set<String> WITH_TARGET =
      words(
          "ANALYZE CALL CHECK CLUSTER COPY DESC DESCRIBE EXEC EXECUTE HANDLER INSERT LOCK MERGE"
              + " REPLACE TABLE TRUNCATE UPDATE USE VACUUM");

  /** Statements whose second word is of their name, too. */
  static final Set<String> OF_TWO_WORDS = words("LOAD START");

  static final Set<String> DEFINITIONS = words("ALTER CREATE DROP");

  /** What may change tables in the midst of another statement. */
  static final Set<String> CHANGES = words("DELETE INSERT MERGE UPDATE");

  /** Operations with a clause FROM that names tables. */
  static final Set<String> WITH_FROM = words("DELETE SELECT UPDATE");

  /** Operations with a clause USING that names tables. */
  static final Set<String> WITH_USING = words("DELETE MERGE");

  /** Operations that may name several tables right away. */
  static final Set<String> OF_TABLES = words("ANALYZE DESC DESCRIBE LOCK TRUNCATE UPDATE");

  /** What may stand between an operation and its target. */
  static final Set<String> BETWEEN =
      words(
          "ANALYSE CONCURRENTLY CONCURRENT DELAYED EXISTS FREEZE FULL HIGH_PRIORITY IF IGNORE INTO"
              + " LATERAL LOCAL LOW_PRIORITY NOT NO_WRITE_TO_BINLOG ONLY OVERWRITE QUICK TABLE"
              + " TABLES VERBOSE");

  /** What is defined. */
  static final Set<String> OBJECTS =
      words(
          "AGGREGATE DATABASE DOMAIN EVENT EXTENSION FUNCTION INDEX POLICY PROCEDURE PUBLICATION"
              + " ROLE RULE SCHEMA SEQUENCE SERVER STATISTICS SUBSCRIPTION SYSTEM TABLE TABLESPACE"
              + " TRIGGER TYPE USER VIEW");

  /** What is defined by statements of its own, which are not of the query. */
  static final Set<String> WITH_BODY =
      words("AGGREGATE EVENT FUNCTION POLICY PROCEDURE RULE TRIGGER");

  /** Behind these, a list of tables is over. */
  static final Set<String> AFTER_TABLES =
      words(
          "EXCEPT FETCH FOR GROUP HAVING INTERSECT LIMIT OFFSET ORDER RETURNING SET UNION VALUES"
              + " WHERE WINDOW");

  private SqlWords() {}

  private static Set<String> words(String list) {
    return Set.of(list.split(" "));
  }

  /** Whether a statement may begin with it. */
  static boolean beginsStatement(String word) {
    return BARE.contains(word)
        || BEFORE_OTHERS.contains(word)
        || WITH_TARGET.contains(word)
        || OF_TWO_WORDS.contains(word)
        || DEFINITIONS.contains(word)
        || CHANGES.contains(word);
  }
}
