/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a study knows about late wake-ups, for the verdict: how late they are, what may carry them, and how that
 * relates to ordinary wake-ups. */
#pragma once

#include "case.h"
#include "study/query.h"

/* A capture with fewer ordinary wake-ups is compared with those of its population. */
#define CULPRIT_LEAST_OWN_BASE 30

typedef struct
{
  const CulpritFilter *filter; /* which captures; its where is over culprit_query_outliers(); may be NULL */
  const char *base;            /* the run whose ordinary wake-ups to compare with; NULL: each capture's own */
  const CulpritFilter *lower;  /* captures whose late wake-ups to compare with, in place of ordinary ones; NULL: none;
                                  base is then NULL */
  gboolean apart;              /* They are known to be of another kind than these, e.g. of another peak: they need not
                                  be half longer to stand out, and what is called more often is no mere slowness. */
  gboolean raw;                /* include the tracer's time */
} CulpritEvidenceOptions;

/* A node of the tree of calls. The sources of what was not captured are one. */
typedef struct
{
  guint parent; /* lower than its own index; CULPRIT_NOTHING: a source */
  guint source;
  guint function; /* its index among the evidence's functions; CULPRIT_NOTHING for a source */
  guint depth;    /* below its source */
  CulpritContext context;
  const char *name; /* of the source, or the function's label */
} CulpritCallNode;

/* A function in a context; in other tasks in one of them. */
typedef struct
{
  gint64 id; /* its number in the study */
  const char *name;
  CulpritContext context;
  guint source;     /* the task, if it is another task's; else CULPRIT_NOTHING */
  gboolean bracket; /* [user] and the like */
} CulpritCallFunction;

/* What something cost in the ordinary wake-ups of a population. */
typedef struct
{
  double ns; /* of a node including what is below it */
  double calls;
  double windows; /* in which it occurs */
  double part;    /* of the time in a capture's ordinary wake-ups: the mean over the captures that have some */
  double rare_ns; /* of the time, that in the few wake-ups, one of twenty, in which it takes longest */
  double max_ns;  /* in one of them, as is the next; without the tracer's time, even if raw times were requested */
  double max_calls;
} CulpritOrdinary;

/* Captures that may be compared with each other: from one host, one kernel and one series of runs. Other recordings do
 * not affect what is said about them. */
typedef struct
{
  const char *host;
  const char *kernel;
  const char *series;       /* the name of the recording, or of the run */
  gboolean virtual_machine; /* The recorder detected a hypervisor. */
  const char *preemption;   /* the kernel's model: "none", "voluntary", "full" or "rt"; NULL: not known */
  gboolean idle_states;     /* The CPUs can sleep in more than one way. */
  guint captures;           /* that count, as in the next */
  guint stands_out;
  guint ordinary;        /* wake-ups to compare with: their own, or those of the base that was named */
  double ordinary_ns;    /* of these, added up */
  GHashTable *waits;     /* indices of the functions in which the idle CPU waits */
  GHashTable *nodes;     /* index of a node that may carry -> CulpritOrdinary */
  GHashTable *functions; /* likewise */
  GHashTable *elsewhere; /* see culprit_evidence_elsewhere() */
} CulpritPopulation;

typedef struct
{
  GArray *cases;         /* of CulpritCase, in the order of their captures; not judged yet */
  GPtrArray *candidates; /* for each case an array of CulpritCarrier: what may carry it; NULL: it does not stand out */
  GArray *populations;   /* of CulpritPopulation */
  GArray *nodes;         /* of CulpritCallNode */
  GArray *functions;     /* of CulpritCallFunction */
  guint base_captures;   /* that were named to compare with; 0: none were */
  const char *late;      /* what its cases are by their length: "late" or "long"; */
  const char *window;    /* one of them is a "wake-up", a "response" or, as these together, a "window" */
  gboolean lower;        /* These are late wake-ups of other captures. */
  gboolean apart;        /* as in the options */
  GHashTable *keys;      /* what identifies functions, from culprit_function_key(), by their number (gint64) */
  GStringChunk *texts;
  GHashTable *paths; /* of the calls that carry late wake-ups, by their nodes */
} CulpritEvidence;

CulpritEvidence *culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);

void culprit_evidence_free (CulpritEvidence *evidence);

/* What @carrier, one of the candidates of a case of @population, cost in its ordinary wake-ups. */
const CulpritOrdinary *culprit_evidence_ordinary (const CulpritPopulation *population, const CulpritCarrier *carrier);

/* The mean cost of a call of the function with that number outside of late wake-ups; NaN: there was none. */
double culprit_evidence_elsewhere (const CulpritPopulation *population, gint64 function);

/* Whether the idle CPU waits in @function, an index or CULPRIT_NOTHING, in that population. */
gboolean culprit_evidence_waits (const CulpritEvidence *evidence, const CulpritPopulation *population, guint function);

static inline CulpritCase *
culprit_evidence_case (const CulpritEvidence *evidence, guint index)
{
  return &g_array_index (evidence->cases, CulpritCase, index);
}

static inline CulpritPopulation *
culprit_evidence_population (const CulpritEvidence *evidence, guint index)
{
  return &g_array_index (evidence->populations, CulpritPopulation, index);
}

static inline const CulpritCallNode *
culprit_evidence_node (const CulpritEvidence *evidence, guint index)
{
  return &g_array_index (evidence->nodes, CulpritCallNode, index);
}

static inline const CulpritCallFunction *
culprit_evidence_function (const CulpritEvidence *evidence, guint index)
{
  return &g_array_index (evidence->functions, CulpritCallFunction, index);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritEvidence, culprit_evidence_free)
