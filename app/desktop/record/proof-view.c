/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a proof or a trial in a thread, with its chart. */
#include "record/proof-view.h"

#include "charts/chart-view.h"
#include "show.h"
#include "study/blocks.h"
#include "units.h"
#include "widgets.h"

struct _CulpritProofView
{
  CulpritDocumentView parent;
  GtkWidget *head;
  GtkWidget *words;
  GtkWidget *counted;
  CulpritChartView *chart;
};

G_DEFINE_FINAL_TYPE (CulpritProofView, culprit_proof_view, CULPRIT_TYPE_DOCUMENT_VIEW)

typedef struct
{
  char *series;
  char *function;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_free (question->series);
  g_free (question->function);
  g_free (question);
}

typedef struct
{
  CulpritStoredProof *stored; /* NULL: there is none */
  CulpritStoredTrial *trial;  /* NULL: it is a proof */
  Chart *chart;
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_clear_pointer (&answer->stored, culprit_stored_proof_free);
  g_clear_pointer (&answer->trial, culprit_stored_trial_free);
  g_clear_pointer (&answer->chart, chart_free);
  g_free (answer);
}

/* The latencies without and with the treatment. */
static Chart *
chart_of_trial (const CulpritTrial *trial)
{
  const ChartSeries series[] = { { "without the treatment", trial->arms[0], 0 },
                                 { "with the treatment", trial->arms[1], 1 } };

  return trial->arms[0] && trial->arms[1] && trial->arms[0]->n > 0 && trial->arms[1]->n > 0
             ? chart_new (CHART_HISTOGRAM, series, G_N_ELEMENTS (series), CULPRIT_FITS, CHART_SCALE_AUTOMATIC)
             : NULL;
}

/* In a thread. */
static gpointer
read_trial (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  CulpritStoredTrial *trial = culprit_study_trial (study, ((const Question *) data)->series, error);
  Answer *answer;

  if (!trial)
    return NULL;
  answer = g_new0 (Answer, 1);
  answer->trial = trial;
  answer->chart = chart_of_trial (trial->trial);
  return answer;
}

/* In a thread. */
static gpointer
read_proof (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Question *question = data;
  Answer *answer = g_new0 (Answer, 1);
  GError *problem = NULL;

  answer->stored = question->series || !question->function
                       ? culprit_study_proof (study, question->series, &problem)
                       : culprit_study_proof_of (study, question->function, &problem);
  if (answer->stored && answer->stored->proof->peaks->len > 0)
    answer->chart = chart_new_proof (answer->stored->proof);
  if (!problem)
    return answer;
  answer_free (answer);
  g_propagate_error (error, problem);
  return NULL;
}

static void
show_texts (CulpritProofView *view, const char *head, const char *words, const char *counted)
{
  show_line (view->head, head);
  label_set_sentence (view->words, words);
  label_set_sentence (view->counted, counted ? counted : "");
  gtk_widget_set_visible (view->counted, counted != NULL);
}

static void
show_proof (CulpritProofView *view, const CulpritStoredProof *stored)
{
  g_autofree char *head = culprit_stored_proof_head (stored);
  g_autofree char *words = culprit_path_proof_in_words (stored->proof, stored->function);
  g_autofree char *counted = culprit_counted_calls_in_words (&stored->counted);

  show_texts (view, head, words, counted);
}

static void
show_trial (CulpritProofView *view, const CulpritStoredTrial *stored)
{
  g_autofree char *head = culprit_stored_trial_head (stored);
  g_autofree char *words = culprit_trial_in_words (stored->trial);

  show_texts (view, head, words, NULL);
}

static void
show_chart (CulpritProofView *view, Answer *answer)
{
  gtk_widget_set_visible (GTK_WIDGET (view->chart), answer->chart != NULL);
  culprit_chart_view_set_chart (view->chart, g_steal_pointer (&answer->chart));
}

static void
on_read (GObject *owner, gpointer result, const GError *error)
{
  CulpritProofView *view = CULPRIT_PROOF_VIEW (owner);
  Answer *answer = result;

  if (error)
    show_texts (view, "", error->message, NULL);
  else if (answer->trial)
    show_trial (view, answer->trial);
  else if (answer->stored)
    show_proof (view, answer->stored);
  else
    show_texts (view, "", "This function was not delayed yet.", NULL);
  if (answer)
    show_chart (view, answer);
  g_clear_pointer (&answer, answer_free);
}

void
culprit_proof_view_show (CulpritProofView *view, const char *series, const char *function)
{
  Question *question = g_new (Question, 1);

  *question = (Question) { g_strdup (series), g_strdup (function) };
  culprit_document_view_read (view, read_proof, question, question_free, on_read, answer_free);
}

void
culprit_proof_view_show_trial (CulpritProofView *view, const char *series)
{
  Question *question = g_new (Question, 1);

  *question = (Question) { .series = g_strdup (series) };
  culprit_document_view_read (view, read_trial, question, question_free, on_read, answer_free);
}

gboolean
culprit_proof_view_export (CulpritProofView *view, const char *heading, const char *path, GError **error)
{
  return culprit_chart_view_export (view->chart, heading, path, error);
}

static void
culprit_proof_view_class_init (CulpritProofViewClass *class)
{
  ensure_types (CULPRIT_TYPE_CHART_VIEW);
  widget_class_set_template (class, "record/proof-view.ui");
  widget_class_bind_children (class, CulpritProofView, head, words, counted, chart);
}

static void
culprit_proof_view_init (CulpritProofView *view)
{
  gtk_widget_init_template (GTK_WIDGET (view));
}
