/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's decisions about captures: a state and a note each. */
#pragma once

#include "study.h"

/* The state that leaves a capture out of verdict, functions and report. */
#define CULPRIT_TRIAGE_IGNORED "ignored"

/* The states a capture can have, in their usual order; ends with NULL. */
extern const char *const culprit_triage_states[];

/* State and note of one capture. */
typedef struct
{
  gint64 capture;
  char *identity; /* of the capture, even if there is another study at that path: see culprit_triage_is_same() */
  char *state;
  char *note;
} CulpritTriage;

/* Frees what a CulpritTriage owns; for arrays of them. */
void culprit_triage_clear (gpointer triage);

/* Whether a capture in @state is left out. */
gboolean culprit_triage_ignores (const char *state);

/* Whether two captures with these identities, of CulpritTriage, are the same, also if one was imported again since and
 * has another kind of digest. NULL is that of none. */
gboolean culprit_triage_is_same (const char *identity, const char *other);

/* "2 ignored captures are left out"; NULL if there are none. The caller owns it. */
char *culprit_ignored_in_words (guint ignored);

/* State and note of each of the @n captures @captures. An array of CulpritTriage that the caller owns; NULL with an
 * error, also if a capture does not exist. */
GArray *culprit_study_triage (CulpritStudy *study, const gint64 *captures, guint n, GError **error);

/* Whether the capture @capture is the one with @identity, and not that of another study at its path. FALSE with an
 * error. */
gboolean culprit_study_check_capture (CulpritStudy *study, gint64 capture, const char *identity, GError **error);

/* What a change of states and notes did: of the captures that changed, the values before and since. */
typedef struct
{
  GArray *before; /* of CulpritTriage */
  GArray *after;  /* likewise, of the same captures */
  guint others;   /* captures that were left as somebody else has changed them */
} CulpritTriageChanged;

/* Gives captures the states and notes of @changes (of CulpritTriage, in which NULL leaves one as it is), all of them
 * or, with an error, none: also if a capture is another one. @expected: of the same captures, what has to be there
 * where they change; NULL: anything. The caller clears @changed, also after an error. */
gboolean culprit_study_change_triage (
    CulpritStudy *study, const GArray *changes, const GArray *expected, CulpritTriageChanged *changed, GError **error);
void culprit_triage_changed_clear (CulpritTriageChanged *changed);
