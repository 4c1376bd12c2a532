/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the culprit of one late wake-up: the leading function if it accounts for enough; if the time went to another
 * task or interrupt and is spread over its functions, that is one culprit, not forty functions. */
#include "judge.h"

#include "excess.h"
#include "names.h"

#define HALF 0.5
#define MOSTLY_COUNT 0.7 /* share of the excess due to calls: called too often */
#define MOSTLY_COST 0.3  /* at most this: took too long; mixed in between */

const char *
culprit_class_name (CulpritClass class)
{
  static const char *const names[CULPRIT_CLASSES] = { "unexplained",  "called-too-often", "took-too-long", "mixed",
                                                      "interference", "blind-stall",      "late-timer" };

  return names[class];
}

static gboolean
is_pseudo (const CulpritPart *part)
{
  return culprit_name_is_pseudo (part->name);
}

/* Which parts to consider. */
typedef enum
{
  OF_ALL,      /* including normal ones */
  OF_ABNORMAL, /* only abnormal ones */
  OF_BUSY,     /* of these, not those of the idle task */
} Choice;

/* The real function with the largest excess; @context: only in this one, or CULPRIT_CONTEXTS for all. */
static const CulpritPart *
find_leader (const CulpritCase *one, CulpritContext context, Choice choice)
{
  const CulpritPart *leader = NULL;

  for (guint i = 0; i < one->parts->len; i++)
    {
      const CulpritPart *part = culprit_case_part (one, i);

      if ((choice == OF_ALL || part->p < CULPRIT_ABNORMAL) && !is_pseudo (part) &&
          !(choice == OF_BUSY && part->context == CULPRIT_CONTEXT_IDLE) &&
          (context == CULPRIT_CONTEXTS || part->context == context) && (!leader || part->excess_ns > leader->excess_ns))
        leader = part;
    }
  return leader;
}

/* Whether @holder has more than @leader: first together with those that count with it, then by itself. */
static gboolean
holds_more (const CulpritCase *one, const CulpritHolder *holder, const CulpritHolder *leader)
{
  if (holder->context == leader->context && holder->context != CULPRIT_CONTEXT_TASK)
    return holder->excess_ns > leader->excess_ns;
  return culprit_case_held_ns (one, holder) > culprit_case_held_ns (one, leader);
}

/* The holder with the largest excess, among abnormal ones. */
static const CulpritHolder *
find_holder (const CulpritCase *one)
{
  const CulpritHolder *leader = NULL;

  for (guint i = 0; i < one->holders->len; i++)
    {
      const CulpritHolder *holder = culprit_case_holder (one, i);

      if (holder->p < CULPRIT_ABNORMAL && holder->context != CULPRIT_CONTEXT_MEASURED &&
          holder->context != CULPRIT_CONTEXT_IDLE && (!leader || holds_more (one, holder, leader)))
        leader = holder;
    }
  return leader;
}

/* The excess of everything called @name, over all contexts or in @context. */
static double
excess_of (const CulpritCase *one, const char *name, CulpritContext context)
{
  double excess_ns = 0;

  for (guint i = 0; i < one->parts->len; i++)
    if ((!name || g_str_equal (culprit_case_part (one, i)->name, name)) &&
        (context == CULPRIT_CONTEXTS || culprit_case_part (one, i)->context == context))
      excess_ns += culprit_case_part (one, i)->excess_ns;
  return excess_ns;
}

static void
blame (CulpritCase *one, CulpritClass class, const char *culprit, CulpritContext context, double culprit_ns)
{
  one->class = class;
  one->culprit = culprit;
  one->context = context;
  one->suspect = CULPRIT_NO_SUSPECT;
  one->culprit_ns = culprit_ns;
  one->share = culprit_ns / one->excess_ns;
  one->reason = NULL;
  one->function = 0;
  one->by_count = 0;
  one->inverted = FALSE;
  one->path = NULL;
}

CulpritClass
culprit_class_by_count (double by_count)
{
  return by_count >= MOSTLY_COUNT  ? CULPRIT_CLASS_TOO_OFTEN
         : by_count <= MOSTLY_COST ? CULPRIT_CLASS_TOO_LONG
                                   : CULPRIT_CLASS_MIXED;
}

static void
blame_part (CulpritCase *one, const CulpritPart *part)
{
  double by_count = culprit_part_by_count (part, one->excess_ns);

  blame (one, culprit_class_by_count (by_count), part->name, part->context, part->excess_ns);
  one->function = part->function;
  one->suspect = part->suspect;
  one->by_count = by_count;
  one->path = part->path;
}

/* Whether @holder held the CPU although the measured task has priority; only tasks have one. */
static gboolean
should_make_way (const CulpritCase *one, const CulpritHolder *holder)
{
  for (guint i = 0; i < one->holders->len; i++)
    {
      const CulpritHolder *measured = culprit_case_holder (one, i);

      if (measured->context == CULPRIT_CONTEXT_MEASURED && measured->priority >= 0)
        return holder->priority > measured->priority;
    }
  return FALSE;
}

static void
blame_holder (CulpritCase *one, const CulpritHolder *holder)
{
  blame (one, CULPRIT_CLASS_INTERFERENCE, holder->name, holder->context, culprit_case_held_ns (one, holder));
  one->suspect = holder->suspect;
  one->path = holder->path;
  one->inverted = should_make_way (one, holder);
}

static void
leave_unexplained (CulpritCase *one, const char *reason)
{
  blame (one, CULPRIT_CLASS_UNEXPLAINED, NULL, CULPRIT_CONTEXT_MEASURED, 0);
  one->share = 0;
  one->reason = reason;
}

void
culprit_judge_stalls (CulpritCase *one, CulpritClass class, const char *culprit, double stalled_ns)
{
  blame (one, class, culprit, class == CULPRIT_CLASS_LATE_TIMER ? CULPRIT_CONTEXT_IDLE : CULPRIT_CONTEXTS,
         MIN (stalled_ns, one->excess_ns));
}

/* The abnormal part of the idle task in which it waits; NULL if there is none. */
static const CulpritPart *
find_rest (const CulpritCase *one, const CulpritPopulation *population)
{
  const CulpritPart *longest = NULL;

  for (guint i = 0; i < one->parts->len; i++)
    {
      const CulpritPart *part = culprit_case_part (one, i);

      if (part->p < CULPRIT_ABNORMAL && g_array_index (population->suspects, CulpritSuspect, part->suspect).rest &&
          (!longest || part->excess_ns > longest->excess_ns))
        longest = part;
    }
  return longest;
}

static void
blame_timer (CulpritCase *one, const CulpritPart *rest, double idle_ns)
{
  blame (one, CULPRIT_CLASS_LATE_TIMER, "idle", CULPRIT_CONTEXT_IDLE, idle_ns);
  one->suspect = rest->suspect;
}

/* Whether the idle time is in pieces between interrupts: then the interrupts are to blame, also for what it costs the
 * processor to enter them, which no function shows. */
static gboolean
is_in_pieces (const CulpritCase *one, const CulpritHolder *holder, const CulpritPart *rest)
{
  return holder && holder->context != CULPRIT_CONTEXT_TASK && !(rest && rest->longest_ns >= HALF * one->excess_ns);
}

/* Whether @part is the function that the interrupt @holder begins with, and was called too often: then the interrupt
 * came too often. */
static gboolean
is_entry (const CulpritCase *one, const CulpritPart *part, const CulpritHolder *holder)
{
  return g_str_equal (part->name, holder->name) && culprit_part_by_count (part, one->excess_ns) >= MOSTLY_COUNT;
}

/* Blames one of the abnormal suspects; FALSE if there is none. */
static gboolean
blame_somebody (CulpritCase *one, const CulpritPopulation *population)
{
  const CulpritHolder *holder = find_holder (one);
  const CulpritPart *rest = find_rest (one, population);
  double held_ns = holder ? culprit_case_held_ns (one, holder) : 0;
  double idle_ns = excess_of (one, NULL, CULPRIT_CONTEXT_IDLE);
  gboolean pieces = is_in_pieces (one, holder, rest);
  gboolean held = held_ns >= HALF * (one->excess_ns - (pieces ? MAX (idle_ns, 0) : 0));
  const CulpritPart *leader = find_leader (one, CULPRIT_CONTEXTS, pieces ? OF_BUSY : OF_ABNORMAL);
  const CulpritPart *inside = held ? find_leader (one, holder->context, OF_ALL) : NULL;
  gboolean by_one = inside && inside->excess_ns >= HALF * held_ns && !is_entry (one, inside, holder);

  if (leader && leader->excess_ns >= HALF * one->excess_ns && !(held && is_entry (one, leader, holder)) &&
      leader != rest)
    blame_part (one, leader);
  else if (by_one && inside->p < CULPRIT_ABNORMAL)
    blame_part (one, inside);
  else if (held && !by_one)
    blame_holder (one, holder);
  else if (rest && idle_ns >= HALF * one->excess_ns)
    blame_timer (one, rest, idle_ns);
  else if (leader)
    blame_part (one, leader);
  else
    return FALSE;
  return TRUE;
}

/* What hides the time on which @class depends; NULL if nothing does. */
static const char *
find_hidden (const CulpritCase *one, CulpritClass class)
{
  gboolean in_one_place = class == CULPRIT_CLASS_TOO_LONG || class == CULPRIT_CLASS_MIXED;
  gboolean nowhere = class == CULPRIT_CLASS_LATE_TIMER || class == CULPRIT_CLASS_BLIND_STALL;

  if ((one->hidden & CULPRIT_HIDDEN_DEEP) && (in_one_place || nowhere))
    return "calls were traced only to a limited depth: the cause may lie below it";
  if ((one->hidden & CULPRIT_HIDDEN_INTERRUPTS) && (in_one_place || nowhere))
    return "interrupts were not traced: one of them may be the cause";
  if ((one->hidden & CULPRIT_HIDDEN_FUNCTIONS) && (nowhere || class == CULPRIT_CLASS_INTERFERENCE))
    return "only some functions were traced: another may be the cause";
  return NULL;
}

void
culprit_judge_hidden (CulpritCase *one)
{
  const char *reason = find_hidden (one, one->class);

  if (reason)
    leave_unexplained (one, reason);
}

void
culprit_judge (CulpritCase *one, const CulpritPopulation *population)
{
  if (one->ordinary == 0)
    leave_unexplained (one, "there are no ordinary wake-ups to compare it with");
  else if (!one->stands_out)
    leave_unexplained (one, "it does not stand out from its ordinary wake-ups");
  else if (population->captures == 0)
    leave_unexplained (one, "all captures of its series are ignored: there is nothing to compare it with");
  else if (population->spread_windows == 0)
    leave_unexplained (one, "it was imported by an older version, and its file is gone: import it again");
  else if (excess_of (one, "[not captured]", CULPRIT_CONTEXTS) >= HALF * one->excess_ns)
    leave_unexplained (one, "most of it was not captured: record with a larger buffer");
  else if (!blame_somebody (one, population))
    leave_unexplained (one, "nothing in it exceeds what the worst of as many ordinary wake-ups shows");
}
