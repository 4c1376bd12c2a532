/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the form: one grid of labels and inputs per group. Each change validates the whole form again. */
#include "record/record-form.h"

#include "latency/shape.h"
#include "record/band-map.h"
#include "record/fields.h"
#include "record/form-request.h"
#include "show.h"
#include "state.h"
#include "units.h"

#include <string.h>

static gboolean field_input_set (const Field *field, GtkWidget *input, const char *text);

/* Creates the widget for each kind of field. */

typedef struct
{
  void (*changed) (gpointer data);
  gpointer data;
} Listener;

static void
on_changed (Listener *listener)
{
  listener->changed (listener->data);
}

static void
listener_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static GtkWidget *
choice_new (const Field *field)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (const FieldChoice *choice = field_choices (field); choice->value; choice++)
    show_in_list (titles, choice->title);
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
}

static GtkWidget *
entry_new (const Field *field)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), field->hint);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  return entry;
}

/* An input for @field that holds its first value. @changed is called with @data when it is set to another. */
static GtkWidget *
field_input_new (const Field *field, void (*changed) (gpointer data), gpointer data)
{
  Listener *listener = g_new (Listener, 1);
  GtkWidget *input;
  const char *signal = "changed";

  *listener = (Listener) { changed, data };
  if (field_choices (field))
    {
      input = choice_new (field);
      signal = "notify::selected";
    }
  else if (field->kind == FIELD_SWITCH)
    {
      input = gtk_switch_new ();
      gtk_widget_set_halign (input, GTK_ALIGN_START);
      signal = "notify::active";
    }
  else
    input = entry_new (field);
  gtk_widget_set_valign (input, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (input, TRUE);
  gtk_widget_set_name (input, field->key);
  show_tooltip (input, field->explain);
  field_input_set (field, input, NULL);
  g_signal_connect_data (input, signal, G_CALLBACK (on_changed), listener, listener_free, G_CONNECT_SWAPPED);
  return input;
}

/* What is set: "" for nothing, "true" for a switch that is on. Belongs to the input. */
static const char *
field_input_text (const Field *field, GtkWidget *input)
{
  if (field_choices (field))
    return field_choices (field)[gtk_drop_down_get_selected (GTK_DROP_DOWN (input))].value;
  if (field->kind == FIELD_SWITCH)
    return gtk_switch_get_active (GTK_SWITCH (input)) ? "true" : "";
  return gtk_editable_get_text (GTK_EDITABLE (input));
}

static gboolean
choose (const Field *field, GtkWidget *input, const char *text)
{
  for (guint i = 0; field_choices (field)[i].value; i++)
    if (!text || g_str_equal (field_choices (field)[i].value, text))
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (input), i);
        return TRUE;
      }
  return FALSE;
}

/* Sets it to @text; NULL: to its first value. FALSE where @text is none of the choices. */
static gboolean
field_input_set (const Field *field, GtkWidget *input, const char *text)
{
  text = text ? text : field->value;
  if (field_choices (field))
    return choose (field, input, text);
  if (field->kind == FIELD_SWITCH)
    gtk_switch_set_active (GTK_SWITCH (input), g_strcmp0 (text, "true") == 0);
  else
    show_in_field (input, text ? text : "");
  return TRUE;
}

/* Marks that it is wrong, and why; NULL: it is not. */
static void
field_input_mark (const Field *field, GtkWidget *input, const char *problem)
{
  if (problem)
    gtk_widget_add_css_class (input, "error");
  else
    gtk_widget_remove_css_class (input, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (input), GTK_ACCESSIBLE_STATE_INVALID,
                               problem ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  show_tooltip (input, problem ? problem : field->explain);
}

/* Keeps each field as a text of the study's group. Fields that do not count stay as they were when they did. */

#define GROUP "form-memory-group" /* as data of the form */

static char *
key_of (const Field *field)
{
  return g_strconcat ("record-", field->key, NULL);
}

static void
recall (RecordForm *form, const char *group, const Field *field)
{
  g_autofree char *key = key_of (field);
  g_autofree char *text = state_text (group, key);

  if (text)
    record_form_set (form, field->key, text);
}

static void
keep (RecordForm *form, const char *group, const Field *field)
{
  g_autofree char *key = key_of (field);
  const char *text = record_form_get (form, field->key);

  if (record_form_counts (form, field->key))
    state_set_text (group, key, text ? text : "");
}

static void
each_field (RecordForm *form, void (*act) (RecordForm *form, const char *group, const Field *field))
{
  for (const FieldGroup *group = field_groups; group->title; group++)
    for (const Field *field = group->fields; field->key; field++)
      act (form, g_object_get_data (G_OBJECT (form), GROUP), field);
}

static void
on_remembered (RecordForm *form, gpointer data)
{
  each_field (form, keep);
}

void
form_memory_keep (RecordForm *form, const char *path)
{
  g_object_set_data_full (G_OBJECT (form), GROUP, state_group_of (path), g_free);
  each_field (form, recall);
  g_signal_connect (form, "changed", G_CALLBACK (on_remembered), NULL);
}

/* Each says in a remark what was filled in, and shows the field that matters. */

static void
set_time (RecordForm *form, const char *key, gint64 time_ns)
{
  g_autofree char *text = culprit_time_format_exact (time_ns);

  record_form_set (form, key, text);
}

static void
show (RecordForm *form, const char *remark, const char *key)
{
  record_form_remark (form, remark);
  record_form_focus (form, key);
}

void
form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns)
{
  g_auto (BandMap) map = band_map (document, run, low_ns, high_ns);

  form_like_target (form, culprit_document_runs (document), run);
  record_form_set (form, "trigger", "band");
  record_form_set (form, "tracing", NULL);
  set_time (form, "band_low", map.low_ns);
  set_time (form, "band_high", map.high_ns);
  if (map.period_ns > 0)
    set_time (form, "period", map.period_ns);
  show (form, map.remark, "band_low");
}

void
form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns)
{
  g_autofree char *remark = g_strdup_printf (
      "The threshold is one of traced latencies. The rest is filled in from “%s”; check the target.", run);

  form_like (form, culprit_document_runs (document), run, "", 0);
  record_form_set (form, "trigger", "threshold");
  set_time (form, "threshold", threshold_ns);
  show (form, remark, "threshold");
}

void
form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run)
{
  g_autofree char *remark = g_strdup_printf (
      "Records runs without tracing and with it alternately. The rest is filled in from “%s”; check the target.", run);

  form_like (form, culprit_document_runs (document), run, "", 0);
  record_form_set (form, "trigger", "none");
  record_form_set (form, "tracing", "both");
  record_form_set (form, "runs", G_STRINGIFY (CULPRIT_SHAPE_RUNS));
  show (form, remark, "runs");
}

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
