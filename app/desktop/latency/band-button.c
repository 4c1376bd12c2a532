/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A popover with the runs that the band may be meant of, and what it becomes. */
#include "latency/band-button.h"

#include "latency/mapping.h"
#include "record/band-map.h"
#include "show.h"
#include "units.h"
#include "widgets.h"

struct _CulpritBandButton
{
  GtkWidget parent;
  CulpritDocument *document; /* NULL: there is no band */
  gint64 low_ns;
  gint64 high_ns;
  GPtrArray *names; /* of char *, as the rows of the drop-down */
  GtkWidget *content;
  GtkWidget *runs;
  GtkWidget *remark;
  GtkWidget *result;
  GtkWidget *rate;
  GtkWidget *warning;
};

G_DEFINE_FINAL_TYPE (CulpritBandButton, culprit_band_button, GTK_TYPE_WIDGET)

static guint chosen;

static const char *
chosen_run (CulpritBandButton *button)
{
  guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (button->runs));

  return place < button->names->len ? g_ptr_array_index (button->names, place) : NULL;
}

static void
show_map (CulpritBandButton *button)
{
  const char *run = chosen_run (button);
  g_autofree char *band = NULL;
  g_autofree char *text = NULL;

  if (!run)
    return;
  g_auto (BandMap) map = band_map (button->document, run, button->low_ns, button->high_ns);

  band = culprit_time_format_range (map.low_ns, map.high_ns);
  text = g_strdup_printf ("Band to record: %s", band);
  show_line (button->remark, map.remark ? map.remark : "");
  show_line (button->result, text);
  show_line (button->rate, map.rate ? map.rate : "");
  show_line (button->warning, map.warning ? map.warning : "");
  gtk_widget_set_visible (button->warning, map.warning != NULL);
}

static void
on_run (GtkDropDown *runs, GParamSpec *spec, CulpritBandButton *button)
{
  show_map (button);
}

static void
on_fill_in (GtkButton *fill_in, CulpritBandButton *button)
{
  g_autofree char *run = g_strdup (chosen_run (button));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (button->content));
  if (run)
    g_signal_emit (button, chosen, 0, run);
}

void
culprit_band_button_set_band (CulpritBandButton *button,
                              CulpritDocument *document,
                              const GPtrArray *shown,
                              guint likely,
                              gint64 low_ns,
                              gint64 high_ns)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  g_ptr_array_set_size (button->names, 0);
  button->document = document;
  button->low_ns = low_ns;
  button->high_ns = high_ns;
  for (guint i = 0; i < shown->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (shown, i);
      CulpritBandCount count = culprit_band_count (one->profile, low_ns, high_ns);
      g_autofree char *words = culprit_band_in_words (&count);
      g_autofree char *title = g_strdup_printf ("%s: %s", one->name, words);

      g_ptr_array_add (button->names, g_strdup (one->name));
      show_in_list (titles, title);
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (button->runs), G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (button->runs), likely);
  gtk_widget_set_sensitive (button->content, shown->len > 0);
  show_map (button);
}

/* The widget. */

static void
band_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_BAND_BUTTON);
  g_clear_pointer (&CULPRIT_BAND_BUTTON (object)->names, g_ptr_array_unref);
  G_OBJECT_CLASS (culprit_band_button_parent_class)->dispose (object);
}

static void
culprit_band_button_class_init (CulpritBandButtonClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = band_button_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "latency/band-button.ui", G_STRUCT_OFFSET (CulpritBandButton, content));
  gtk_widget_class_bind_template_child (widget, CulpritBandButton, runs);
  gtk_widget_class_bind_template_child (widget, CulpritBandButton, remark);
  gtk_widget_class_bind_template_child (widget, CulpritBandButton, result);
  gtk_widget_class_bind_template_child (widget, CulpritBandButton, rate);
  gtk_widget_class_bind_template_child (widget, CulpritBandButton, warning);
  gtk_widget_class_bind_template_callback (widget, on_run);
  gtk_widget_class_bind_template_callback (widget, on_fill_in);
  chosen = g_signal_new ("chosen", CULPRIT_TYPE_BAND_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                         G_TYPE_STRING);
}

static void
culprit_band_button_init (CulpritBandButton *button)
{
  button->names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (button));
}
