/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Record page. It holds the recording job only while it is open; without it the job stops cleanly. */
#include "pages.h"

#include "compat.h"
#include "headings.h"
#include "json.h"
#include "record/blocks.h"
#include "record/explaining.h"
#include "record/findings.h"
#include "record/form-request.h"
#include "record/live-view.h"
#include "record/proof-view.h"
#include "record/record-form.h"
#include "record/recording-job.h"
#include "record/words.h"
#include "show.h"
#include "units.h"

#define RELOAD_MS 1000
#define FILL_IN "fill in the next one"

struct _RecordPage
{
  CulpritPage parent;
  RecordingJob *job; /* NULL: nothing is being recorded */
  gboolean stopping;
  guint reload; /* 0: the document need not be read again */
  GtkPaned *content;
  GtkWidget *views;
  GtkWidget *problem;
  GtkWidget *check;
  GtkWidget *record;
  GtkWidget *stop;
  RecordForm *form;
  RecordFindings *findings;
  LiveView *live;
  CulpritProofView *proof;
  gboolean tries;      /* whether a treatment is being tried; else a function is delayed, or neither */
  guint blocks;        /* of these, 0: neither */
  gboolean explains;   /* whether peaks are being explained */
  char *peaks_run;     /* whose peaks can be; NULL: none was asked for, */
  char *plan;          /* by what is missing, in sentences; NULL: that is not known yet, or nothing is */
  GtkWindow *question; /* whether to; NULL: there is none */
};

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  g_autofree char *heading = heading_of_runs (culprit_document_view_document (page));

  if (gtk_stack_get_visible_child (GTK_STACK (RECORD_PAGE (page)->views)) == GTK_WIDGET (RECORD_PAGE (page)->proof))
    return culprit_proof_view_export (RECORD_PAGE (page)->proof, heading, path, error);
  return live_view_export (RECORD_PAGE (page)->live, heading, path, error);
}

G_DEFINE_FINAL_TYPE (RecordPage, record_page, CULPRIT_TYPE_PAGE)

enum
{
  PROPERTY_RECORDING = 1,
  PROPERTY_PROGRESS,
  PROPERTY_PLAN,
  PROPERTY_FORM_WIDTH,
  PROPERTIES,
};

static GParamSpec *properties[PROPERTIES];

/* What the last check of the target found against what the form asks for. The caller owns it; NULL: nothing. */
static char *
find_blocker (RecordPage *page)
{
  CulpritTarget *target = form_target (page->form, NULL);
  g_autoptr (JsonObject) request = target ? form_request (page->form) : NULL;
  g_autofree char *blocker = request ? record_findings_blocker (page->findings, target, request) : NULL;

  g_clear_pointer (&target, culprit_target_free);
  return blocker ? g_strdup_printf ("The check of the target found a blocker: %s Fix it and check again.", blocker)
                 : NULL;
}

/* Why nothing can be recorded now. The caller owns it; NULL: it can. */
static char *
find_problem (RecordPage *page)
{
  if (record_findings_busy (page->findings))
    return g_strdup ("Still checking the target; please wait");
  if (record_form_problem (page->form))
    return g_strdup (record_form_problem (page->form));
  return find_blocker (page);
}

/* Says what is wrong; empty: nothing any more. */
static void
fail (RecordPage *page, const char *problem)
{
  culprit_document_fail (culprit_document_view_document (page), CULPRIT_ABOUT_RECORDING, problem);
}

/* The tooltip of a button says why it cannot be pressed. */
static void
show_state (RecordPage *page)
{
  gboolean recording = page->job != NULL;
  gboolean busy = record_findings_busy (page->findings);
  g_autofree char *problem = find_problem (page);

  gtk_widget_set_sensitive (GTK_WIDGET (page->form), !recording);
  gtk_widget_set_sensitive (page->check, !recording && !busy);
  gtk_widget_set_sensitive (page->record, !problem);
  show_tooltip (page->record, problem ? problem : "Record into this study");
  gtk_widget_set_sensitive (page->stop, !page->stopping);
  gtk_widget_set_visible (page->record, !recording);
  gtk_widget_set_visible (page->stop, recording);
  show_line (page->problem, problem ? problem : "");
  gtk_widget_set_visible (page->problem, problem && !recording);
}

/* The other pages fill while it goes on. */

static gboolean
reload (gpointer data)
{
  RecordPage *page = data;

  page->reload = 0;
  if (g_file_test (culprit_document_path (culprit_document_view_document (page)), G_FILE_TEST_EXISTS))
    culprit_document_reload (culprit_document_view_document (page));
  return G_SOURCE_REMOVE;
}

static void
reload_soon (RecordPage *page)
{
  if (page->reload == 0)
    page->reload = g_timeout_add (RELOAD_MS, reload, page);
}

/* Recording. */

static void
on_event (RecordingJob *job, CulpritMessage *message, RecordPage *page)
{
  live_view_take (page->live, message);
  if (page->stopping)
    live_view_stopping (page->live);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_PROGRESS]);
  if (message->type == CULPRIT_MESSAGE_IMPORTED || message->type == CULPRIT_MESSAGE_RUN_END)
    reload_soon (page);
}

static void
show_trial (RecordPage *page, const char *series)
{
  gtk_stack_set_visible_child_name (GTK_STACK (page->views), "proof");
  culprit_proof_view_show_trial (page->proof, series);
}

static void
show_proof (RecordPage *page, const char *series, const char *function)
{
  gtk_stack_set_visible_child_name (GTK_STACK (page->views), "proof");
  culprit_proof_view_show (page->proof, series, function);
}

/* The caller owns it. */
static char *
explained_words (RecordPage *page, const CulpritRecordingResult *result)
{
  return g_strdup_printf ("%u capture%s to explain the peaks of “%s”%s.", result->captures,
                          culprit_plural (result->captures), page->peaks_run, page->stopping ? ", then stopped" : "");
}

static void
on_ended (RecordingJob *job, const CulpritRecordingResult *result, const char *problem, RecordPage *page)
{
  g_autofree char *text = page->explains ? explained_words (page, result) : culprit_recording_words (result);

  g_clear_object (&page->job);
  page->stopping = FALSE;
  live_view_end (page->live, problem ? "Recording failed" : text, problem);
  show_state (page);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_RECORDING]);
  if (result->runs > 0)
    reload_soon (page);
  if (result->runs > 0 && page->blocks > 0 && page->tries)
    show_trial (page, result->name);
  else if (result->runs > 0 && page->blocks > 0)
    show_proof (page, result->name, NULL);
  fail (page, problem ? problem : "");
  if (problem)
    return;
  if (page->explains)
    g_signal_emit_by_name (culprit_document_view_document (page), "done", text, "Show", "win.page::latency");
  else if (page->blocks > 0)
    g_signal_emit_by_name (culprit_document_view_document (page), "done", text, NULL, NULL);
  else
    g_signal_emit_by_name (culprit_document_view_document (page), "done", text, "Show",
                           result->captures > 0 ? "win.page::outliers" : "win.page::latency");
}

/* "delays of qh_completions by 5us,10us,20us in 24 blocks, which takes about 4 min". The caller owns it; NULL: @request
 * is no such. */
static char *
describe_blocks (RecordForm *form, JsonObject *request)
{
  guint blocks = form_blocks (request);
  const char *treat = record_form_get (form, "treat");
  g_autofree char *time = culprit_long_time_format (culprit_block_duration_ns (request) * blocks);
  g_autofree char *what = treat ? g_strdup_printf ("trial of “%s”", treat)
                                : g_strdup_printf ("delays of %s by %s", record_form_get (form, "delay_at"),
                                                   record_form_get (form, "delays"));

  return blocks > 0 ? g_strdup_printf ("%s in %u blocks, which takes about %s", what, blocks, time) : NULL;
}

/* "This machine, period 5ms, band 2ms to 3200us". The caller owns it. */
static char *
describe (RecordPage *page, const CulpritTarget *target, JsonObject *request)
{
  RecordForm *form = page->form;
  const char *threshold = record_form_get (form, "threshold");
  const char *low = record_form_get (form, "band_low");
  g_autofree char *measured = form_measured (form);
  g_autofree char *blocks = describe_blocks (form, request);
  g_autofree char *trigger = blocks ? g_strdup (blocks)
                             : low
                                 ? g_strdup_printf ("wake-ups from %s to %s", low, record_form_get (form, "band_high"))
                             : threshold ? g_strdup_printf ("wake-ups later than %s", threshold)
                                         : g_strdup ("latencies only");

  return g_strdup_printf ("%s, %s, %s.", form_target_title (target), measured, trigger);
}

/* Goes on with what @job, which is taken, records. */
static void
follow (RecordPage *page, RecordingJob *job)
{
  page->job = job;
  gtk_stack_set_visible_child_name (GTK_STACK (page->views), "live");
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_PROGRESS]);
  g_signal_connect_object (job, "event", G_CALLBACK (on_event), page, 0);
  g_signal_connect_object (job, "ended", G_CALLBACK (on_ended), page, 0);
  show_state (page);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_RECORDING]);
}

static gboolean
start (RecordPage *page, GError **error)
{
  RecordForm *form = page->form;
  CulpritTarget *target = form_target (form, error);
  JsonObject *request = target ? form_request (form) : NULL;
  g_autofree char *text = request ? describe (page, target, request) : NULL;

  if (!request)
    {
      g_clear_pointer (&target, culprit_target_free);
      return FALSE;
    }
  page->blocks = form_blocks (request);
  page->tries = json_object_has_member (request, "treatments");
  page->explains = FALSE;
  live_view_clear (page->live);
  live_view_begin (page->live, target, text, json_member_int (request, "captures", 0), page->blocks);
  follow (page, recording_job_new (target, culprit_document_path (culprit_document_view_document (page)),
                                   record_form_get (form, "run"), request));
  return TRUE;
}

/* Takes the focus away before fields go: an entry that is hidden with it complains. */
static void
leave_fields (RecordPage *page)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));

  if (root)
    gtk_root_set_focus (root, NULL);
}

/* Explaining peaks: what that takes is told first. */

static void
show_recording (RecordPage *page, const CulpritTarget *target, const char *what, gint64 captures)
{
  g_autofree char *text = g_strdup_printf ("%s, %s", form_target_title (target), what);

  live_view_begin (page->live, target, text, captures, 0);
  if (page->stopping)
    live_view_stopping (page->live);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_PROGRESS]);
}

static void
on_begun (RecordingJob *job, const char *what, gint64 captures, RecordPage *page)
{
  show_recording (page, recording_job_target (job), what, captures);
}

static void
set_plan (RecordPage *page, const char *plan)
{
  g_free (page->plan);
  page->plan = g_strdup (plan);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_PLAN]);
}

static void
start_explaining (RecordPage *page)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *what = page->plan ? g_strdup_printf ("like “%s”. %s", page->peaks_run, page->plan) : NULL;
  CulpritTarget *target = what && !page->job ? form_target (page->form, &error) : NULL;

  if (page->question)
    gtk_window_destroy (page->question);
  if (error)
    fail (page, error->message);
  if (!target)
    return;
  leave_fields (page);
  set_plan (page, NULL);
  page->blocks = 0;
  page->explains = TRUE;
  live_view_clear (page->live);
  show_recording (page, target, what, 0);
  follow (page, recording_job_new_explaining (target, culprit_document_path (culprit_document_view_document (page)),
                                              page->peaks_run, form_explaining (page->form)));
  g_signal_connect_object (page->job, "begun", G_CALLBACK (on_begun), page, 0);
}

static void
on_accepted (gpointer window)
{
  gtk_widget_activate_action (window, "win.record-explain-start", NULL);
}

static void
ask (RecordPage *page)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritTarget) target = form_target (page->form, &error);
  g_autofree char *text = NULL;

  if (page->question)
    gtk_window_destroy (page->question);
  if (!target) /* The form may have changed since the plan was asked for. */
    {
      fail (page, error->message);
      return;
    }
  text = g_strdup_printf ("%s, like “%s”. %s", form_target_title (target), page->peaks_run, page->plan);
  g_set_weak_pointer (&page->question, compat_ask (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (page))),
                                                   "Explain peaks?", text, "Cancel", "Start", FALSE, on_accepted));
  gtk_window_present (page->question);
}

typedef struct
{
  char *run;
  JsonObject *settings;
} Peaks;

static void
peaks_free (gpointer data)
{
  Peaks *peaks = data;

  g_free (peaks->run);
  json_object_unref (peaks->settings);
  g_free (peaks);
}

/* In a thread. "": nothing is missing. */
static gpointer
read_plan (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Peaks *peaks = data;
  const CulpritExplaining explaining = { .run = peaks->run,
                                         .settings = peaks->settings,
                                         .captures = CULPRIT_EXPLAIN_CAPTURES };
  g_autoptr (CulpritExplanation) explanation = culprit_study_explanation (study, peaks->run, NULL, error);
  char *plan = explanation ? culprit_explaining_plan (&explaining, explanation) : NULL;

  return explanation && !plan ? g_strdup ("") : plan;
}

static void
on_plan (GObject *owner, gpointer result, const GError *error)
{
  RecordPage *page = RECORD_PAGE (owner);
  g_autofree char *plan = result;
  g_autofree char *none =
      g_strdup_printf ("There are captures of each peak of “%s” that can be looked into.", page->peaks_run);

  if (error)
    fail (page, error->message);
  else if (!*plan)
    g_signal_emit_by_name (culprit_document_view_document (page), "done", none, "Show", "win.page::latency");
  else if (!page->job)
    {
      set_plan (page, plan);
      ask (page);
    }
}

/* Sets the form to what @text says, as of form_fill(), and records; NULL: with the form as it is. */
static void
begin (RecordPage *page, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

  leave_fields (page);
  if (page->job)
    problem = g_strdup ("Already recording; stop it or wait until it finishes");
  else if (!text || form_fill (page->form, text, &error))
    problem = find_problem (page);
  if (!problem && !error && start (page, &error))
    return;
  fail (page, problem ? problem : error->message);
}

gboolean
record_page_recording (RecordPage *page)
{
  return page->job != NULL;
}

/* As its button and the action "recording" do. */
static void
record (RecordPage *page)
{
  begin (page, NULL);
}

/* Stops in order, where something is being recorded. */
static void
stop (RecordPage *page)
{
  if (!page->job)
    return;
  page->stopping = TRUE;
  live_view_stopping (page->live);
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_PROGRESS]);
  show_state (page);
  recording_job_stop (page->job);
}

/* Examines the target of the form, unless that or a recording is going on. */
static void
check (RecordPage *page)
{
  g_autoptr (GError) error = NULL;
  CulpritTarget *target;

  if (page->job || record_findings_busy (page->findings))
    return;
  target = form_target (page->form, &error);
  if (!target)
    {
      fail (page, error->message);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (page->views), "findings");
  record_findings_examine (page->findings, target);
  show_state (page);
}

/* The widget. */

static void
page_opened (CulpritDocumentView *view)
{
  RecordPage *page = RECORD_PAGE (view);

  record_form_keep (page->form, culprit_document_path (culprit_document_view_document (page)));
}

static void
page_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  RecordPage *page = RECORD_PAGE (object);

  if (property == PROPERTY_RECORDING)
    g_value_set_boolean (value, page->job != NULL);
  else if (property == PROPERTY_PLAN)
    g_value_set_string (value, page->plan ? page->plan : "");
  else if (property == PROPERTY_FORM_WIDTH)
    g_value_set_int (value, gtk_paned_get_position (page->content));
  else
    g_value_take_string (value, live_view_progress (page->live));
}

static void
page_dispose (GObject *object)
{
  RecordPage *page = RECORD_PAGE (object);

  if (page->job)
    recording_job_stop (page->job);
  g_clear_object (&page->job);
  g_clear_handle_id (&page->reload, g_source_remove);
  g_clear_weak_pointer (&page->question);
  g_clear_pointer (&page->peaks_run, g_free);
  g_clear_pointer (&page->plan, g_free);
  G_OBJECT_CLASS (record_page_parent_class)->dispose (object);
}

/* Fills in that the task of this name is measured. */
static void
measure (RecordPage *page, const char *task)
{
  if (page->job)
    return;
  leave_fields (page);
  record_form_set (page->form, "measure", "wakeup");
  record_form_set (page->form, "wakeup_of", task);
  record_form_focus (page->form, "wakeup_of");
}

static void
on_position (RecordPage *page)
{
  g_object_notify_by_pspec (G_OBJECT (page), properties[PROPERTY_FORM_WIDTH]);
}

static void
record_page_class_init (RecordPageClass *class)
{
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->opened = page_opened;
  G_OBJECT_CLASS (class)->get_property = page_get_property;
  G_OBJECT_CLASS (class)->dispose = page_dispose;
  properties[PROPERTY_RECORDING] =
      g_param_spec_boolean ("recording", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_PROGRESS] =
      g_param_spec_string ("progress", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_PLAN] = g_param_spec_string ("plan", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_FORM_WIDTH] =
      g_param_spec_int ("form-width", NULL, NULL, 0, G_MAXINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), PROPERTIES, properties);
  ensure_types (CULPRIT_TYPE_PROOF_VIEW, LIVE_TYPE_VIEW, RECORD_TYPE_FINDINGS, RECORD_TYPE_FORM);
  widget_class_set_template (class, "record/record-page.ui");
  widget_class_bind_children (class, RecordPage, content, form, views, live, findings, proof, problem, check, record,
                              stop);
  widget_class_bind_callbacks (class, on_position, show_state, check, measure, record, stop);
}

static void
record_page_init (RecordPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  show_state (page);
}

/* The window's actions. */

static void
show_page (RecordPage *page)
{
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "record");
}

/* Shows the page to fill in its form. FALSE: it is needed as it is. */
static gboolean
may_fill (RecordPage *page, const char *what)
{
  g_autofree char *problem = g_strdup_printf ("A recording is running; %s when it has finished", what);

  show_page (page);
  fail (page, page->job ? problem : "");
  if (!page->job)
    leave_fields (page);
  return page->job == NULL;
}

static void
record_band (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;
  const char *run;
  gint64 low_ns;
  gint64 high_ns;

  g_variant_get (value, "(&sxx)", &run, &low_ns, &high_ns);
  if (may_fill (page, "set the band"))
    form_next_band (page->form, culprit_document_view_document (page), run, low_ns, high_ns);
}

static void
record_threshold (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;
  const char *run;
  gint64 threshold_ns;

  g_variant_get (value, "(&sx)", &run, &threshold_ns);
  if (may_fill (page, FILL_IN))
    form_next_threshold (page->form, culprit_document_view_document (page), run, threshold_ns);
}

static void
record_in_turn (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;

  if (may_fill (page, FILL_IN))
    form_next_in_turn (page->form, culprit_document_view_document (page), g_variant_get_string (value, NULL));
}

static void
record_delay (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;
  const char *run;
  const char *function;

  g_variant_get (value, "(&s&s)", &run, &function);
  if (may_fill (page, FILL_IN))
    form_next_delay (page->form, culprit_document_view_document (page), run, function);
}

/* Asks whether to record what is missing to explain the peaks of a run; to start, as the answer does. */
static void
record_explain (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;
  const char *run = g_variant_get_string (value, NULL);
  CulpritDocument *document = culprit_document_view_document (page);
  g_autofree char *problem = NULL;
  Peaks *peaks;

  if (!may_fill (page, "explain peaks") || !form_next_explanation (page->form, document, run))
    return;
  problem = find_problem (page);
  if (problem)
    {
      fail (page, problem);
      return;
    }
  set_plan (page, NULL);
  g_free (page->peaks_run);
  page->peaks_run = g_strdup (run);
  peaks = g_new (Peaks, 1);
  *peaks = (Peaks) { g_strdup (run), form_explaining (page->form) };
  culprit_document_view_read (page, read_plan, peaks, peaks_free, on_plan, g_free);
}

static void
record_explain_start (GSimpleAction *action, GVariant *value, gpointer page)
{
  start_explaining (page);
}

/* The last proof for a function. */
static void
record_proof (GSimpleAction *action, GVariant *value, gpointer data)
{
  show_page (data);
  show_proof (data, NULL, g_variant_get_string (value, NULL));
}

static void
record_like (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;
  const char *run;
  const char *graph;
  gint64 captures;

  g_variant_get (value, "(&s&sx)", &run, &graph, &captures);
  if (may_fill (page, FILL_IN))
    form_like (page->form, culprit_document_view_document (page), run, graph, captures);
}

static void
record_start (GSimpleAction *action, GVariant *value, gpointer page)
{
  begin (page, g_variant_get_string (value, NULL));
  show_page (page);
}

static void
record_stop (GSimpleAction *action, GVariant *value, gpointer page)
{
  stop (page);
}

static void
record_check (GSimpleAction *action, GVariant *value, gpointer page)
{
  check (page);
  show_page (page);
}

/* Chooses the virtual machine as the target, unless a recording is going on. */
static void
record_vm (GSimpleAction *action, GVariant *value, gpointer data)
{
  RecordPage *page = data;

  show_page (page);
  if (page->job)
    return;
  leave_fields (page);
  record_form_set (page->form, "target", "vm");
  record_form_focus (page->form, "vm_kernel");
}

/* To true it records what the form says. */
static void
change_recording (GSimpleAction *action, GVariant *value, gpointer page)
{
  if (g_variant_get_boolean (value))
    record (page);
  else
    stop (page);
}

static void
on_recording (RecordPage *page, GParamSpec *spec, GSimpleAction *action)
{
  g_simple_action_set_state (action, g_variant_new_boolean (record_page_recording (page)));
  if (record_page_recording (page))
    fail (page, "");
}

static void
on_plan_changed (RecordPage *page, GParamSpec *spec, GSimpleAction *action)
{
  g_simple_action_set_state (action, g_variant_new_string (page->plan ? page->plan : ""));
}

static const GActionEntry actions[] = {
  { .name = "record-band", .activate = record_band, .parameter_type = "(sxx)" },
  { .name = "record-delay", .activate = record_delay, .parameter_type = "(ss)" },
  { .name = "record-explain", .activate = record_explain, .parameter_type = "s" },
  { .name = "record-explain-start", .activate = record_explain_start, .state = "''" },
  { .name = "record-proof", .activate = record_proof, .parameter_type = "s" },
  { .name = "record-like", .activate = record_like, .parameter_type = "(ssx)" },
  { .name = "record-threshold", .activate = record_threshold, .parameter_type = "(sx)" },
  { .name = "record-in-turn", .activate = record_in_turn, .parameter_type = "s" },
  { .name = "record-start", .activate = record_start, .parameter_type = "s" },
  { .name = "record-stop", .activate = record_stop },
  { .name = "record-vm", .activate = record_vm },
  { .name = "record-check", .activate = record_check },
  { .name = "recording", .state = "false", .change_state = change_recording },
};

void
record_actions_add (GActionMap *map, RecordPage *page)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), page);
  g_signal_connect_object (page, "notify::plan", G_CALLBACK (on_plan_changed),
                           g_action_map_lookup_action (map, "record-explain-start"), 0);
  g_signal_connect_object (page, "notify::recording", G_CALLBACK (on_recording),
                           g_action_map_lookup_action (map, "recording"), 0);
}
