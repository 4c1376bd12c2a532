/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study's database: prepared statements with checked steps. */
#pragma once

#include "study.h"

#include <sqlite3.h>

typedef sqlite3_stmt Statement;

struct _CulpritStudy
{
  char *path;
  char *uri; /* by which SQLite opened it */
  sqlite3 *database;
  Statement *parts; /* of culprit_query_parts(), which is asked for one capture after the other; NULL until then */
};

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Statement, sqlite3_finalize)

/* Says in @error what SQLite says of @study. Returns FALSE. */
gboolean study_failed (const CulpritStudy *study, GError **error);

/* The text of study/sql/@name.sql, in which {where} stands for @where (NULL: for all) and any other {part} for what is
 * in study/sql/parts. The caller owns it. */
char *sql_text (const char *name, const char *where);

/* Prepares @sql, which is short; or what is in study/sql/@name.sql. */
Statement *statement_new (CulpritStudy *study, const char *sql, GError **error);
Statement *statement_named (CulpritStudy *study, const char *name, GError **error);

/* Binds values in their order; @types has a letter for each: i gint64, u guint64, r double, t const char * (NULL:
 * null), b const GByteArray *. */
void statement_bind (Statement *statement, const char *types, ...);

/* Binds values to parameters by name; @parameters tells each, its type as above first: "t:run i:counted". */
void statement_bind_named (Statement *statement, const char *parameters, ...);

/* Goes to the next row. @row: whether there is one. */
gboolean statement_step (CulpritStudy *study, Statement *statement, gboolean *row, GError **error);

/* Runs a statement that gives no rows, and makes it ready for the next. */
gboolean statement_run (CulpritStudy *study, Statement *statement, GError **error);

/* Runs @sql once with values as of statement_bind(). @id: the number of the row that it added, may be NULL. */
gboolean study_run (CulpritStudy *study, gint64 *id, GError **error, const char *sql, const char *types, ...);

/* Runs @sql, which may be several statements. */
gboolean study_execute (CulpritStudy *study, const char *sql, GError **error);

/* Runs the statements of study/sql/@name.sql. */
gboolean study_execute_named (CulpritStudy *study, const char *name, GError **error);

/* Runs study/sql/@name.sql once, with values as of statement_bind_named(). */
gboolean study_change (CulpritStudy *study, GError **error, const char *name, const char *parameters, ...);

/* The first column of the first row of @sql; 0 if there is none. */
gboolean study_number (CulpritStudy *study, const char *sql, gint64 *number, GError **error);

/* What is between belongs together: it is in the study wholly or not at all. */
gboolean study_begin (CulpritStudy *study, GError **error);
gboolean study_commit (CulpritStudy *study, GError **error);
void study_roll_back (CulpritStudy *study);

static inline const char *
statement_text (Statement *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text ? text : "";
}
