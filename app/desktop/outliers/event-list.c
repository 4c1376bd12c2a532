/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list model that reads events a page at a time, when their rows come into view, and the list that shows it. */
#include "outliers/event-list.h"

#include "compat.h"
#include "names.h"
#include "show.h"
#include "widgets.h"

#define PAGE_EVENTS 256 /* read at once: finding the first takes longer than reading the others */
#define MOST_ROWS (G_MAXUINT - 1)

/* One event, as an item of the model. */

#define CULPRIT_TYPE_EVENT (culprit_event_get_type ())
G_DECLARE_FINAL_TYPE (CulpritEvent, culprit_event, CULPRIT, EVENT, GObject)

struct _CulpritEvent
{
  GObject parent;
  CulpritTimelineEvent event;
  guint place;
};

G_DEFINE_FINAL_TYPE (CulpritEvent, culprit_event, G_TYPE_OBJECT)

static void
culprit_event_class_init (CulpritEventClass *class)
{
}

static void
culprit_event_init (CulpritEvent *event)
{
}

/* The model. */

#define CULPRIT_TYPE_EVENTS (culprit_events_get_type ())
G_DECLARE_FINAL_TYPE (CulpritEvents, culprit_events, CULPRIT, EVENTS, GObject)

struct _CulpritEvents
{
  GObject parent;
  CulpritTimelineEvents *events; /* NULL: there are none */
  guint n;
  GArray *page; /* of CulpritTimelineEvent, from page_first on */
  guint page_first;
};

static GType
events_item_type (GListModel *model)
{
  return CULPRIT_TYPE_EVENT;
}

static guint
events_n_items (GListModel *model)
{
  return CULPRIT_EVENTS (model)->n;
}

static gpointer
events_item (GListModel *model, guint place)
{
  CulpritEvents *events = CULPRIT_EVENTS (model);
  CulpritEvent *event;

  if (place >= events->n)
    return NULL;
  if (place < events->page_first || place >= events->page_first + events->page->len)
    {
      g_array_set_size (events->page, 0);
      events->page_first = place - place % PAGE_EVENTS;
      culprit_timeline_events_read (events->events, events->page_first, PAGE_EVENTS, events->page);
    }
  event = g_object_new (CULPRIT_TYPE_EVENT, NULL);
  event->event = g_array_index (events->page, CulpritTimelineEvent, place - events->page_first);
  event->place = place;
  return event;
}

static void
events_add_model (GListModelInterface *interface)
{
  interface->get_item_type = events_item_type;
  interface->get_n_items = events_n_items;
  interface->get_item = events_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CulpritEvents,
                               culprit_events,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, events_add_model))

static void
events_set_timeline (CulpritEvents *events, CulpritTimeline *timeline)
{
  guint before = events->n;

  g_clear_pointer (&events->events, culprit_timeline_events_free);
  events->events = timeline ? culprit_timeline_events_new (timeline) : NULL;
  events->n = timeline ? MIN (culprit_timeline_events_count (events->events), MOST_ROWS) : 0;
  g_array_set_size (events->page, 0);
  g_list_model_items_changed (G_LIST_MODEL (events), 0, before, events->n);
}

static void
events_finalize (GObject *object)
{
  CulpritEvents *events = CULPRIT_EVENTS (object);

  g_clear_pointer (&events->events, culprit_timeline_events_free);
  g_array_unref (events->page);
  G_OBJECT_CLASS (culprit_events_parent_class)->finalize (object);
}

static void
culprit_events_class_init (CulpritEventsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = events_finalize;
}

static void
culprit_events_init (CulpritEvents *events)
{
  events->page = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));
}

/* The place of the event that begins the span at @place. */
static guint
events_find (CulpritEvents *events, const CulpritTimelinePlace *place)
{
  guint first = culprit_timeline_events_before (events->events, place->start_ns);
  g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineEvent));

  culprit_timeline_events_read (events->events, first, PAGE_EVENTS, same);
  for (guint i = 0; i < same->len; i++)
    {
      const CulpritTimelineEvent *event = &g_array_index (same, CulpritTimelineEvent, i);

      if (event->lane == place->lane && event->span == place->span)
        return first + i;
    }
  return first;
}

/* The list. */

struct _CulpritEventList
{
  GtkWidget parent;
  CulpritTimelineView *view;
  CulpritTimeline *timeline; /* whose events are listed; NULL: none */
  CulpritEvents *events;
  GtkSingleSelection *selection;
  GtkWidget *content;
  GtkWidget *table;
  guint target;          /* the row to scroll to */
  guint scrolling;       /* the callback that waits for rows to have a height; 0: none */
  gboolean is_following; /* The selection is changing because the timeline's call has. */
};

G_DEFINE_FINAL_TYPE (CulpritEventList, culprit_event_list, GTK_TYPE_WIDGET)

/* What happened, indented by its depth: "→ hrtimer_interrupt". */
static char *
format_event (const CulpritTimelineEvent *event, const CulpritTimelineCall *call)
{
  static const char *const marks[] = { "→ ", "← ", "switch to " };
  g_autofree char *label = call->depth >= 0 ? culprit_function_label (call->name, call->ordinal)
                           : call->pid == 0 ? g_strdup ("idle")
                                            : g_strdup_printf ("%s-%d", *call->comm ? call->comm : "task", call->pid);

  return g_strdup_printf ("%*s%s%s", MAX (call->depth, 0), "", marks[event->kind], label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritEventList *list)
{
  const CulpritTimelineEvent *event = &CULPRIT_EVENT (gtk_list_item_get_item (item))->event;
  const char *column = g_object_get_data (G_OBJECT (factory), "column");
  CulpritTimelineCall call;
  g_autofree char *text = NULL;

  culprit_timeline_describe (list->timeline, event->lane, event->span, &call);
  if (g_str_equal (column, "time"))
    text = g_strdup_printf ("%.3f", (gint64) (event->at_ns - scene_zero_ns (list->timeline)) / 1000.0);
  else if (g_str_equal (column, "cpu"))
    text = g_strdup_printf ("%u", call.cpu);
  else
    text = format_event (event, &call);
  show_line (gtk_list_item_get_child (item), text);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritEventList *list)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_text = g_str_equal (g_object_get_data (G_OBJECT (factory), "column"), "event");

  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), is_text ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
add_column (CulpritEventList *list, const char *key, const char *title, gboolean expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);

  g_object_set_data (G_OBJECT (factory), "column", (gpointer) key);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), list);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), list);
  gtk_column_view_column_set_expand (column, expand);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (list->table), column);
}

/* The timeline shows the event that was selected here. */
static void
on_selected (CulpritEventList *list)
{
  CulpritEvent *event = gtk_single_selection_get_selected_item (list->selection);
  CulpritTimelineCall call;

  if (!event || list->is_following)
    return;
  list->is_following = TRUE;
  culprit_timeline_describe (list->timeline, event->event.lane, event->event.span, &call);
  culprit_timeline_view_choose (list->view,
                                (CulpritTimelinePlace) { event->event.lane, event->event.span, call.span_start_ns });
  list->is_following = FALSE;
}

/* Rows without a height cannot be scrolled to. */
static gboolean
scroll_to_target (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  CulpritEventList *list = CULPRIT_EVENT_LIST (widget);
  GtkWidget *first = gtk_widget_get_first_child (gtk_widget_get_last_child (list->table));

  if (!first || gtk_widget_get_height (first) == 0)
    return G_SOURCE_CONTINUE;
  compat_scroll_to (GTK_COLUMN_VIEW (list->table), list->target);
  list->scrolling = 0;
  return G_SOURCE_REMOVE;
}

/* Goes to the event that begins the chosen call or, if none is chosen, to the first one visible in the timeline. */
static void
follow (CulpritEventList *list)
{
  CulpritTimeline *timeline = culprit_timeline_view_get_timeline (list->view);
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  gboolean is_chosen = culprit_timeline_view_get_chosen (list->view, &place);
  guint64 end_ns;

  if (list->is_following || (timeline && !gtk_widget_get_mapped (GTK_WIDGET (list))))
    return;
  list->is_following = TRUE;
  if (timeline != list->timeline)
    {
      events_set_timeline (list->events, NULL);
      g_clear_pointer (&list->timeline, culprit_timeline_unref);
      list->timeline = timeline ? culprit_timeline_ref (timeline) : NULL;
      events_set_timeline (list->events, timeline);
    }
  if (timeline && (is_chosen || culprit_timeline_view_get_range (list->view, &place.start_ns, &end_ns)))
    {
      list->target = MIN (events_find (list->events, &place), list->events->n - 1);
      gtk_single_selection_set_selected (list->selection, is_chosen ? list->target : GTK_INVALID_LIST_POSITION);
      if (list->scrolling == 0)
        list->scrolling = gtk_widget_add_tick_callback (GTK_WIDGET (list), scroll_to_target, NULL, NULL);
    }
  list->is_following = FALSE;
}

void
culprit_event_list_set_view (CulpritEventList *list, CulpritTimelineView *view)
{
  list->view = view;
  g_signal_connect_object (view, "call-chosen", G_CALLBACK (follow), list, G_CONNECT_SWAPPED);
}

static void
list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_event_list_parent_class)->map (widget);
  follow (CULPRIT_EVENT_LIST (widget));
}

static void
list_dispose (GObject *object)
{
  CulpritEventList *list = CULPRIT_EVENT_LIST (object);

  g_clear_pointer (&list->content, gtk_widget_unparent);
  g_clear_object (&list->selection);
  g_clear_pointer (&list->timeline, culprit_timeline_unref);
  G_OBJECT_CLASS (culprit_event_list_parent_class)->dispose (object);
}

static void
culprit_event_list_class_init (CulpritEventListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = list_dispose;
  GTK_WIDGET_CLASS (class)->map = list_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
culprit_event_list_init (CulpritEventList *list)
{
  list->events = g_object_new (CULPRIT_TYPE_EVENTS, NULL);
  list->selection = gtk_single_selection_new (G_LIST_MODEL (list->events));
  gtk_single_selection_set_autoselect (list->selection, FALSE);
  gtk_single_selection_set_can_unselect (list->selection, TRUE);
  g_signal_connect_object (list->selection, "notify::selected", G_CALLBACK (on_selected), list, G_CONNECT_SWAPPED);
  list->table = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (list->selection)));
  gtk_widget_add_css_class (list->table, "data-table");
  show_to_reader (list->table, GTK_ACCESSIBLE_PROPERTY_LABEL, "Events");
  add_column (list, "time", "us", FALSE);
  add_column (list, "cpu", "CPU", FALSE);
  add_column (list, "event", "Event", TRUE);
  list->content = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (list->content), list->table);
  gtk_widget_set_vexpand (list->content, TRUE);
  gtk_widget_set_parent (list->content, GTK_WIDGET (list));
}
