/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and fitting a tail takes about a second, so it is done in a thread, with the chart. */
#include "latency/tail-pane.h"

#include "show.h"
#include "study/profiles.h"
#include "units.h"
#include "widgets.h"

#include <errno.h>

/* What is asked. */
typedef struct
{
  char *name;
  guint number;
  ChartScale scale;
  CulpritTailAsked asked;
} Question;

struct _CulpritTailPane
{
  CulpritDocumentView parent;
  Question question; /* without a name: none */
  GtkWidget *head;
  GtkWidget *spinner;
  GtkWidget *words;
  GtkWidget *levels;
  GtkWidget *deadline;
  GtkWidget *once_in;
  GtkWidget *answer;
};

G_DEFINE_FINAL_TYPE (CulpritTailPane, culprit_tail_pane, CULPRIT_TYPE_DOCUMENT_VIEW)

static guint drawn;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_free (question->name);
  g_free (question);
}

typedef struct
{
  CulpritRunTail *read;
  Chart *chart;
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  culprit_run_tail_free (answer->read);
  g_clear_pointer (&answer->chart, chart_free);
  g_free (answer);
}

/* In a thread. */
static gpointer
read_tail (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Question *question = data;
  CulpritRunTail *read = culprit_study_tail (study, question->name, &question->asked, error);
  Answer *answer;

  if (!read)
    return NULL;
  answer = g_new0 (Answer, 1);
  answer->read = read;
  if (read->tail)
    answer->chart =
        chart_new (CHART_TAIL, &(ChartSeries) { question->name, read->profile, question->number, read->tail }, 1,
                   CULPRIT_FITS, question->scale);
  return answer;
}

static void
clear_levels (CulpritTailPane *pane)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (pane->levels)))
    gtk_grid_remove (GTK_GRID (pane->levels), child);
}

static void
add_row (CulpritTailPane *pane, int row, const char *const *texts, const char *class)
{
  static const int columns[] = { CULPRIT_TAIL_ONCE_IN, CULPRIT_TAIL_TIME, CULPRIT_TAIL_LATENCY, CULPRIT_TAIL_INTERVAL };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GtkWidget *label = show_label_new (texts[columns[i]]);

      gtk_label_set_xalign (GTK_LABEL (label), columns[i] == CULPRIT_TAIL_INTERVAL ? 0 : 1);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, class);
      gtk_grid_attach (GTK_GRID (pane->levels), label, i, row, 1, 1);
    }
}

static void
show_levels (CulpritTailPane *pane, const CulpritRunTail *read)
{
  const GArray *levels = read->tail->levels;
  const char *heads[CULPRIT_TAIL_COLUMNS];

  for (guint i = 0; i < CULPRIT_TAIL_COLUMNS; i++)
    heads[i] = i == CULPRIT_TAIL_TIME && read->facts.period_ns <= 0 ? "" : culprit_tail_heads[i];
  add_row (pane, 0, heads, "dim-label");
  for (guint i = 0; i < levels->len; i++)
    {
      const CulpritTailLevel *level = &g_array_index (levels, CulpritTailLevel, i);
      g_auto (GStrv) texts = culprit_tail_level_texts (level, read->facts.period_ns);

      if (culprit_tail_level_is_usual (level))
        add_row (pane, i + 1, (const char *const *) texts, "numeric");
    }
  gtk_widget_set_visible (pane->levels, levels->len > 0);
}

/* An empty field stands for the deadline of the run. */
static void
show_deadline (CulpritTailPane *pane, const CulpritRunTail *read)
{
  g_autofree char *words = culprit_tail_deadline_in_words (read->tail, read->facts.period_ns);
  g_autofree char *own = read->facts.deadline_ns > 0 ? culprit_time_format (read->facts.deadline_ns) : NULL;

  gtk_entry_set_placeholder_text (GTK_ENTRY (pane->deadline), own ? own : "e.g. 500us");
  label_set_sentence (pane->answer, words ? words : "Enter a deadline to see how often it will be missed.");
}

static void
show_none (CulpritTailPane *pane, const char *why)
{
  clear_levels (pane);
  show_line (pane->words, why);
  show_line (pane->answer, "");
  g_signal_emit (pane, drawn, 0, NULL);
}

static void
set_busy (CulpritTailPane *pane, gboolean busy)
{
  gtk_spinner_set_spinning (GTK_SPINNER (pane->spinner), busy);
  gtk_widget_set_visible (pane->spinner, busy);
}

static void
on_read (GObject *owner, gpointer result, const GError *error)
{
  CulpritTailPane *pane = CULPRIT_TAIL_PANE (owner);
  Answer *answer = result;
  g_autofree char *words = NULL;

  set_busy (pane, FALSE);
  if (error)
    {
      show_none (pane, error->message);
      return;
    }
  if (!answer->read->tail)
    show_none (pane, "Only a summary of its latencies is known.");
  else
    {
      words = culprit_tail_in_words (answer->read->tail);
      clear_levels (pane);
      label_set_sentence (pane->words, words);
      show_levels (pane, answer->read);
      show_deadline (pane, answer->read);
      g_signal_emit (pane, drawn, 0, g_steal_pointer (&answer->chart));
    }
  answer_free (answer);
}

static void
ask (CulpritTailPane *pane)
{
  Question *question;

  if (!pane->question.name)
    return;
  question = g_memdup2 (&pane->question, sizeof *question);
  question->name = g_strdup (pane->question.name);
  set_busy (pane, TRUE);
  culprit_document_view_read (pane, read_tail, question, question_free, on_read, answer_free);
}

void
culprit_tail_pane_show (CulpritTailPane *pane, const char *name, guint number, ChartScale scale)
{
  gboolean other = g_strcmp0 (name, pane->question.name) != 0;

  culprit_document_view_stop (pane);
  set_busy (pane, FALSE);
  if (other)
    {
      g_free (pane->question.name);
      pane->question.name = g_strdup (name);
      show_line (pane->head, name ? name : "");
      show_none (pane, name ? "Fitting the tail…" : "Choose a run to predict its tail.");
    }
  pane->question.number = number;
  pane->question.scale = scale;
  ask (pane);
}

/* The fields. What is not understood is marked, and nothing is asked. */

static void
mark (GtkWidget *entry, gboolean good)
{
  if (good)
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
}

static void
on_field (GtkEntry *entry, CulpritTailPane *pane)
{
  const char *deadline = gtk_editable_get_text (GTK_EDITABLE (pane->deadline));
  const char *once_in = gtk_editable_get_text (GTK_EDITABLE (pane->once_in));
  gint64 deadline_ns = 0;
  double number = 0;
  gboolean timed = !*deadline || culprit_time_parse (deadline, (guint64 *) &deadline_ns);
  gboolean counted = !*once_in || culprit_tail_once_in_parse (once_in, &number);

  mark (pane->deadline, timed);
  mark (pane->once_in, counted);
  if (!timed || !counted)
    return;
  pane->question.asked.deadline_ns = deadline_ns;
  pane->question.asked.once_in = number;
  ask (pane);
}

static void
pane_finalize (GObject *object)
{
  g_free (CULPRIT_TAIL_PANE (object)->question.name);
  G_OBJECT_CLASS (culprit_tail_pane_parent_class)->finalize (object);
}

static void
culprit_tail_pane_class_init (CulpritTailPaneClass *class)
{
  G_OBJECT_CLASS (class)->finalize = pane_finalize;
  drawn = signal_new (CULPRIT_TYPE_TAIL_PANE, "drawn", 1, G_TYPE_POINTER);
  widget_class_set_template (class, "latency/tail-pane.ui");
  widget_class_bind_children (class, CulpritTailPane, head, spinner, words, levels, deadline, once_in, answer);
  widget_class_bind_callbacks (class, on_field);
}

static void
culprit_tail_pane_init (CulpritTailPane *pane)
{
  pane->question.asked.levels = culprit_tail_levels_drawn;
  gtk_widget_init_template (GTK_WIDGET (pane));
}
