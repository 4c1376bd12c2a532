/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the form: one grid of labels and inputs per group. Each change validates the whole form again. */
#include "record/record-form.h"

#include "record/field-input.h"
#include "show.h"
#include "units.h"

#include <string.h>

#define REMARKED "Trigger" /* the group that remarks are about */

typedef struct
{
  const Field *field;
  GtkWidget *name;
  GtkWidget *input;
  GtkWidget *folded; /* the expander that it is in; NULL: it is in none */
} Line;

struct _RecordForm
{
  GtkWidget parent;
  GtkWidget *content;
  GArray *lines; /* of Line */
  GtkWidget *remark;
  char *remarked; /* the trigger that it is about */
  char *problem;
  gboolean filling; /* Fields change by themselves. */
};

G_DEFINE_FINAL_TYPE (RecordForm, record_form, GTK_TYPE_WIDGET)

static guint changed;

static const Line *
find_line (RecordForm *form, const char *key, gsize length)
{
  for (guint i = 0; i < form->lines->len; i++)
    {
      const Line *line = &g_array_index (form->lines, Line, i);

      if (strlen (line->field->key) == length && strncmp (line->field->key, key, length) == 0)
        return line;
    }
  return NULL;
}

/* Whether @line counts: the field that it hangs on counts and has one of its values. */
static gboolean
counts (RecordForm *form, const Line *line)
{
  const char *values = line->field->where ? strchr (line->field->where, '=') : NULL;
  g_auto (GStrv) possible = values ? g_strsplit (values + 1, "|", -1) : NULL;
  const Line *other = values ? find_line (form, line->field->where, values - line->field->where) : NULL;

  return !other || (counts (form, other) &&
                    g_strv_contains ((const char *const *) possible, field_input_text (other->field, other->input)));
}

const char *
record_form_get (RecordForm *form, const char *key)
{
  const Line *line = find_line (form, key, strlen (key));
  const char *text = line && counts (form, line) ? field_input_text (line->field, line->input) : "";

  return strspn (text, " ") < strlen (text) ? text : NULL;
}

gboolean
record_form_counts (RecordForm *form, const char *key)
{
  const Line *line = find_line (form, key, strlen (key));

  return !line || counts (form, line);
}

/* Checking. */

/* What is wrong between fields that are right by themselves. */
static char *
band_problem (RecordForm *form)
{
  const char *low = record_form_get (form, "band_low");
  const char *high = record_form_get (form, "band_high");
  guint64 low_ns;
  guint64 high_ns;

  if (!low || !high || !culprit_time_parse (low, &low_ns) || !culprit_time_parse (high, &high_ns) || low_ns <= high_ns)
    return NULL;
  return g_strdup ("The end of the band is before its start.");
}

static char *
line_problem (RecordForm *form, const Line *line)
{
  char *problem = field_problem (line->field, field_input_text (line->field, line->input));

  return problem || !g_str_equal (line->field->key, "band_high") ? problem : band_problem (form);
}

static void
check (RecordForm *form)
{
  g_clear_pointer (&form->problem, g_free);
  for (guint i = 0; i < form->lines->len; i++)
    {
      const Line *line = &g_array_index (form->lines, Line, i);
      gboolean counted = counts (form, line);
      g_autofree char *problem = counted ? line_problem (form, line) : NULL;

      gtk_widget_set_visible (line->name, counted);
      gtk_widget_set_visible (line->input, counted);
      field_input_mark (line->field, line->input, problem);
      if (problem && !form->problem)
        form->problem = g_steal_pointer (&problem);
    }
}

/* The trigger as the form has it. The caller owns it. */
static char *
trigger_of (RecordForm *form)
{
  const char *low = record_form_get (form, "band_low");
  const char *high = record_form_get (form, "band_high");

  return g_strdup_printf ("%s %s %s", record_form_get (form, "trigger"), low ? low : "", high ? high : "");
}

static void
on_input (gpointer data)
{
  RecordForm *form = data;
  g_autofree char *trigger = NULL;

  if (form->filling)
    return;
  trigger = trigger_of (form);
  if (g_strcmp0 (trigger, form->remarked) != 0)
    record_form_remark (form, NULL);
  check (form);
  g_signal_emit (form, changed, 0);
}

gboolean
record_form_set (RecordForm *form, const char *key, const char *value)
{
  const Line *line = find_line (form, key, strlen (key));

  return line && field_input_set (line->field, line->input, value);
}

void
record_form_reset (RecordForm *form)
{
  form->filling = TRUE;
  for (guint i = 0; i < form->lines->len; i++)
    {
      const Line *line = &g_array_index (form->lines, Line, i);

      field_input_set (line->field, line->input, NULL);
    }
  form->filling = FALSE;
  record_form_remark (form, NULL);
  on_input (form);
}

const char *
record_form_problem (RecordForm *form)
{
  return form->problem;
}

/* It is scrolled to where it is, and its place comes with the first frame. */
static gboolean
focus (GtkWidget *input, GdkFrameClock *clock, gpointer data)
{
  guint *frames = data;

  if ((*frames)++ == 0)
    return G_SOURCE_CONTINUE;
  gtk_widget_grab_focus (input);
  return G_SOURCE_REMOVE;
}

void
record_form_focus (RecordForm *form, const char *key)
{
  const Line *line = find_line (form, key, strlen (key));

  if (line->folded)
    gtk_expander_set_expanded (GTK_EXPANDER (line->folded), TRUE);
  gtk_widget_add_tick_callback (line->input, focus, g_new0 (guint, 1), g_free);
}

void
record_form_remark (RecordForm *form, const char *text)
{
  show_line (form->remark, text ? text : "");
  gtk_widget_set_visible (form->remark, text != NULL);
  g_free (form->remarked);
  form->remarked = trigger_of (form);
}

/* The widget. */

static GtkWidget *
make_name (const Field *field, GtkWidget *input)
{
  GtkWidget *name = show_label_new (field->title);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), 13);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), input);
  show_tooltip (name, field->explain);
  gtk_widget_add_css_class (name, "dim-label");
  return name;
}

static GtkWidget *
make_grid (RecordForm *form, const Field *fields, GtkWidget *folded)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (int row = 0; fields[row].key; row++)
    {
      GtkWidget *input = field_input_new (&fields[row], on_input, form);
      const Line line = { &fields[row], make_name (&fields[row], input), input, folded };

      gtk_grid_attach (GTK_GRID (grid), line.name, 0, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), line.input, 1, row, 1, 1);
      g_array_append_val (form->lines, line);
    }
  return grid;
}

static GtkWidget *
make_title (const char *text)
{
  GtkWidget *title = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  return title;
}

static GtkWidget *
make_remark (void)
{
  GtkWidget *remark = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (remark), 0);
  gtk_label_set_wrap (GTK_LABEL (remark), TRUE);
  gtk_label_set_selectable (GTK_LABEL (remark), TRUE);
  gtk_widget_set_can_focus (remark, FALSE);
  gtk_widget_set_visible (remark, FALSE);
  gtk_widget_add_css_class (remark, "remark");
  return remark;
}

/* The grid is no child of its expander: GTK 4.8 complains where the focus passes a collapsed one that has a child. */
static void
add_group (RecordForm *form, GtkWidget *box, const FieldGroup *group)
{
  GtkWidget *expander = group->folded ? gtk_expander_new (group->title) : NULL;
  GtkWidget *grid = make_grid (form, group->fields, expander);

  if (expander)
    {
      show_to_reader (expander, GTK_ACCESSIBLE_PROPERTY_LABEL, group->title);
      g_object_bind_property (expander, "expanded", grid, "visible", G_BINDING_SYNC_CREATE);
      gtk_box_append (GTK_BOX (box), expander);
      gtk_box_append (GTK_BOX (box), grid);
      return;
    }
  gtk_box_append (GTK_BOX (box), make_title (group->title));
  gtk_box_append (GTK_BOX (box), grid);
  if (g_str_equal (group->title, REMARKED))
    gtk_box_append (GTK_BOX (box), form->remark);
}

static void
form_dispose (GObject *object)
{
  g_clear_pointer (&RECORD_FORM (object)->content, gtk_widget_unparent);
  g_array_set_size (RECORD_FORM (object)->lines, 0);
  G_OBJECT_CLASS (record_form_parent_class)->dispose (object);
}

static void
form_finalize (GObject *object)
{
  g_array_unref (RECORD_FORM (object)->lines);
  g_free (RECORD_FORM (object)->problem);
  g_free (RECORD_FORM (object)->remarked);
  G_OBJECT_CLASS (record_form_parent_class)->finalize (object);
}

static void
record_form_class_init (RecordFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = form_dispose;
  G_OBJECT_CLASS (class)->finalize = form_finalize;
  changed = g_signal_new ("changed", RECORD_TYPE_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
record_form_init (RecordForm *form)
{
  form->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  form->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  form->remark = make_remark ();
  gtk_widget_add_css_class (form->content, "form");
  for (const FieldGroup *group = field_groups; group->title; group++)
    add_group (form, form->content, group);
  gtk_widget_set_parent (form->content, GTK_WIDGET (form));
  check (form);
}
