/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leading function is the culprit where it carries enough; where the time went to somebody else and is spread
 * there, that is one culprit and not forty functions. */
#include "judge.h"

#include "excess.h"
#include "names.h"

#define HALF 0.5
#define LEAST_SHARE 0.25 /* of the excess that a function carries that is blamed for it */

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

/* The function proper with the greatest excess; @context: only of this one, or CULPRIT_CONTEXTS; @busy: not of the idle
 * task's. */
static const CulpritPart *
find_leader (const CulpritCase *one, CulpritContext context, gboolean busy)
{
  const CulpritPart *leader = NULL;

  for (guint i = 0; i < one->parts->len; i++)
    {
      const CulpritPart *part = culprit_case_part (one, i);

      if (!is_pseudo (part) && !(busy && part->context == CULPRIT_CONTEXT_IDLE) &&
          (context == CULPRIT_CONTEXTS || part->context == context) && (!leader || part->excess_ns > leader->excess_ns))
        leader = part;
    }
  return leader;
}

/* What @holder and those that are one with it have more: an interrupt comes in by several functions of one context. */
static double
excess_with (const CulpritCase *one, const CulpritHolder *holder)
{
  double excess_ns = 0;

  if (holder->context == CULPRIT_CONTEXT_TASK)
    return holder->excess_ns;
  for (guint i = 0; i < one->holders->len; i++)
    if (g_array_index (one->holders, CulpritHolder, i).context == holder->context)
      excess_ns += g_array_index (one->holders, CulpritHolder, i).excess_ns;
  return excess_ns;
}

/* Whether @holder has more than @leader: as what it is one with, and then by itself. */
static gboolean
holds_more (const CulpritCase *one, const CulpritHolder *holder, const CulpritHolder *leader)
{
  if (holder->context == leader->context && holder->context != CULPRIT_CONTEXT_TASK)
    return holder->excess_ns > leader->excess_ns;
  return excess_with (one, holder) > excess_with (one, leader);
}

/* Who else has the greatest excess. */
static const CulpritHolder *
find_holder (const CulpritCase *one)
{
  const CulpritHolder *leader = NULL;

  for (guint i = 0; i < one->holders->len; i++)
    {
      const CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);

      if (holder->context != CULPRIT_CONTEXT_MEASURED && holder->context != CULPRIT_CONTEXT_IDLE &&
          (!leader || holds_more (one, holder, leader)))
        leader = holder;
    }
  return leader;
}

/* The excess of what is called @name, over all contexts or in @context. */
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
  one->culprit_ns = culprit_ns;
  one->share = culprit_ns / one->excess_ns;
  one->reason = NULL;
  one->function = 0;
  one->by_count = 0;
  one->inverted = FALSE;
  one->path = NULL;
}

static void
blame_part (CulpritCase *one, const CulpritPart *part)
{
  double by_count = culprit_part_by_count (part);

  blame (one,
         by_count >= CULPRIT_MOSTLY_COUNT  ? CULPRIT_CLASS_TOO_OFTEN
         : by_count <= CULPRIT_MOSTLY_COST ? CULPRIT_CLASS_TOO_LONG
                                           : CULPRIT_CLASS_MIXED,
         part->name, part->context, part->excess_ns);
  one->function = part->function;
  one->by_count = by_count;
  one->path = part->path;
}

/* Whether @holder had the CPU though the measured task comes first. */
static gboolean
should_make_way (const CulpritCase *one, const CulpritHolder *holder)
{
  for (guint i = 0; i < one->holders->len; i++)
    {
      const CulpritHolder *measured = &g_array_index (one->holders, CulpritHolder, i);

      if (measured->context == CULPRIT_CONTEXT_MEASURED && measured->priority >= 0)
        return holder->context == CULPRIT_CONTEXT_TASK && holder->priority > measured->priority;
    }
  return FALSE;
}

static void
blame_holder (CulpritCase *one, const CulpritHolder *holder)
{
  blame (one, CULPRIT_CLASS_INTERFERENCE, holder->name, holder->context, excess_with (one, holder));
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

/* Whether the CPU merely rested: one long stretch in the idle task. */
static gboolean
is_rest (const CulpritCase *one)
{
  return one->stretch.rest && one->stretch.length_ns >= HALF * one->excess_ns;
}

/* Whether the idle task has its time in pieces between interrupts: then these are to blame for coming, and for what it
 * costs the processor to turn to them, which no function shows. */
static gboolean
is_in_pieces (const CulpritCase *one, const CulpritHolder *holder, double held_ns)
{
  return holder && holder->context != CULPRIT_CONTEXT_TASK && !is_rest (one) && held_ns >= LEAST_SHARE * one->excess_ns;
}

/* Whether @part is what the interrupt @holder begins with, and came too often: then it is the interrupt that did. */
static gboolean
is_entry (const CulpritPart *part, const CulpritHolder *holder)
{
  return part->context == holder->context && g_str_equal (part->name, holder->name) &&
         culprit_part_by_count (part) >= CULPRIT_MOSTLY_COUNT;
}

void
culprit_judge (CulpritCase *one)
{
  const CulpritHolder *holder = find_holder (one);
  double held_ns = holder ? MAX (excess_with (one, holder), 0) : 0;
  double idle_ns = excess_of (one, NULL, CULPRIT_CONTEXT_IDLE);
  gboolean pieces = is_in_pieces (one, holder, held_ns);
  gboolean held = held_ns > 0 && held_ns >= HALF * (one->excess_ns - (pieces ? MAX (idle_ns, 0) : 0));
  const CulpritPart *leader = find_leader (one, CULPRIT_CONTEXTS, pieces);
  const CulpritPart *inside = held ? find_leader (one, holder->context, pieces) : NULL;

  if (one->ordinary == 0)
    leave_unexplained (one, "there are no ordinary wake-ups to compare it with");
  else if (!one->stands_out)
    leave_unexplained (one, "it does not stand out of the ordinary wake-ups");
  else if (excess_of (one, "[not captured]", CULPRIT_CONTEXTS) >= HALF * one->excess_ns)
    leave_unexplained (one, "most of it was not captured: record with a larger buffer");
  else if (leader && leader->excess_ns >= HALF * one->excess_ns && !(held && is_entry (leader, holder)) &&
           !(leader->context == CULPRIT_CONTEXT_IDLE && is_rest (one)))
    blame_part (one, leader);
  else if (inside && inside->excess_ns >= HALF * held_ns && !is_entry (inside, holder))
    blame_part (one, inside);
  else if (held)
    blame_holder (one, holder);
  else if (idle_ns >= HALF * one->excess_ns)
    blame (one, CULPRIT_CLASS_LATE_TIMER, "idle", CULPRIT_CONTEXT_IDLE, idle_ns);
  else if (leader && leader->excess_ns >= LEAST_SHARE * one->excess_ns)
    blame_part (one, leader);
  else
    leave_unexplained (one, "it is spread over many functions");
}
