/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits causes and suspects into what a card shows. */
#include "cards.h"

#include "names.h"
#include "seeded-hash.h"
#include "units.h"
#include "words-private.h"

#include <string.h>

#define ARROW " > "

const char *const culprit_confidence_meaning =
    "How certain it is that this is a cause at all, whatever other causes there are: almost certain from 99 %, very "
    "likely from 95 %, likely from 66 %, possible from 33 %, else unlikely. Two causes can both be almost certain.";
const char *const culprit_weight_meaning =
    "Its share of the time by which late ones exceed ordinary ones, with a 95 % interval: nearly all from 90 %, "
    "most from 60 %, about half from 40 %, some from 10 %, else little. “Probably” is added if the interval "
    "extends further.";

typedef struct
{
  double from;
  const char *word;
} Degree;

static const Degree confidences[] = { { 0.99, "almost certain" },
                                      { CULPRIT_SURE, "very likely" },
                                      { 0.66, "likely" },
                                      { 0.33, "possible" },
                                      { 0, "unlikely" } };
static const Degree weights[] = {
  { 0.9, "nearly all" }, { 0.6, "most" }, { 0.4, "about half" }, { 0.1, "a part" }, { 0, "little" }
};

/* The word for @value; the last of @degrees, which begins at 0, is for the smallest values. */
static const char *
find_word (const Degree *degrees, double value)
{
  while (degrees->from > 0 && !(value >= degrees->from))
    degrees++;
  return degrees->word;
}

static char *
say_weight (const CulpritCulprit *culprit)
{
  const char *word = find_word (weights, culprit->weight);
  gboolean sure = word == find_word (weights, culprit->weight_low) && word == find_word (weights, culprit->weight_high);

  return g_strdup_printf ("%s of the excess%s", word, sure ? "" : " (estimate)");
}

static void
path_call_clear (gpointer data)
{
  g_free (((CulpritPathCall *) data)->name);
}

static void
card_free (gpointer data)
{
  CulpritCard *card = data;

  g_free (card->id);
  g_free (card->aside);
  g_free (card->captures);
  g_free (card->confidence_number);
  g_free (card->weight);
  g_free (card->weight_number);
  g_free (card->finding);
  g_free (card->interval);
  g_array_unref (card->path);
  g_free (card->advice);
  g_free (card->where);
  g_free (card);
}

/* The identities of functions, by their names as used in paths; NULL: several functions have the name. */
static GHashTable *
find_keys (const CulpritVerdict *verdict)
{
  GHashTable *keys = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  GHashTableIter iterator;
  gpointer key;

  g_hash_table_iter_init (&iterator, verdict->evidence->keys);
  while (g_hash_table_iter_next (&iterator, NULL, &key))
    {
      char *name = g_strndup (key, strcspn (key, "# "));

      g_hash_table_insert (keys, name, g_hash_table_contains (keys, name) ? NULL : key);
    }
  return keys;
}

static GArray *
split_path (const char *path, GHashTable *keys)
{
  g_auto (GStrv) names = g_strsplit (path ? path : "", ARROW, -1);
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (CulpritPathCall));

  g_array_set_clear_func (calls, path_call_clear);
  for (char **name = names; *name; name++)
    {
      const CulpritPathCall call = { g_strdup (*name), g_hash_table_lookup (keys, *name) };

      g_array_append_val (calls, call);
    }
  return calls;
}

static char *
say_interval (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  char *words = words_interval (verdict, culprit);

  words[0] = g_ascii_toupper (words[0]);
  return words;
}

static char *
say_finding (const CulpritVerdict *verdict, const CulpritCulprit *culprit, gboolean established)
{
  GString *words = g_string_new (NULL);

  words_say_finding (words, verdict, culprit);
  words->str[0] = g_ascii_toupper (words->str[0]);
  if (!established)
    g_string_append_printf (words, " %s", words_why_suspect (culprit));
  return g_string_free (words, FALSE);
}

static char *
say_where (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  GString *words = g_string_new (NULL);

  words_say_where (words, verdict, culprit);
  return g_strchug (g_string_free (words, FALSE));
}

static char *
say_aside (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  if (culprit->class == CULPRIT_CLASS_BLIND_STALL)
    return g_strdup (verdict->stalls->likely ? ", likely" : "");
  if (culprit->class == CULPRIT_CLASS_BLOCKED)
    return g_strdup (words_context (CULPRIT_CONTEXT_BLOCKED));
  if (culprit->class == CULPRIT_CLASS_INTERFERENCE)
    return g_strdup (culprit->kind == CULPRIT_CAUSE_TASK           ? " (a task)"
                     : culprit->context == CULPRIT_CONTEXT_SOFTIRQ ? " (a soft interrupt)"
                                                                   : " (an interrupt)");
  return g_strdup (culprit->node != CULPRIT_NOTHING ? words_context (culprit->context) : "");
}

static char *
make_id (const CulpritVerdict *verdict, const CulpritCulprit *culprit, gboolean established)
{
  g_autoptr (GPtrArray) names =
      culprit_verdict_node (verdict, culprit->kind == CULPRIT_CAUSE_NODE ? culprit->node : CULPRIT_NOTHING);
  const char *key = culprit_verdict_key (verdict, culprit);
  GString *id = g_string_new (NULL);

  g_string_append_printf (id, "%s %u %s", established ? "cause" : "suspect", culprit->kind, key ? key : culprit->name);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (id, " %s", (const char *) g_ptr_array_index (names, i));
  return g_string_free (id, FALSE);
}

static const char *
find_run (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return culprit_verdict_case (verdict, g_array_index (culprit->explains, gint64, 0))->run;
}

static char *
say_captures (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return g_strdup_printf ("%u of %u capture%s", culprit->captures, verdict->stands_out,
                          culprit_plural (verdict->stands_out));
}

static CulpritCard *
make_card (const CulpritVerdict *verdict, const CulpritCulprit *culprit, gboolean established, GHashTable *keys)
{
  CulpritCard *card = g_new (CulpritCard, 1);

  *card = (CulpritCard) {
    .culprit = culprit,
    .established = established,
    .id = make_id (verdict, culprit, established),
    .aside = say_aside (verdict, culprit),
    .captures = say_captures (verdict, culprit),
    .confidence = find_word (confidences, culprit->confidence),
    .confidence_number = words_confidence (verdict, culprit),
    .weight = say_weight (culprit),
    .weight_number = words_weight (culprit),
    .finding = say_finding (verdict, culprit, established),
    .interval = say_interval (verdict, culprit),
    .path = split_path (culprit->path, keys),
    .advice = words_advice (verdict, culprit),
    .where = say_where (verdict, culprit),
    .graph = culprit->function != 0 && !culprit_name_is_pseudo (culprit->name),
    .run = find_run (verdict, culprit),
  };
  return card;
}

GPtrArray *
culprit_verdict_cards (const CulpritVerdict *verdict)
{
  const GArray *const both[] = { verdict->culprits, verdict->suspects };
  g_autoptr (GHashTable) keys = find_keys (verdict);
  GPtrArray *cards = g_ptr_array_new_with_free_func (card_free);

  for (guint k = 0; k < G_N_ELEMENTS (both); k++)
    for (guint i = 0; i < both[k]->len && i < CULPRIT_CULPRITS_MOST; i++)
      g_ptr_array_add (
          cards, make_card (verdict, &g_array_index (both[k], CulpritCulprit, i), both[k] == verdict->culprits, keys));
  return cards;
}

const CulpritCulprit *
culprit_verdict_find (const CulpritVerdict *verdict, const char *id)
{
  const GArray *const both[] = { verdict->culprits, verdict->suspects };

  for (guint k = 0; k < G_N_ELEMENTS (both); k++)
    for (guint i = 0; i < both[k]->len; i++)
      {
        const CulpritCulprit *culprit = &g_array_index (both[k], CulpritCulprit, i);
        g_autofree char *own = make_id (verdict, culprit, both[k] == verdict->culprits);

        if (g_str_equal (own, id))
          return culprit;
      }
  return NULL;
}

char *
culprit_verdict_summary (const CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GString) words = g_string_new (NULL);

  if (verdict->culprits->len == 0)
    return g_strdup (g_ptr_array_index (sentences, 0));
  for (guint i = 0; i < verdict->culprits->len; i++)
    {
      const CulpritCulprit *culprit = &g_array_index (verdict->culprits, CulpritCulprit, i);
      g_autofree char *captures = say_captures (verdict, culprit);
      g_autofree char *aside = say_aside (verdict, culprit);

      g_string_append_printf (words, "%s%s%s: %s", i > 0 ? "; " : "", culprit->name, aside, captures);
    }
  return g_strdup (words->str);
}
