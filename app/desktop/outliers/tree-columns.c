/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column is an entry in a table; the first shows the levels and lights the chosen function. */
#include "outliers/tree-columns.h"

#include "compat.h"
#include "explain.h"
#include "units.h"

/* With which times a column is shown. */
typedef enum
{
  WITH_BOTH,
  WITH_UNTRACED,
  WITH_TRACED,
} With;

typedef struct
{
  const char *title;
  const char *explain;
  guint width; /* in characters */
  char *(*text) (CulpritTreeRow *row);
  With with;
} TreeColumn;

static char *
time_or_nothing (guint64 time_ns)
{
  return time_ns > 0 ? culprit_time_format (time_ns) : g_strdup ("–");
}

static char *
label_text (CulpritTreeRow *row)
{
  return g_strdup (culprit_tree_row_label (row));
}

static char *
calls_text (CulpritTreeRow *row)
{
  guint64 calls = culprit_tree_row_node (row)->calls;

  return calls > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, calls) : g_strdup ("–");
}

static char *
total_text (CulpritTreeRow *row)
{
  return culprit_tree_row_together (row) > 0 ? g_strdup ("–")
                                             : culprit_time_format (culprit_tree_row_node (row)->total_ns);
}

static char *
own_text (CulpritTreeRow *row)
{
  return time_or_nothing (culprit_tree_row_node (row)->self_ns);
}

static char *
tracing_text (CulpritTreeRow *row)
{
  return time_or_nothing (culprit_tree_row_node (row)->tracing_ns);
}

static char *
untraced_text (CulpritTreeRow *row)
{
  const CulpritTreeNode *node = culprit_tree_row_node (row);

  return time_or_nothing (node->self_ns - node->tracing_ns);
}

static char *
with_callees_text (CulpritTreeRow *row)
{
  return culprit_time_format (culprit_tree_row_node (row)->untraced_ns);
}

static char *
off_cpu_text (CulpritTreeRow *row)
{
  return time_or_nothing (culprit_tree_row_node (row)->off_cpu_ns);
}

static char *
context_text (CulpritTreeRow *row)
{
  const CulpritTreeNode *node = culprit_tree_row_node (row);

  return g_strconcat (node->context < CULPRIT_CONTEXTS ? culprit_context_name (node->context) : "",
                      node->truncated > 0 ? " ~" : "", NULL);
}

static const TreeColumn columns[] = {
  { "Function", "The task and below it what it called, each once for each caller, what costs most first.", 17,
    label_text },
  { "Calls", "How often it was called from there.", 5, calls_text },
  { "With Callees", "Its untraced time with all that it called: by this the rows are ordered.", 11, with_callees_text,
    WITH_UNTRACED },
  { "Untraced", "Its own time, without what it called and without the tracer's.", 9, untraced_text, WITH_UNTRACED },
  { "Total", "From entry to exit, inside the late wake-up; of a task the time that it had the CPU.", 9, total_text,
    WITH_TRACED },
  { "Own", "Its own time, without what it called, with the tracer's.", 9, own_text, WITH_TRACED },
  { "Tracing", "What of its own time is the tracer's, at least.", 9, tracing_text, WITH_TRACED },
  { "Off CPU", "The part of the total in which its task did not have this CPU.", 9, off_cpu_text },
  { "Context",
    "Where it ran: the measured task, another task, an interrupt, idle. ~ marks calls of which the entry or the exit "
    "was not seen, so that their times are limits.",
    9, context_text },
};

#define LAST_NUMBER 7

/* Cells. */

static CulpritTreeRow *
item_row (GtkListItem *item)
{
  g_autoptr (CulpritTreeRow) row = gtk_tree_list_row_get_item (gtk_list_item_get_item (item));

  return row; /* the list keeps it */
}

static void
light (GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)));
  CulpritTreeRow *row = gtk_list_item_get_item (item) ? item_row (item) : NULL;
  const char *function = row ? culprit_tree_row_function (row) : NULL;

  if (function && g_strcmp0 (function, culprit_document_function (document)) == 0)
    gtk_widget_add_css_class (label, "lit");
  else
    gtk_widget_remove_css_class (label, "lit");
  if (row && culprit_tree_row_together (row) > 0)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, GtkListItem *item)
{
  light (item, document);
}

static void
on_setup_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), columns[0].width);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), item, 0);
}

static void
on_bind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  CulpritTreeRow *row = item_row (item);

  gtk_tree_expander_set_list_row (expander, gtk_list_item_get_item (item));
  gtk_label_set_label (GTK_LABEL (gtk_tree_expander_get_child (expander)), culprit_tree_row_label (row));
  gtk_widget_set_tooltip_text (GTK_WIDGET (expander), culprit_tree_row_label (row));
  light (item, document);
}

static void
on_unbind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, const TreeColumn *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column - columns <= LAST_NUMBER ? 1 : 0);
  gtk_label_set_width_chars (GTK_LABEL (label), column->width);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, const TreeColumn *column)
{
  g_autofree char *text = column->text (item_row (item));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text);
}

static gboolean
is_shown (const TreeColumn *column, CulpritTimes times)
{
  return column->with == WITH_BOTH || (column->with == WITH_TRACED) == (times == CULPRIT_TIMES_TRACED);
}

void
tree_columns_show (GtkColumnView *view, CulpritTimes times)
{
  GListModel *all = gtk_column_view_get_columns (view);
  guint place = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);

      gtk_column_view_column_set_visible (column, is_shown (&columns[i], times));
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      if (is_shown (&columns[i], times) && i > 0 && i <= LAST_NUMBER)
        compat_align_title (view, place);
      place += is_shown (&columns[i], times);
    }
}

void
tree_columns_add (GtkColumnView *view, CulpritDocument *document)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (columns[i].title, factory);

      if (i == 0)
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup_name), document);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind_name), document);
          g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind_name), document);
        }
      else
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) &columns[i]);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) &columns[i]);
        }
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == 0);
      gtk_column_view_append_column (view, column);
    }
}

/* Text. */

void
tree_columns_append_titles (GString *text, CulpritTimes times)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (is_shown (&columns[i], times))
      g_string_append_printf (text, "%s%c", columns[i].title, i + 1 < G_N_ELEMENTS (columns) ? '\t' : '\n');
}

void
tree_columns_append_text (GString *text, CulpritTreeRow *row, guint depth, CulpritTimes times)
{
  g_string_append_printf (text, "%*s", depth * 2, "");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *cell = is_shown (&columns[i], times) ? columns[i].text (row) : NULL;

      if (cell)
        g_string_append_printf (text, "%s%c", cell, i + 1 < G_N_ELEMENTS (columns) ? '\t' : '\n');
    }
}

GtkWidget *
tree_columns_explain_button (void)
{
  const char *entries[2 * G_N_ELEMENTS (columns) + 3];

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      entries[2 * i] = columns[i].title;
      entries[2 * i + 1] = columns[i].explain;
    }
  entries[2 * G_N_ELEMENTS (columns)] = "(7 smaller)";
  entries[2 * G_N_ELEMENTS (columns) + 1] =
      "Parts of less than 0.5 % of the latency each, together. Open it to see them.";
  entries[2 * G_N_ELEMENTS (columns) + 2] = NULL;
  return explain_button_new (entries);
}
