/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every command of culprit has: its description, shared options, its exit status. */
#pragma once

#include "study/query.h"
#include "tables/tables.h"
#include "verdict/verdict.h"

enum
{
  EXIT_DONE = 0,
  EXIT_FOUND = 1, /* Completed, and found something a script may test for. */
  EXIT_BAD = 2,   /* Bad usage or bad input. */
  EXIT_CANCELLED = 130,
};

typedef enum
{
  FORMAT_TEXT,
  FORMAT_JSON,
  FORMAT_CSV,
} Format;

/* The shared options, as given. */
typedef struct
{
  char *study; /* The study file. */
  char *run;
  char *capture;
  char *where;
  Format format;
  char **rest; /* The arguments that are not options. */
} Options;

/* What a command does with the study. */
typedef enum
{
  STUDY_READ,
  STUDY_MAKE, /* It need not exist: it is created, or not needed. */
  STUDY_NONE, /* No study. */
} StudyUse;

typedef struct _Command Command;

struct _Command
{
  const char *name;
  const char *arguments; /* As shown after the name, e.g. "PATH..." */
  const char *summary;   /* One line, without a full stop. */
  const char *details;   /* For culprit help COMMAND. */
  gboolean has_table;    /* Whether it accepts --csv. */
  StudyUse study;
  int (*run) (const Command *command, int argc, char **argv);
  const CulpritDefinition *table; /* the table whose columns the help explains; NULL: none */
};

/* Parses @argv of @command; @own: its own options, or NULL. FALSE: the program must exit with *@status. */
gboolean command_parse (
    const Command *command, int argc, char **argv, const GOptionEntry *own, Options *options, int *status);
void options_clear (Options *options);

/* Opens the study given by the options for reading. NULL: the error was shown. */
CulpritStudy *command_open (const Options *options);

/* Begins a command on a part of the study: parses its options including --run, --capture and --where, opens the study
 * and sets the filter. NULL: the program must exit with *@status. */
CulpritStudy *command_begin (
    const Command *command, int argc, char **argv, Options *options, CulpritFilter *filter, int *status);

/* The same with the further options @more, which end with an empty one. */
CulpritStudy *command_begin_with (const Command *command,
                                  int argc,
                                  char **argv,
                                  const GOptionEntry *more,
                                  Options *options,
                                  CulpritFilter *filter,
                                  int *status);

/* Shows @error as one line on standard error and frees it. Returns the exit status. */
int command_fail (GError *error);

/* The same with a message, without the program's name. */
int command_complain (const char *message, ...) G_GNUC_PRINTF (1, 2);

/* Says which runs of @study among those of @label cannot be shown, NULL: among all. FALSE with an error. */
gboolean command_tell_left_out (CulpritStudy *study, const char *label, GError **error);

/* Reads @text, which the option --@name was given; NULL: nothing was. FALSE: it is not a time, which was shown. */
gboolean command_parse_time (const char *name, const char *text, gint64 *time_ns);

/* A cancellable that Ctrl-C, SIGTERM and a closed terminal cancel from now on, instead of ending the program. To be
 * called once. The caller owns it. */
GCancellable *command_cancellable (void);
int command_check (const Command *command, int argc, char **argv);
int command_compare (const Command *command, int argc, char **argv);
int command_doctor (const Command *command, int argc, char **argv);
int command_explain (const Command *command, int argc, char **argv);
int command_flame (const Command *command, int argc, char **argv);
int command_fleet (const Command *command, int argc, char **argv);
int command_functions (const Command *command, int argc, char **argv);
int command_import (const Command *command, int argc, char **argv);
int command_latency (const Command *command, int argc, char **argv);
int command_merge (const Command *command, int argc, char **argv);
int command_outliers (const Command *command, int argc, char **argv);
int command_prove (const Command *command, int argc, char **argv);
int command_record (const Command *command, int argc, char **argv);
int command_report (const Command *command, int argc, char **argv);
int command_runs (const Command *command, int argc, char **argv);
int command_sections (const Command *command, int argc, char **argv);
int command_show (const Command *command, int argc, char **argv);
int command_sql (const Command *command, int argc, char **argv);
int command_stalls (const Command *command, int argc, char **argv);
int command_tail (const Command *command, int argc, char **argv);
int command_trial (const Command *command, int argc, char **argv);
int command_verdict (const Command *command, int argc, char **argv);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* From here on, when GLib runs out of memory, the program exits with a one-line error. */
void memory_begin (void);

/* The options of the commands that compute a verdict. */

typedef struct
{
  char *base;
  gboolean raw;
  int status; /* the exit status if there is no verdict */
} VerdictOptions;

/* Parses the options, opens the study and judges the selected captures. NULL: the command is done, or the error was
 * shown. */
CulpritVerdict *verdict_begin (
    const Command *command, int argc, char **argv, Options *options, VerdictOptions *own, CulpritStudy **study);
void verdict_options_clear (VerdictOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VerdictOptions, verdict_options_clear)
