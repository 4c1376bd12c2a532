/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of runs, read and computed in threads, and never changed afterwards. */
#pragma once

#include "study/profiles.h"

#include <gio/gio.h>

typedef struct
{
  GPtrArray *sides; /* of CulpritSide, at least two */
} Comparing;

Comparing *comparing_ref (Comparing *comparing);
void comparing_unref (Comparing *comparing);

static inline const CulpritSide *
comparing_side (const Comparing *comparing, guint place)
{
  return culprit_side_at (comparing->sides, place);
}

/* The comparison of the side at @place with the base; NULL: it is the base. */
const CulpritComparison *comparing_result (const Comparing *comparing, guint place);

/* Whether the shapes of the side at @place and of the base can be compared. */
gboolean comparing_has_shape (const Comparing *comparing, guint place);

/* What to compare, and how. */
typedef struct
{
  GPtrArray *choices; /* of CompareChoice, the base first */
  CulpritRules rules;
} CompareQuestion;

/* Takes @choices. */
CompareQuestion *compare_question_new (GPtrArray *choices, const CulpritRules *rules);
void compare_question_free (CompareQuestion *question);

/* A DocumentRead that reads and compares the choices of @data (CompareQuestion). Returns a Comparing. */
gpointer comparing_read (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error);

/* The shape of a side, compared with the base's. */
typedef struct
{
  Comparing *comparing;
  guint place;
  CulpritShape *shape;
} ComparedShape;

ComparedShape *compared_shape_new (Comparing *comparing, guint place);
void compared_shape_free (ComparedShape *shape);

/* A DocumentRead that compares the shapes that @data (ComparedShape) asks for, which takes seconds. Returns another
 * ComparedShape. */
gpointer comparing_read_shape (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Comparing, comparing_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ComparedShape, compared_shape_free)
