/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study's database: prepared statements with checked steps. */
#pragma once

#include "query.h"

#include <sqlite3.h>

typedef sqlite3_stmt Statement;

struct _CulpritStudy
{
  char *path;
  char *uri;      /* by which SQLite opened it */
  gboolean as_is; /* Its folder is not writable: what is beside it was not looked at. */
  gboolean reads; /* It was opened to be read. */
  gboolean own;   /* What runs is the user's own query: its faults are no damage of the study. */
  sqlite3 *database;
  char *name; /* in the folder, where the file that was opened was then; NULL: it is only read */
  int folder;
  dev_t device;
  ino_t inode;
  gint64 rests_until_us; /* before it is settled again */
  gboolean familiar;     /* Its schema calls nothing unknown. */
  gint64 steps;          /* of SQLite's, about */
  gint64 check_at_us;    /* Its file is checked if a query runs then. */
  char *fault;           /* of its file; NULL: not known */
  Statement *parts;      /* of culprit_query_parts(), which is called for one capture after another; NULL until then */
  GHashTable *products;  /* of the last culprit_query_functions() */
};

/* Keeps @statement for whoever prepares the same text of the same study next, as that takes longer than to run most of
 * them. Before a study's database is closed, statements_end() frees what is kept. */
void statement_free (Statement *statement);
void statements_end (CulpritStudy *study);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Statement, statement_free)

/* Ends each query of @study if its file is damaged such that the query might run for ever. */
void study_watch (CulpritStudy *study);

/* Checks the file at once, before something that cannot be ended: 17 s for 1 GB. FALSE with an error: it is damaged. */
gboolean study_check_pages (CulpritStudy *study, GError **error);

#define BUSY_MS 60000 /* to wait for other programs */

/* How long the study is by its own account, in bytes. */
gboolean study_claimed_bytes (CulpritStudy *study, gint64 *bytes, GError **error);

/* Whether it is as long as that: a log may claim any number of pages, and what is written then never reaches the study.
 * FALSE with an error. */
gboolean study_check_size (CulpritStudy *study, GError **error);

/* Sets @error from SQLite's error for @study. Returns FALSE. */
gboolean study_failed (const CulpritStudy *study, GError **error);

/* Whether @name may be stored as that of a run or a host: long ones could not be read again. FALSE with an error. */
gboolean study_check_name (const CulpritStudy *study, const char *name, GError **error);

/* Whether the names in @study are short; those that were merged may have got a number. FALSE with an error, which says
 * that @source is damaged, from where they are. */
gboolean study_check_names (CulpritStudy *study, const CulpritStudy *source, GError **error);

/* The text of study/sql/@name.sql, with {where} replaced by @where (NULL: all rows) and any other {part} by the file in
 * study/sql/parts. The caller owns it. */
char *sql_text (const char *name, const char *where);

/* Prepares @sql, which is short, or the content of study/sql/@name.sql. */
Statement *statement_new (CulpritStudy *study, const char *sql, GError **error);
Statement *statement_named (CulpritStudy *study, const char *name, GError **error);

/* Binds values in order; @types has a letter for each: i gint64, u guint64, r double, t const char * (NULL: null), l
 * the same with spaces for line breaks (not NULL), b const GByteArray *. */
void statement_bind (Statement *statement, const char *types, ...);

/* Binds values to parameters by name; @parameters lists them, each with its type as above: "t:run i:counted". */
void statement_bind_named (Statement *statement, const char *parameters, ...);

/* Advances to the next row. @row: whether there is one. */
gboolean statement_step (CulpritStudy *study, Statement *statement, gboolean *row, GError **error);

/* Runs a statement that returns no rows, and resets it. */
gboolean statement_run (CulpritStudy *study, Statement *statement, GError **error);

/* Runs @sql once with values as for statement_bind(). @id: the number of the row that it added; may be NULL. */
gboolean study_run (CulpritStudy *study, gint64 *id, GError **error, const char *sql, const char *types, ...);

/* Runs @sql, which may be several statements. */
gboolean study_execute (CulpritStudy *study, const char *sql, GError **error);

/* Runs the statements of study/sql/@name.sql. */
gboolean study_execute_named (CulpritStudy *study, const char *name, GError **error);

/* Runs study/sql/@name.sql once, with values as for statement_bind_named(). */
gboolean study_change (CulpritStudy *study, GError **error, const char *name, const char *parameters, ...);

/* The first column of the first row of @sql; 0 if there is none. */
gboolean study_number (CulpritStudy *study, const char *sql, gint64 *number, GError **error);

/* Whether the sums over all of the study still fit into 64 bits, now that @largest was added to one of them. */
gboolean study_check_sums (CulpritStudy *study, guint64 largest, GError **error);

/* After @file was opened as @study, to be written to; and before it is closed: then the file gets what is in its log,
 * which SQLite leaves to the last that closes it, but not if that only reads. The latter returns what
 * culprit_study_end() does. */
void study_remember_place (CulpritStudy *study, const char *file);
char *study_leave_place (CulpritStudy *study);

/* A transaction: its changes are stored completely or not at all. An error if the file has lost its name in its folder,
 * wherever that is now: SQLite finds a study's log by the name, so that another in its place would get what is written.
 */
gboolean study_begin (CulpritStudy *study, GError **error);
gboolean study_commit (CulpritStudy *study, GError **error);
void study_roll_back (CulpritStudy *study);

/* Binds :run, :captures and, if @statement has it, :counted as @filter says. */
void query_bind_filter (Statement *statement, const CulpritFilter *filter);

/* The rows of study/sql/@name.sql that @filter selects. */
CulpritTable *query_read_filtered (CulpritStudy *study, const char *name, const CulpritFilter *filter, GError **error);

static inline const char *
statement_text (Statement *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text ? text : "";
}
