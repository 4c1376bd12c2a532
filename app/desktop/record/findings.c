/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a headline and one row per finding, then one per real-time task. */
#include "record/findings.h"

#include "background.h"
#include "json.h"
#include "record/doctor.h"
#include "record/form-request.h"
#include "record/session.h"
#include "record/target.h"
#include "show.h"
#include "units.h"
#include "widgets.h"

struct _RecordFindings
{
  AdwBin parent;
  GtkWidget *spinner;
  GtkWidget *headline;
  GtkWidget *next; /* what can be done about them */
  GtkWidget *machine;
  GtkWidget *list;
  GtkWidget *tasks; /* and what is said about them */
  GtkWidget *task_list;
  gboolean busy;
  char *checked;        /* the target of the last check with a result, as it names itself; NULL: there was none */
  GPtrArray *all;       /* what that found, of CulpritFinding; NULL: likewise */
  GCancellable *closed; /* cancelled when the window is gone */
};

G_DEFINE_FINAL_TYPE (RecordFindings, record_findings, ADW_TYPE_BIN)

static guint checked;
static guint measure;

static const char *const icons[] = { "dialog-error-symbolic", "dialog-warning-symbolic", "dialog-information-symbolic",
                                     "object-select-symbolic" };

static void
on_copy (GtkButton *button, gpointer data)
{
  const char *fix = g_object_get_data (G_OBJECT (button), "fix");

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), fix);
  gtk_button_set_label (button, "Copied");
}

/* The command, and a button that copies it. */
static GtkWidget *
make_fix (const char *fix)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = show_label_new (fix);
  GtkWidget *copy = gtk_button_new_with_label ("Copy");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "command");
  gtk_widget_set_valign (copy, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (copy, "Copy this command, to run it as root on the target");
  g_object_set_data_full (G_OBJECT (copy), "fix", g_strdup (fix), g_free);
  g_signal_connect (copy, "clicked", G_CALLBACK (on_copy), NULL);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), copy);
  return box;
}

static void
add_row (RecordFindings *findings, CulpritSeverity severity, const char *text, const char *fix)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *icon = gtk_image_new_from_icon_name (icons[severity]);
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  show_tooltip (icon, culprit_severity_name (severity));
  gtk_widget_add_css_class (icon, culprit_severity_name (severity));
  gtk_box_append (GTK_BOX (words), label);
  if (fix)
    gtk_box_append (GTK_BOX (words), make_fix (fix));
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), words);
  gtk_widget_add_css_class (box, "finding");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_append (GTK_LIST_BOX (findings->list), row);
}

static void
on_measure (GtkButton *button, RecordFindings *findings)
{
  g_signal_emit (findings, measure, 0, g_object_get_data (G_OBJECT (button), "task"));
}

/* Whether a task called @name can be named: other characters could end what the kernel is told, and digits are a pid.
 */
static gboolean
is_plain (const char *name)
{
  return *name && !strpbrk (name, "\"'\\;") && g_str_is_ascii (name) && strspn (name, "0123456789") < strlen (name);
}

static void
add_task (RecordFindings *findings, const CulpritTaskFacts *task)
{
  static const char *const policies[][2] = { { "fifo", "SCHED_FIFO" }, { "rr", "SCHED_RR" } };
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_label ("Measure");
  g_autofree char *name = shown_escaped (task->comm);
  g_autofree char *tip = g_strdup_printf ("Measure how late %s runs", task->comm);
  GString *about = g_string_new (NULL);
  const char *policy = "SCHED_DEADLINE";

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    if (g_strcmp0 (task->policy, policies[i][0]) == 0)
      policy = policies[i][1];
  g_string_printf (about, "pid %" G_GINT64_FORMAT ", %s", task->pid, policy);
  if (task->priority > 0)
    g_string_append_printf (about, " %" G_GINT64_FORMAT, task->priority);
  g_string_append_printf (about, ", CPU %" G_GINT64_FORMAT, task->cpu);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), about->str);
  g_string_free (about, TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  show_tooltip (button, tip);
  show_to_reader (button, GTK_ACCESSIBLE_PROPERTY_LABEL, tip);
  g_object_set_data_full (
      G_OBJECT (button), "task",
      is_plain (task->comm) ? g_strdup (task->comm) : g_strdup_printf ("%" G_GINT64_FORMAT, task->pid), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_measure), findings);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  gtk_list_box_append (GTK_LIST_BOX (findings->task_list), row);
}

static void
clear_list (GtkWidget *list)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0)))
    gtk_list_box_remove (GTK_LIST_BOX (list), GTK_WIDGET (row));
}

static void
clear (RecordFindings *findings)
{
  clear_list (findings->list);
  clear_list (findings->task_list);
  gtk_widget_set_visible (findings->list, FALSE);
  gtk_widget_set_visible (findings->tasks, FALSE);
  gtk_widget_set_visible (findings->next, FALSE);
}

/* Whether nothing can be captured there. */
static gboolean
is_blocked (const GPtrArray *all)
{
  return !all ||
         (all->len > 0 && ((const CulpritFinding *) g_ptr_array_index (all, 0))->severity == CULPRIT_FINDING_FAILS);
}

static void
add_count (GString *text, guint n, const char *what)
{
  if (n > 0)
    g_string_append_printf (text, "; %u %s%s", n, what, culprit_plural (n));
}

/* For example "board: cannot capture until 1 blocker is fixed; 2 warnings; 3 hints". The caller owns it. */
static char *
sum_up (const char *target, const GPtrArray *all)
{
  guint counts[CULPRIT_FINDING_GOOD + 1] = { 0 };
  GString *text = g_string_new (target);

  for (guint i = 0; i < all->len; i++)
    counts[((const CulpritFinding *) g_ptr_array_index (all, i))->severity]++;
  if (counts[CULPRIT_FINDING_FAILS] > 0)
    g_string_append_printf (text, ": cannot capture until %u blocker%s fixed", counts[CULPRIT_FINDING_FAILS],
                            counts[CULPRIT_FINDING_FAILS] == 1 ? " is" : "s are");
  else
    g_string_append (text, counts[CULPRIT_FINDING_SPOILS] > 0 ? ": results will be distorted" : ": ready to measure");
  add_count (text, counts[CULPRIT_FINDING_SPOILS], "warning");
  add_count (text, counts[CULPRIT_FINDING_HINT], "hint");
  return g_string_free (text, FALSE);
}

static void
show (RecordFindings *findings,
      const char *target,
      const GPtrArray *all,
      const CulpritMessage *facts,
      const GError *error)
{
  g_autofree char *headline = all ? sum_up (target, all) : g_strdup_printf ("Cannot check %s", target);
  g_autofree char *problem = error ? culprit_target_error_words (error, target, CULPRIT_IN_WINDOW) : NULL;

  show_line (findings->headline, headline);
  if (problem)
    add_row (findings, CULPRIT_FINDING_FAILS, problem, NULL);
  for (guint i = 0; all && i < all->len; i++)
    {
      const CulpritFinding *finding = g_ptr_array_index (all, i);
      g_autofree char *words = culprit_finding_words (finding, CULPRIT_IN_WINDOW);

      add_row (findings, finding->severity, words, finding->fix);
    }
  for (guint i = 0; facts && i < facts->facts.tasks->len; i++)
    add_task (findings, &g_array_index (facts->facts.tasks, CulpritTaskFacts, i));
  gtk_widget_set_visible (findings->list, TRUE);
  gtk_widget_set_visible (findings->tasks,
                          gtk_list_box_get_row_at_index (GTK_LIST_BOX (findings->task_list), 0) != NULL);
}

/* Examining. */

static void
examine (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CulpritMessage *facts = culprit_session_examine (data, cancellable, &error);

  if (facts)
    g_task_return_pointer (task, facts, (GDestroyNotify) culprit_message_unref);
  else
    g_task_return_error (task, error);
}

/* What tells targets apart that may be found different. The caller owns it. */
static char *
name_of (const CulpritTarget *target)
{
  const char *kernel = json_member_text (target->vm, "kernel");
  const char *arch = json_member_text (target->vm, "arch");

  return g_strdup_printf ("%s %s %s", target->name, kernel ? kernel : "", arch ? arch : "");
}

static void
on_examined (GObject *source, GAsyncResult *result, gpointer data)
{
  RecordFindings *findings = RECORD_FINDINGS (source);
  const CulpritTarget *target = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritMessage) facts = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GPtrArray) all = facts ? culprit_doctor_examine (&facts->facts) : NULL;

  findings->busy = FALSE;
  if (g_cancellable_is_cancelled (findings->closed))
    return;
  g_clear_pointer (&findings->checked, g_free);
  g_clear_pointer (&findings->all, g_ptr_array_unref);
  if (all)
    {
      findings->checked = name_of (target);
      findings->all = g_ptr_array_ref (all);
    }
  gtk_spinner_stop (GTK_SPINNER (findings->spinner));
  gtk_widget_set_visible (findings->spinner, FALSE);
  show (findings, form_target_title (target), all, facts, error);
  gtk_widget_set_visible (findings->next, TRUE);
  gtk_widget_set_visible (findings->machine, target->kind != CULPRIT_TARGET_VM && is_blocked (all));
  g_signal_emit (findings, checked, 0);
}

void
record_findings_examine (RecordFindings *findings, CulpritTarget *target)
{
  g_autoptr (GTask) task = g_task_new (findings, findings->closed, on_examined, NULL);
  g_autofree char *headline = g_strdup_printf ("Checking %s…", form_target_title (target));

  findings->busy = TRUE;
  clear (findings);
  show_line (findings->headline, headline);
  gtk_widget_set_visible (findings->spinner, TRUE);
  gtk_spinner_start (GTK_SPINNER (findings->spinner));
  g_task_set_task_data (task, target, (GDestroyNotify) culprit_target_free);
  background_run (task, examine);
}

gboolean
record_findings_busy (RecordFindings *findings)
{
  return findings->busy;
}

char *
record_findings_blocker (RecordFindings *findings, const CulpritTarget *target, JsonObject *request)
{
  g_autofree char *name = name_of (target);
  const CulpritFinding *finding =
      findings->all && g_str_equal (findings->checked, name) ? culprit_doctor_blocker (findings->all, request) : NULL;

  return finding ? culprit_finding_words (finding, CULPRIT_IN_WINDOW) : NULL;
}

/* The widget. */

static void
findings_dispose (GObject *object)
{
  g_cancellable_cancel (RECORD_FINDINGS (object)->closed);
  G_OBJECT_CLASS (record_findings_parent_class)->dispose (object);
}

static void
findings_finalize (GObject *object)
{
  g_object_unref (RECORD_FINDINGS (object)->closed);
  g_free (RECORD_FINDINGS (object)->checked);
  g_clear_pointer (&RECORD_FINDINGS (object)->all, g_ptr_array_unref);
  G_OBJECT_CLASS (record_findings_parent_class)->finalize (object);
}

/* An examination holds the widget: what is shown must not live longer than the window. */
static void
findings_unroot (GtkWidget *widget)
{
  g_cancellable_cancel (RECORD_FINDINGS (widget)->closed);
  GTK_WIDGET_CLASS (record_findings_parent_class)->unroot (widget);
}

static void
record_findings_class_init (RecordFindingsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = findings_dispose;
  G_OBJECT_CLASS (class)->finalize = findings_finalize;
  GTK_WIDGET_CLASS (class)->unroot = findings_unroot;
  checked = g_signal_new ("checked", RECORD_TYPE_FINDINGS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  measure = g_signal_new ("measure", RECORD_TYPE_FINDINGS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                          G_TYPE_STRING);
  widget_class_set_template (class, "record/findings.ui");
  widget_class_bind_children (class, RecordFindings, spinner, headline, next, machine, list, tasks, task_list);
}

static void
record_findings_init (RecordFindings *findings)
{
  gtk_widget_init_template (GTK_WIDGET (findings));
  findings->closed = g_cancellable_new ();
}
