/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows one comparison: the library's sentences, with tables of quantiles and peaks below. */
#include "compare/compare-details.h"

#include "latency/mapping.h"
#include "show.h"
#include "tables/column.h"
#include "units.h"
#include "widgets.h"

#include <math.h>

#define LATENCIES 2 /* a threshold, or both ends of a band */

struct _CulpritCompareDetails
{
  GtkWidget parent;
  Comparing *comparing;
  guint place;
  GtkWidget *content;
  GtkWidget *answer;
  GtkWidget *in_turn;
  GtkWidget *sentence;
  GtkWidget *quantiles;
  GtkWidget *shape_sentence;
  GtkWidget *peaks;
  GtkWidget *map_box;
  GtkWidget *map_head;
  GtkWidget *latency;
  GtkWidget *mapped;
  GtkWidget *record;
  guint64 latencies[LATENCIES]; /* that are mapped */
  guint n_latencies;
};

G_DEFINE_FINAL_TYPE (CulpritCompareDetails, culprit_compare_details, GTK_TYPE_WIDGET)

/* Small tables. */

static void
attach (GtkWidget *grid, const char *text, const char *class, int column, int row)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_add_css_class (label, class);
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

static void
attach_value (GtkWidget *grid, double value, CulpritKind kind, int column, int row)
{
  g_autofree char *text = culprit_value_text ((CulpritValue) { CULPRIT_VALUE_REAL, .real = value }, kind);

  attach (grid, text ? text : "–", "numeric", column, row);
}

/* Empties @grid and gives it a line of @titles, which end with NULL. */
static void
begin_grid (GtkWidget *grid, const char *const *titles)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (grid)))
    gtk_grid_remove (GTK_GRID (grid), child);
  for (int column = 0; titles[column]; column++)
    attach (grid, titles[column], "dim-label", column, 0);
}

static void
show_quantiles (CulpritCompareDetails *details, const CulpritComparison *comparison)
{
  static const char *const titles[] = { "Quantile", "Difference", "95 % From", "To", "Significant", NULL };

  gtk_widget_set_visible (details->quantiles, comparison->ranked);
  begin_grid (details->quantiles, titles);
  for (int i = 0; i < CULPRIT_SHIFTS && comparison->ranked; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];
      g_autofree char *name = g_strdup_printf ("%g %%", shift->p * 100);

      attach (details->quantiles, name, "numeric", 0, i + 1);
      attach_value (details->quantiles, shift->difference_ns, CULPRIT_KIND_DIFFERENCE, 1, i + 1);
      attach_value (details->quantiles, shift->low_ns, CULPRIT_KIND_DIFFERENCE, 2, i + 1);
      attach_value (details->quantiles, shift->high_ns, CULPRIT_KIND_DIFFERENCE, 3, i + 1);
      attach (details->quantiles,
              isnan (shift->p_value)                                       ? CULPRIT_NOT_TOLD
              : comparison->claims[CULPRIT_CLAIM_QUANTILE + i].significant ? "yes"
                                                                           : "no",
              "numeric", 4, i + 1);
    }
}

static void
show_peaks (CulpritCompareDetails *details, const CulpritShape *shape)
{
  static const char *const titles[] = { "Baseline Peak", "Run Peak", "Baseline Share", "Run Share", "p", NULL };

  gtk_widget_set_visible (details->peaks, shape && shape->peaks->len > 0);
  begin_grid (details->peaks, titles);
  for (guint i = 0; shape && i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);

      attach_value (details->peaks, peak->base_ns, CULPRIT_KIND_TIME, 0, i + 1);
      attach_value (details->peaks, peak->other_ns, CULPRIT_KIND_TIME, 1, i + 1);
      attach_value (details->peaks, peak->base_share, CULPRIT_KIND_SMALL_PART, 2, i + 1);
      attach_value (details->peaks, peak->other_share, CULPRIT_KIND_SMALL_PART, 3, i + 1);
      attach_value (details->peaks, peak->p, CULPRIT_KIND_P, 4, i + 1);
    }
}

static gboolean
has_profiles (CulpritCompareDetails *details)
{
  return comparing_side (details->comparing, 0)->compared.profile &&
         comparing_side (details->comparing, details->place)->compared.profile;
}

static void
show_shape (CulpritCompareDetails *details, const CulpritShape *shape, const char *base, const char *name)
{
  const char *instead = "Only summary statistics are available: shapes cannot be compared.";
  g_autofree char *words = shape ? culprit_shape_in_words (shape, base, name) : NULL;

  if (comparing_has_shape (details->comparing, details->place))
    instead = "Running permutation and bootstrap tests…";
  else if (has_profiles (details))
    instead = "Complete runs are needed: one of these holds only captured wake-ups, too many of them late.";
  label_set_sentence (details->shape_sentence, words ? words : instead);
  show_peaks (details, shape);
}

/* What a latency is on the other side. */

/* "200us", "575us,585us", "575 us to 585 us". Gives how many latencies @text has; 0 where it is none. */
static guint
parse_latencies (const char *text, guint64 *ns)
{
  g_auto (GStrv) parts = g_regex_split_simple ("(?:,|\\bto\\b)", text, 0, 0);
  guint n = 0;

  for (char **part = parts; *part; part++, n++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (*part), " ", 0);
      g_autofree char *joined = g_strjoinv ("", words);

      if (n == LATENCIES || !culprit_time_parse (joined, &ns[n]))
        return 0;
    }
  return n;
}

static char *
map_latencies (CulpritCompareDetails *details, const guint64 *ns, guint n)
{
  const CompareSide *base = comparing_side (details->comparing, 0);
  const CompareSide *other = comparing_side (details->comparing, details->place);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      CulpritMapped mapped = culprit_map_latency (base->compared.profile, other->compared.profile, ns[i]);
      g_autofree char *words = culprit_mapped_in_words (&mapped, ns[i], base->name);
      g_autofree char *line = shown (words);

      g_string_append_printf (text, "%s%s.", i > 0 ? "\n" : "", line);
    }
  return g_string_free (text, FALSE);
}

static void
show_mapped (CulpritCompareDetails *details)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (details->latency));
  gboolean possible = details->comparing && details->place > 0 && has_profiles (details);
  guint64 *ns = details->latencies;
  guint n = possible ? parse_latencies (text, ns) : 0;
  g_autofree char *words = n > 0 ? map_latencies (details, ns, n) : NULL;

  details->n_latencies = n;
  gtk_widget_set_sensitive (details->record, n > 0);
  gtk_widget_set_visible (details->map_box, possible);
  label_set_sentence (details->mapped,
                      words   ? words
                      : *text ? "Enter a latency with a unit, e.g. 200us, or a band, e.g. 575us,585us."
                              : "Enter a threshold or band, or drag in the histogram or density chart to select one.");
  if (n > 0 || !*text)
    gtk_widget_remove_css_class (details->latency, "error");
  else
    gtk_widget_add_css_class (details->latency, "error");
}

static void
on_latency (GtkEditable *latency, CulpritCompareDetails *details)
{
  show_mapped (details);
}

/* A threshold or a band of the other run. */
static void
on_record (GtkButton *button, CulpritCompareDetails *details)
{
  const CompareSide *base = comparing_side (details->comparing, 0);
  const CompareSide *other = comparing_side (details->comparing, details->place);
  const guint64 *ns = details->latencies;
  CulpritMappedBand band;

  if (!culprit_map_band (base->compared.profile, other->compared.profile, ns[0], ns[details->n_latencies - 1], &band))
    return;
  if (details->n_latencies == 1)
    gtk_widget_activate_action (GTK_WIDGET (button), "win.record-threshold", "(sx)", other->run,
                                (gint64) llround (band.low.ns));
  else
    gtk_widget_activate_action (GTK_WIDGET (button), "win.record-band", "(sxx)", other->run, band.low_ns, band.high_ns);
}

void
culprit_compare_details_map (CulpritCompareDetails *details, gint64 low_ns, gint64 high_ns)
{
  g_autofree char *low = culprit_time_format (low_ns);
  g_autofree char *high = culprit_time_format (high_ns);
  g_autofree char *text = g_strdup_printf ("%s to %s", low, high);

  show_in_field (details->latency, text);
}

/* The whole. */

static void
show_answer (CulpritCompareDetails *details, const CulpritComparison *comparison, const CulpritShape *shape)
{
  const CompareSide *base = comparing_side (details->comparing, 0);
  const CompareSide *side = comparing_side (details->comparing, details->place);
  gboolean needs_runs = culprit_answer_needs_runs (comparison);
  gboolean waiting = side->asked == CULPRIT_ASKED_TRACING && !shape && !needs_runs &&
                     comparing_has_shape (details->comparing, details->place);
  g_autofree char *answer = culprit_answer (comparison, shape, side->asked, base->name, side->name);

  show_line (details->answer, waiting ? "Comparing the shapes…" : answer);
  gtk_widget_set_visible (details->in_turn, needs_runs);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (details->in_turn), "s", base->run);
}

static void
show_side (CulpritCompareDetails *details, const CulpritShape *shape)
{
  const char *base = comparing_side (details->comparing, 0)->name;
  const char *name = comparing_side (details->comparing, details->place)->name;
  const CulpritComparison *comparison = comparing_result (details->comparing, details->place);
  g_autofree char *sentence = culprit_comparison_in_words (comparison, base, name);
  g_autofree char *head = g_strdup_printf ("Map a threshold from %s to %s", base, name);

  show_answer (details, comparison, shape);
  label_set_sentence (details->sentence, sentence);
  show_quantiles (details, comparison);
  show_shape (details, shape, base, name);
  show_line (details->map_head, head);
  show_mapped (details);
}

void
culprit_compare_details_show (CulpritCompareDetails *details,
                              Comparing *comparing,
                              guint place,
                              const CulpritShape *shape)
{
  if (comparing)
    comparing_ref (comparing);
  g_clear_pointer (&details->comparing, comparing_unref);
  details->comparing = comparing;
  details->place = place;
  gtk_stack_set_visible_child_name (GTK_STACK (details->content), comparing && place > 0 ? "side" : "base");
  if (comparing && place > 0)
    show_side (details, shape);
}

/* The widget. */

static void
details_dispose (GObject *object)
{
  CulpritCompareDetails *details = CULPRIT_COMPARE_DETAILS (object);

  g_clear_pointer (&details->comparing, comparing_unref);
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_COMPARE_DETAILS);
  G_OBJECT_CLASS (culprit_compare_details_parent_class)->dispose (object);
}

static void
culprit_compare_details_class_init (CulpritCompareDetailsClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = details_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "compare/compare-details.ui", G_STRUCT_OFFSET (CulpritCompareDetails, content));
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, answer);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, in_turn);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, sentence);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, quantiles);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, shape_sentence);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, peaks);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, map_box);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, map_head);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, latency);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, mapped);
  gtk_widget_class_bind_template_child (widget, CulpritCompareDetails, record);
  gtk_widget_class_bind_template_callback (widget, on_latency);
  gtk_widget_class_bind_template_callback (widget, on_record);
}

static void
culprit_compare_details_init (CulpritCompareDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  gtk_widget_set_vexpand (GTK_WIDGET (details), TRUE);
}
