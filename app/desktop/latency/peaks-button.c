/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the peaks in a popover, by run and in order of latency. */
#include "latency/peaks-button.h"

#include "latency/mapping.h"
#include "show.h"
#include "units.h"
#include "widgets.h"

struct _CulpritPeaksButton
{
  GtkWidget parent;
  GtkWidget *content;
  GtkWidget *list;
  GArray *bands; /* of Band, as the rows of the list */
};

typedef struct
{
  char *run;
  double low_ns;
  double high_ns;
} Band;

static void
band_clear (gpointer data)
{
  g_free (((Band *) data)->run);
}

G_DEFINE_FINAL_TYPE (CulpritPeaksButton, culprit_peaks_button, GTK_TYPE_WIDGET)

static guint chosen;

static void
on_row (GtkListBox *list, GtkListBoxRow *row, CulpritPeaksButton *button)
{
  const Band *band = &g_array_index (button->bands, Band, gtk_list_box_row_get_index (row));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (button->content));
  g_signal_emit (button, chosen, 0, band->run, band->low_ns, band->high_ns);
}

static void
add_peak (CulpritPeaksButton *button, const CulpritLatencies *one, const CulpritPeak *peak)
{
  CulpritBandCount count = culprit_band_count (one->profile, peak->band_low_ns, peak->band_high_ns);
  g_autofree char *at = culprit_time_format (peak->at_ns);
  g_autofree char *range = culprit_time_format_range (peak->band_low_ns, peak->band_high_ns + 1);
  g_autofree char *rate = culprit_band_rate_in_words (&count);
  g_autofree char *text = g_strdup_printf ("%s: %s, band %s, %s", one->name, at, range, rate);
  const Band band = { g_strdup (one->name), peak->band_low_ns, peak->band_high_ns + 1 };
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_box_append (GTK_LIST_BOX (button->list), label);
  g_array_append_val (button->bands, band);
}

void
culprit_peaks_button_set_latencies (CulpritPeaksButton *button, const GPtrArray *latencies)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (button->list)))
    gtk_list_box_remove (GTK_LIST_BOX (button->list), child);
  g_array_set_size (button->bands, 0);
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      for (guint k = 0; one->description && k < one->description->peaks->len; k++)
        {
          const CulpritPeak *peak = &g_array_index (one->description->peaks, CulpritPeak, k);

          if (!peak->weak)
            add_peak (button, one, peak);
        }
    }
  gtk_widget_set_sensitive (button->content, button->bands->len > 0);
}

static void
peaks_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_PEAKS_BUTTON);
  g_clear_pointer (&CULPRIT_PEAKS_BUTTON (object)->bands, g_array_unref);
  G_OBJECT_CLASS (culprit_peaks_button_parent_class)->dispose (object);
}

static void
culprit_peaks_button_class_init (CulpritPeaksButtonClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = peaks_button_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "latency/peaks-button.ui", G_STRUCT_OFFSET (CulpritPeaksButton, content));
  gtk_widget_class_bind_template_child (widget, CulpritPeaksButton, list);
  gtk_widget_class_bind_template_callback (widget, on_row);
  chosen = g_signal_new ("chosen", CULPRIT_TYPE_PEAKS_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                         G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
culprit_peaks_button_init (CulpritPeaksButton *button)
{
  button->bands = g_array_new (FALSE, FALSE, sizeof (Band));
  g_array_set_clear_func (button->bands, band_clear);
  gtk_widget_init_template (GTK_WIDGET (button));
}
