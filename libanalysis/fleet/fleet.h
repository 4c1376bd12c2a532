/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What culprit fleet found on many machines, in a study that contains a selection of their captures. */
#pragma once

#include "study/study.h"
#include "tables/table.h"

#define CULPRIT_FLEET_CAUSES 10 /* that are counted by host, at most */

typedef struct
{
  const char *culprit; /* a function, a task, or what else the verdict names */
  const char *class;
  guint hosts;
  guint captures; /* that it explains */
} CulpritFleetCause;

typedef struct
{
  const char *name;
  const char *kernels; /* "6.1.0-40-amd64, 6.1.0-41-amd64" */
  guint captures;
  guint outliers;
  double excess_ns;
  GArray *selected; /* of gint64: its captures in this study, in ascending order */
} CulpritFleetHost;

/* What a cause does on a host. */
typedef struct
{
  guint captures;   /* that it explains */
  double excess_ns; /* in these */
  double weight;    /* the same as a part of the host's whole excess, 0 to 1 */
} CulpritFleetCell;

/* Outliers by day or by kernel, and of these by what is said of each. */
typedef struct
{
  GPtrArray *labels; /* of char *: the days, without gaps, or the kernels */
  GPtrArray *names;  /* of char *: culprits, the most frequent first; then perhaps what is left, and "no culprit" */
  double *counts;    /* those of the first name for each label, then those of the second, and so on */
} CulpritFleetTrend;

typedef struct
{
  guint selected;          /* captures in this study */
  guint captures;          /* of all machines */
  GArray *hosts;           /* of CulpritFleetHost, by name; none: the study is not one of a fleet */
  GArray *causes;          /* of CulpritFleetCause, the most frequent first */
  CulpritFleetCell *cells; /* of the first host, one for each cause, then of the second, and so on */
  CulpritTable *table;     /* culprit_fleet_causes: all causes by population; may be taken out */
  CulpritTable *new_ones;  /* culprit_fleet_new: what is new in a kernel */
  CulpritFleetTrend days;
  CulpritFleetTrend kernels;
  GStringChunk *texts;
} CulpritFleet;

CulpritFleet *culprit_fleet_read (CulpritStudy *study, GError **error);
const CulpritFleetHost *culprit_fleet_host (const CulpritFleet *fleet, guint host);
const CulpritFleetCause *culprit_fleet_cause (const CulpritFleet *fleet, guint cause);
const CulpritFleetCell *culprit_fleet_cell (const CulpritFleet *fleet, guint host, guint cause);

/* What is known about a host, about a cause on all hosts, and about a cause on a host. The caller owns them. */
char *culprit_fleet_host_in_words (const CulpritFleet *fleet, guint host);
char *culprit_fleet_cause_everywhere (const CulpritFleet *fleet, guint cause);
char *culprit_fleet_cell_in_words (const CulpritFleet *fleet, guint host, guint cause);

/* A row of new_ones in a sentence. The caller owns it. */
char *culprit_fleet_new_in_words (const CulpritFleet *fleet, guint row);
void culprit_fleet_free (CulpritFleet *fleet);

/* "This study contains 200 of 1,000 captures from 20 hosts." *@words is NULL if it is not a study of a fleet; the
 * caller owns it. */
gboolean culprit_fleet_selection (CulpritStudy *study, char **words, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritFleet, culprit_fleet_free)
