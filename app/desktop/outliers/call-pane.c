/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the facts about the chosen call. Finding the calls of a function takes a while in a large capture, so it is
 * done only when the function changes. How it compares with ordinary wake-ups is read from the study. */
#include "outliers/call-pane.h"

#include "capture/capture.h"
#include "names.h"
#include "show.h"
#include "study/standing.h"
#include "timeline/timeline.h"
#include "units.h"

#define MOST_CALLEES 4

struct _CulpritCallPane
{
  CulpritDocumentView parent;
  CulpritTimelineView *view;
  char *key;                    /* of the function of @same; NULL: none */
  CulpritContext context;       /* the context in which it is compared */
  CulpritTimelineMatches *same; /* the calls of that function */
  GtkWidget *content;
  GtkWidget *name;
  GtkWidget *where;
  GtkWidget *times;
  GtkWidget *steps;
  GtkWidget *previous;
  GtkWidget *next;
  GtkWidget *standing;
  GtkWidget *others;
};

G_DEFINE_FINAL_TYPE (CulpritCallPane, culprit_call_pane, CULPRIT_TYPE_DOCUMENT_VIEW)

static void
clear (GtkWidget *container)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (container)))
    gtk_widget_unparent (child);
}

/* Buttons that choose other calls. */

static void
go_to (CulpritCallPane *pane, CulpritTimelinePlace place)
{
  if (place.span != CULPRIT_TIMELINE_NONE)
    culprit_timeline_view_choose (pane->view, place);
  gtk_widget_grab_focus (GTK_WIDGET (pane->view));
}

static void
on_previous (GtkButton *button, CulpritCallPane *pane)
{
  CulpritTimelinePlace place;

  if (pane->same && culprit_timeline_view_get_chosen (pane->view, &place))
    go_to (pane, culprit_timeline_matches_previous (pane->same, place));
}

static void
on_next (GtkButton *button, CulpritCallPane *pane)
{
  CulpritTimelinePlace place;

  if (pane->same && culprit_timeline_view_get_chosen (pane->view, &place))
    go_to (pane, culprit_timeline_matches_next (pane->same, place));
}

static void
on_link (GtkButton *button, CulpritCallPane *pane)
{
  go_to (pane, *(CulpritTimelinePlace *) g_object_get_data (G_OBJECT (button), "place"));
}

/* Texts. */

static void
add_time (CulpritCallPane *pane, const char *what, const char *time)
{
  GtkWidget *left = show_label_new (what);
  GtkWidget *right = show_label_new (time);
  int row = 0;

  while (gtk_grid_get_child_at (GTK_GRID (pane->times), 0, row))
    row++;
  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_label_set_xalign (GTK_LABEL (right), 1);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_label_set_wrap (GTK_LABEL (right), TRUE);
  gtk_widget_add_css_class (left, "dim-label");
  gtk_widget_add_css_class (right, "numeric");
  gtk_grid_attach (GTK_GRID (pane->times), left, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (pane->times), right, 1, row, 1, 1);
}

static void
add_ns (CulpritCallPane *pane, const char *what, guint64 time_ns)
{
  g_autofree char *time = culprit_time_format (time_ns);

  add_time (pane, what, time);
}

static void
show_times (CulpritCallPane *pane, const CulpritTimelineFacts *facts, guint64 rank)
{
  const CulpritTimelineCall *call = &facts->call;
  gboolean before = facts->from_expected_ns < 0;
  g_autofree char *number = NULL;

  clear (pane->times);
  add_ns (pane, call->depth < 0 ? "On the CPU, with tracing" : "Duration, with tracing", facts->length_ns);
  add_ns (pane, call->depth < 0 ? "Outside calls, with tracing" : "Own time, with tracing", call->self_ns);
  add_ns (pane, call->depth < 0 ? "Outside calls, without tracing" : "Own time, without tracing", facts->untraced_ns);
  if (call->off_cpu_ns > 0)
    add_ns (pane, "Off the CPU", call->off_cpu_ns);
  if (facts->has_expected)
    add_ns (pane, before ? "Starts before expected" : "Starts after expected", ABS (facts->from_expected_ns));
  if (rank == 0)
    return;
  number = g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, rank,
                            culprit_timeline_matches_calls (pane->same));
  add_time (pane, "Call in this capture", number);
}

static void
show_name (CulpritCallPane *pane, const CulpritTimelineCall *call)
{
  g_autofree char *key = culprit_function_key (call->name, call->module, call->ordinal);
  g_autofree char *where = NULL;

  if (call->depth < 0 || call->pid == 0)
    where = g_strdup_printf ("%s, CPU %u", culprit_context_words[call->context].title, call->cpu);
  else
    where = g_strdup_printf ("%s, CPU %u, %s-%d", culprit_context_words[call->context].title, call->cpu,
                             *call->comm ? call->comm : "task", call->pid);
  show_line (pane->name, *call->name ? key : "task");
  show_line (pane->where, where);
}

static void
add_heading (CulpritCallPane *pane, const char *text)
{
  GtkWidget *heading = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "dim-label");
  gtk_box_append (GTK_BOX (pane->others), heading);
}

/* A button that chooses the call at @place. */
static void
add_link (CulpritCallPane *pane, const char *name, const char *what, const CulpritTimelinePlace *place)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *left = show_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (left), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_widget_set_hexpand (left, TRUE);
  show_tooltip (left, name);
  gtk_box_append (GTK_BOX (row), left);
  gtk_box_append (GTK_BOX (row), show_label_new (what));
  gtk_button_set_child (GTK_BUTTON (button), row);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "call-link");
  g_object_set_data_full (G_OBJECT (button), "place", g_memdup2 (place, sizeof *place), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_link), pane);
  gtk_box_append (GTK_BOX (pane->others), button);
}

static void
add_callee (CulpritCallPane *pane, const CulpritTimelineCallee *callee)
{
  g_autofree char *name = culprit_function_label (callee->function->name, callee->function->ordinal);
  g_autofree char *time = culprit_time_format (callee->total_ns);
  g_autofree char *what =
      callee->calls > 1 ? g_strdup_printf ("%s in %" G_GUINT64_FORMAT " calls", time, callee->calls) : g_strdup (time);

  add_link (pane, name, what, &callee->longest);
}

static void
show_others (CulpritCallPane *pane, const CulpritTimelineFacts *facts)
{
  CulpritTimeline *timeline = culprit_timeline_view_get_timeline (pane->view);
  CulpritTimelineCall caller;
  g_autofree char *other = culprit_time_format (facts->other_ns);
  g_autofree char *rest = g_strdup_printf ("others: %s", other);

  clear (pane->others);
  if (facts->caller.span != CULPRIT_TIMELINE_NONE)
    {
      culprit_timeline_describe (timeline, facts->caller.lane, facts->caller.span, &caller);
      add_heading (pane, caller.depth < 0 ? "In the task" : "Called from");
      add_link (pane, *caller.name ? caller.name : "task", "", &facts->caller);
    }
  if (facts->callees->len > 0)
    add_heading (pane, "Calls");
  for (guint i = 0; i < facts->callees->len; i++)
    add_callee (pane, &g_array_index (facts->callees, CulpritTimelineCallee, i));
  if (facts->other_ns > 0)
    add_heading (pane, rest);
}

/* Comparison with ordinary wake-ups. */

typedef struct
{
  gint64 capture;
  char *key;
  CulpritContext context;
} Asked;

static void
free_asked (gpointer data)
{
  g_free (((Asked *) data)->key);
  g_free (data);
}

static gpointer
read_standing (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;
  CulpritStanding standing;

  return culprit_query_standing (study, asked->capture, asked->key, asked->context, &standing, error)
             ? culprit_standing_in_words (&standing)
             : NULL;
}

static void
on_standing (GObject *owner, gpointer result, const GError *error)
{
  g_autofree char *words = result;

  show_line (CULPRIT_CALL_PANE (owner)->standing, error ? error->message : words);
}

static void
ask_standing (CulpritCallPane *pane, const CulpritTimelineCall *call)
{
  Asked *asked = g_new (Asked, 1);

  *asked =
      (Asked) { culprit_document_capture (culprit_document_view_document (pane)), g_strdup (pane->key), call->context };
  culprit_document_view_read (pane, read_standing, asked, free_asked, on_standing, g_free);
}

/* Contents. */

static void
forget_same (CulpritCallPane *pane)
{
  g_clear_pointer (&pane->key, g_free);
  g_clear_pointer (&pane->same, culprit_timeline_matches_free);
}

/* Finds the calls of the function of @call, unless they are known. */
static void
find_same (CulpritCallPane *pane, const CulpritTimelineCall *call)
{
  g_autofree char *key = call->depth < 0 ? NULL : culprit_function_key (call->name, call->module, call->ordinal);

  if (g_strcmp0 (key, pane->key) == 0 && call->context == pane->context)
    return;
  forget_same (pane);
  gtk_label_set_label (GTK_LABEL (pane->standing), "");
  if (!key)
    return;
  pane->context = call->context;
  pane->key = g_steal_pointer (&key);
  pane->same = culprit_timeline_match (culprit_timeline_view_get_timeline (pane->view), pane->key);
  ask_standing (pane, call);
}

static void
show_call (CulpritCallPane *pane, CulpritTimelinePlace place)
{
  g_autoptr (CulpritTimelineFacts) facts =
      culprit_timeline_facts (culprit_timeline_view_get_timeline (pane->view), &place, MOST_CALLEES);
  CulpritTimelinePlace before;
  CulpritTimelinePlace after;

  find_same (pane, &facts->call);
  show_name (pane, &facts->call);
  show_times (pane, facts, pane->same ? culprit_timeline_matches_rank (pane->same, place) : 0);
  show_others (pane, facts);
  gtk_widget_set_visible (pane->steps, pane->same != NULL);
  if (!pane->same)
    return;
  before = culprit_timeline_matches_previous (pane->same, place);
  after = culprit_timeline_matches_next (pane->same, place);
  gtk_widget_set_sensitive (pane->previous, before.span != CULPRIT_TIMELINE_NONE);
  gtk_widget_set_sensitive (pane->next, after.span != CULPRIT_TIMELINE_NONE);
}

/* The calls that are known belong to the previous timeline. */
static void
follow (CulpritCallPane *pane)
{
  CulpritTimelinePlace place;
  gboolean chosen = pane->view && culprit_timeline_view_get_chosen (pane->view, &place);

  if (!chosen)
    forget_same (pane);
  gtk_stack_set_visible_child_name (GTK_STACK (pane->content), chosen ? "call" : "none");
  if (chosen && gtk_widget_get_mapped (GTK_WIDGET (pane)))
    show_call (pane, place);
}

void
culprit_call_pane_set_view (CulpritCallPane *pane, CulpritTimelineView *view)
{
  pane->view = view;
  g_signal_connect_object (view, "call-chosen", G_CALLBACK (follow), pane, G_CONNECT_SWAPPED);
}

/* The widget. */

static void
pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_call_pane_parent_class)->map (widget);
  follow (CULPRIT_CALL_PANE (widget));
}

static void
pane_dispose (GObject *object)
{
  forget_same (CULPRIT_CALL_PANE (object));
  G_OBJECT_CLASS (culprit_call_pane_parent_class)->dispose (object);
}

static void
culprit_call_pane_class_init (CulpritCallPaneClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = pane_dispose;
  widget->map = pane_map;
  widget_class_set_template (class, "outliers/call-pane.ui");
  widget_class_bind_children (class, CulpritCallPane, content, name, where, times, steps, previous, next, standing,
                              others);
  widget_class_bind_callbacks (class, on_previous, on_next);
}

static void
culprit_call_pane_init (CulpritCallPane *pane)
{
  gtk_widget_init_template (GTK_WIDGET (pane));
}
