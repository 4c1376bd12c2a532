/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of stretches without an event, and of the places they struck. */
#include "tables/stalls.h"

#include "tables/tables.h"
#include "tables/words-private.h"
#include "units.h"

#include <math.h>

static const CulpritColumn stretch_columns[] = {
  { "capture", "#", CULPRIT_KIND_IDENTIFIER, WORDS_CAPTURE, 3 },
  { "file", "File", CULPRIT_KIND_FILE, WORDS_FILE },
  { "length_ns", "Longest", CULPRIT_KIND_TIME, "The longest stretch without any event in this late wake-up.", 8 },
  { "excess_ns", "Excess", CULPRIT_KIND_TIME, "How much later this wake-up is than ordinary ones.", 8 },
  { "ordinary_ns", "Ordinary", CULPRIT_KIND_TIME, "The longest stretch at the same place in any ordinary wake-up.", 8 },
  { "context", "Context", CULPRIT_KIND_TEXT, WORDS_CONTEXT, 8 },
  { "function", "Place", CULPRIT_KIND_FUNCTION, "The function that was struck.", 16, TRUE },
  { "before", "From", CULPRIT_KIND_TEXT, "The event before the stretch." },
  { "after", "To", CULPRIT_KIND_TEXT, "The event after it." },
  { "other_cpus", "Other CPUs", CULPRIT_KIND_COUNT,
    "The number of other CPUs whose trace shows whether they stood still too." },
  { "silent_cpus", "Silent CPUs", CULPRIT_KIND_COUNT,
    "The number of these that did: they have no event in that time." },
  { "smi_count", "SMIs", CULPRIT_KIND_COUNT, "Increase of the CPU's SMI counter since the previous capture.", 5 },
  { "steal_ns", "Stolen", CULPRIT_KIND_TIME, "Time a hypervisor took from the CPU since then." },
  { "class", "Class", CULPRIT_KIND_CLASS, "The kind of cause of the late wake-up.", 15 },
  { "others", "Others", CULPRIT_KIND_COUNT, "Whether the other CPUs stood still at the same time, if there are any.",
    .of = "silent_cpus" },
  { NULL },
};

const CulpritDefinition culprit_stretches = {
  .row = "late wake-up",
  .columns = stretch_columns,
  .text = "capture length_ns ordinary_ns excess_ns context function class",
  .window = "capture length_ns excess_ns ordinary_ns class function others smi_count",
  .more = "context before after steal_ns file",
};

static const CulpritColumn place_columns[] = {
  { "function", "Place", CULPRIT_KIND_FUNCTION, "The function that was struck.", 14, TRUE },
  { "context", "Context", CULPRIT_KIND_TEXT, WORDS_CONTEXT },
  { "hits", "Struck", CULPRIT_KIND_COUNT, "Number of late wake-ups that a stretch there carries.", 5 },
  { "share", "Expected Share", CULPRIT_KIND_SMALL_PART,
    "The share of ordinary time spent there: blind stalls strike places in proportion to that.", 7 },
  { "p", "p", CULPRIT_KIND_P,
    "How likely it is that blind stalls strike some place so often, if each has this share of the time, or an eighth "
    "if that is more: the binomial probability for one place, divided by that share.",
    6 },
  { "guilty", "Consistent Culprit", CULPRIT_KIND_TEXT,
    "Whether the function took too long, or stalls struck it, and why.", 19, TRUE },
  { "between", "Between", CULPRIT_KIND_TEXT, "The two events around the stretch, if always the same.", 16, TRUE },
  { NULL },
};

const CulpritDefinition culprit_places = {
  .row = "place",
  .columns = place_columns,
  .window = "function hits share p guilty",
  .more = "between context",
  .report = "function context between hits share p guilty",
};

static void
add_known (CulpritTable *table, gint64 number)
{
  if (number >= 0)
    culprit_table_add_integer (table, number);
  else
    culprit_table_add_real (table, NAN);
}

static void
add_stretch (CulpritTable *table, const CulpritStretch *stretch)
{
  culprit_table_add_real (table, stretch->ordinary_ns);
  culprit_table_add_text (table, culprit_context_name (stretch->context));
  culprit_table_add_text (table, stretch->name);
  culprit_table_add_text (table, stretch->before ? stretch->before : "");
  culprit_table_add_text (table, stretch->after ? stretch->after : "");
  add_known (table, stretch->other_cpus);
  add_known (table, stretch->silent_cpus);
}

CulpritTable *
culprit_stalls_table (const CulpritVerdict *verdict)
{
  CulpritTable *table = culprit_definition_begin (&culprit_stretches);

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (verdict->evidence->cases, CulpritCase, i);

      if (one->ignored)
        continue;
      culprit_table_add_integer (table, one->capture);
      culprit_table_add_text (table, one->file);
      culprit_table_add_real (table, one->stretch.length_ns);
      culprit_table_add_real (table, one->ordinary > 0 ? one->excess_ns : NAN);
      add_stretch (table, &one->stretch);
      add_known (table, one->smi_count);
      add_known (table, one->steal_ns);
      culprit_table_add_text (table, culprit_class_name (one->class));
    }
  return table;
}

char *
culprit_place_between (const CulpritPlace *place)
{
  if (!place->before || !place->after)
    return NULL;
  return g_strdup_printf ("%s to %s", *place->before ? place->before : "the window's start",
                          *place->after ? place->after : "its end");
}

CulpritTable *
culprit_places_table (const CulpritStalls *stalls)
{
  CulpritTable *table = culprit_definition_begin (&culprit_places);

  for (guint i = 0; i < stalls->places->len; i++)
    {
      const CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);
      g_autofree char *between = culprit_place_between (place);
      g_autofree char *guilty = g_strdup_printf ("%s, %s", place->guilty ? "yes" : "no", place->reason);

      culprit_table_add_text (table, place->name);
      culprit_table_add_text (table, culprit_context_name (place->context));
      culprit_table_add_integer (table, place->hits);
      culprit_table_add_real (table, place->share);
      culprit_table_add_real (table, place->p);
      culprit_table_add_text (table, guilty);
      culprit_table_add_text (table, between ? between : "varies");
    }
  return table;
}

char *
culprit_stalls_tested (const CulpritVerdict *verdict)
{
  const CulpritStalls *stalls = verdict->stalls;
  g_autofree char *windows = culprit_verdict_windows (verdict, stalls->captures);

  return g_strdup_printf (
      "In %u of %u %s that stand%s out, one stretch without any event makes up at least half of the excess and is at "
      "least %u times as long as any in ordinary %ss.",
      stalls->candidates, stalls->captures, windows, stalls->captures == 1 ? "s" : "", CULPRIT_STALL_FAR,
      verdict->evidence->window);
}

char *
culprit_stalls_finding (const CulpritVerdict *verdict)
{
  const CulpritStalls *stalls = verdict->stalls;
  g_autofree char *windows = culprit_verdict_windows (verdict, stalls->struck);
  g_autofree char *length = culprit_time_format (llround (stalls->length_ns));

  if (stalls->candidates == 0)
    return g_strdup_printf ("No blind stalls: what made these %ss %s was traced.", verdict->evidence->window,
                            verdict->evidence->late);
  if (stalls->struck == 0)
    return g_strdup ("No blind stalls: the long stretches lie where a function, or an idle CPU's timer, explains them. "
                     "Firmware or a hypervisor would strike places in proportion to the time spent there.");
  return g_strdup_printf ("Blind stalls%s in %u %s, %s on average: no place explains them, which is how %s takes the "
                          "CPU; %s.",
                          stalls->likely ? ", likely," : "", stalls->struck, windows, length,
                          stalls->virtual_machine ? "a hypervisor" : "firmware (an SMI) or a hypervisor",
                          culprit_proof_in_words (stalls->proof));
}
