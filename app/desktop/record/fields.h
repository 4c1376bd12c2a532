/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a recording, as a table: a new setting is one more entry. */
#pragma once

#include <glib.h>

typedef enum
{
  FIELD_TEXT,
  FIELD_TIME,   /* with a unit, as "5ms" */
  FIELD_NUMBER, /* whole */
  FIELD_CPUS,   /* a list, as "0,2-3" */
  FIELD_LIST,   /* names with spaces between */
  FIELD_FILES,  /* with semicolons between, as there may be spaces in each */
  FIELD_CHOICE,
  FIELD_LOAD, /* a choice, of the loads that are ready and one of one's own */
  FIELD_SWITCH,
} FieldKind;

typedef struct
{
  const char *value; /* NULL ends the choices */
  const char *title;
} FieldChoice;

typedef struct
{
  const char *key; /* as a script knows it, mostly as in CulpritRequestOptions; NULL ends the fields */
  const char *title;
  FieldKind kind;
  const char *value;          /* at first; NULL: nothing, or the first choice */
  const char *hint;           /* what it means where it is empty */
  const char *explain;        /* in a sentence */
  const FieldChoice *choices; /* of FIELD_CHOICE */
  const char *where;          /* it counts only there: "KEY=VALUE|VALUE"; NULL: always */
  gint64 least;               /* of FIELD_NUMBER, as the next; 0 and 0: any that is not negative */
  gint64 most;
  gboolean needed;
} Field;

typedef struct
{
  const char *title; /* NULL ends the groups */
  const Field *fields;
  gboolean folded; /* at first */
} FieldGroup;

extern const FieldGroup field_groups[];

/* What @field can be, where that is a choice; NULL: it is none. */
const FieldChoice *field_choices (const Field *field);

/* What is wrong with @text as the value of @field, in a sentence; NULL: nothing. The caller owns it. */
char *field_problem (const Field *field, const char *text);
