/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study has of wake-ups that were measured as blocks, in random order, under conditions that change: a series of
 * runs, one for each block in the order of measuring, whose configuration lists the conditions.
 *
 * In a proof, a function was delayed on purpose ("delay_at"), by other delays in other blocks ("delays"); since a run
 * has ended, the configuration also has what became of the calls ("delayed"). In a trial, commands began and ended a
 * treatment ("treat", "undo") of some blocks ("treatments"). */
#pragma once

#include "latency/comparison/path-proof.h"
#include "latency/comparison/trial.h"
#include "study.h"

/* The calls of the function in the late wake-ups that were captured. */
typedef struct
{
  gint64 captures; /* with a late wake-up; 0: nothing is known */
  gint64 ran;      /* of these: it ran in the late wake-up */
  gint64 fewest;   /* calls in one of these, as the next two */
  double mean;
  gint64 most;
  double ordinary; /* on average in an ordinary wake-up of all captures; NaN if there are none */
} CulpritCountedCalls;

typedef struct
{
  char *series;
  char *function; /* or MODULE:FUNCTION */
  CulpritCountedCalls counted;
  CulpritPathProof *proof;
} CulpritStoredProof;

/* The proof in the series @series, or the last one of the study (NULL). NULL with an error if there is none. */
CulpritStoredProof *culprit_study_proof (CulpritStudy *study, const char *series, GError **error);

/* The last proof of the study for @function; NULL if there is none, with an error if it cannot be read. */
CulpritStoredProof *culprit_study_proof_of (CulpritStudy *study, const char *function, GError **error);

/* What @counted has counted, as a sentence that the caller owns; NULL: nothing. */
char *culprit_counted_calls_in_words (const CulpritCountedCalls *counted);

/* "prove: usb_poll delayed at its entry, 6 rounds of 4 blocks in random order". The caller owns it. */
char *culprit_stored_proof_head (const CulpritStoredProof *stored);

/* The function without its module. */
const char *culprit_stored_proof_name (const CulpritStoredProof *stored);
void culprit_stored_proof_free (CulpritStoredProof *stored);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStoredProof, culprit_stored_proof_free)

typedef struct
{
  char *series;
  char *treat; /* the commands, in one line each */
  char *undo;
  CulpritTrial *trial;
} CulpritStoredTrial;

/* The trial in the series @series, or the last one of the study (NULL). NULL with an error if there is none. */
CulpritStoredTrial *culprit_study_trial (CulpritStudy *study, const char *series, GError **error);

/* What was tried, likewise. The caller owns it. */
char *culprit_stored_trial_head (const CulpritStoredTrial *stored);
void culprit_stored_trial_free (CulpritStoredTrial *stored);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStoredTrial, culprit_stored_trial_free)
