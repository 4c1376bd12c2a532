/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid of labels and inputs for each group, made from the tables of settings and the fields that only the form has.
 * Each change validates the whole form again. */
#include "record/record-form.h"

#include "capture/windows/measured.h"
#include "delayer/name.h"
#include "latency/comparison/path-proof.h"
#include "latency/comparison/trial.h"
#include "record/blocks.h"
#include "record/target.h"
#include "show.h"
#include "state.h"
#include "units.h"
#include "widgets.h"

#include <stdlib.h>
#include <string.h>

static const SettingChoice targets[] = {
  { "local", "This machine" }, { "ssh", "SSH" }, { "vm", "Virtual machine" }, { 0 }
};
static const SettingChoice triggers[] = {
  { "none", "None: latencies only" },    { "threshold", "Later than a threshold" }, { "band", "Latency within a band" },
  { "delay", "None: delay a function" }, { "treat", "None: try a remedy" },         { 0 }
};

/* The others are named as the settings, which hang on them. */
static const SettingChoice measured[] = { { "cycles", "A test loop's wake-ups" },
                                          { "wakeup", "A task, until it runs" },
                                          { "response", "A task, until it sleeps again" },
                                          { "between", "Between two events" },
                                          { "marks", "Between two marks" },
                                          { 0 } };

static const Setting own_fields[] = {
  { "target", SETTING_CHOICE, .choices = targets, .name = "target", .title = "Machine",
    .help = "The machine whose wake-ups are measured", .group = GROUP_TARGET },
  { "host", SETTING_TEXT, .name = "host", .title = "Host", .hint = "root@board", .where = "target=ssh",
    .help = "SSH host; culprit-recorder must be installed there, with root access", .group = GROUP_TARGET,
    .needed = true },
  { "measure", SETTING_CHOICE, .choices = measured, .name = "measure", .title = "What",
    .help = "A loop that Culprit starts, or a program that is there; Check Target lists its real-time tasks",
    .group = GROUP_MEASURE },
  { "trigger", SETTING_CHOICE, .choices = triggers, .name = "trigger", .title = "Capture",
    .help = "Which wake-ups to capture with their trace", .group = GROUP_TRIGGER },
  { "delay_at", SETTING_TEXT, .name = "delay_at", .title = "Function", .hint = "usb_hcd_irq",
    .help = "Delay this function on purpose, to see which peaks of the latencies it is on the path of",
    .where = "trigger=delay", .needed = true, .group = GROUP_TRIGGER },
  { "delays", SETTING_TEXT, .name = "delays", .title = "Delays", .first = CULPRIT_DELAYS_USUAL,
    .hint = CULPRIT_DELAYS_USUAL, .help = "At its entry, each in turn, e.g. " CULPRIT_DELAYS_USUAL,
    .where = "trigger=delay", .needed = true, .group = GROUP_TRIGGER },
  { "rounds", SETTING_NUMBER, .least = CULPRIT_PROOF_ROUNDS, .most = CULPRIT_PROOF_MOST_ROUNDS, .name = "rounds",
    .title = "Blocks of each", .first = G_STRINGIFY (CULPRIT_ROUNDS_USUAL), .hint = G_STRINGIFY (CULPRIT_ROUNDS_USUAL),
    .help = "Blocks with each delay, and with none, in random order", .where = "trigger=delay", .needed = true,
    .group = GROUP_TRIGGER },
  { "treat", SETTING_TEXT, .name = "treat", .title = "Treat by", .hint = "modprobe -r ehci_pci",
    .help = "Run by sh -c on the target, before each block that is treated", .where = "trigger=treat", .needed = true,
    .group = GROUP_TRIGGER },
  { "undo", SETTING_TEXT, .name = "undo", .title = "Undo by", .hint = "modprobe ehci_pci",
    .help = "Run after each of them, however the trial ends", .where = "trigger=treat", .needed = true,
    .group = GROUP_TRIGGER },
  { "blocks", SETTING_NUMBER, .least = CULPRIT_TRIAL_LEAST_BLOCKS, .most = CULPRIT_TRIAL_MOST_BLOCKS, .name = "blocks",
    .title = "Blocks", .first = G_STRINGIFY (CULPRIT_TREATED_BLOCKS_USUAL),
    .hint = G_STRINGIFY (CULPRIT_TREATED_BLOCKS_USUAL),
    .help = "Half of them treated, in random order; a multiple of 4", .where = "trigger=treat", .needed = true,
    .group = GROUP_TRIGGER },
  { "run", SETTING_TEXT, .name = "run", .title = "Name", .first = "run", .hint = "run",
    .help = "Name in the study; a number is added if it exists already", .group = GROUP_RUN },
  { "load", SETTING_CHOICE, .choices = culprit_loads, .name = "load", .title = "Load",
    .help = "Background load while measuring", .group = GROUP_LOAD },
  { "load_command", SETTING_TEXT, .name = "load_command", .title = "Command", .hint = "stress-ng --usb 1",
    .where = "load=own", .help = "Run by sh -c on the target", .group = GROUP_LOAD, .needed = true },
  { 0 },
};

static const Setting *const tables[] = { own_fields, recording_settings, culprit_vm_settings };

static const char *const groups[] = { "target", "measure", "trigger", "run", "load", "more" }; /* by SettingGroup */

typedef struct
{
  const Setting *field;
  GtkWidget *name;
  GtkWidget *input;
} Line;

struct _RecordForm
{
  AdwBin parent;
  GtkGrid *grids[G_N_ELEMENTS (groups)];
  GtkExpander *folded; /* shows the last of them */
  GArray *lines;       /* of Line */
  GtkWidget *remark;
  char *remarked; /* the trigger that it is about */
  char *problem;
  char *group;      /* of the stored state that remembers the fields; NULL: nothing does */
  gboolean filling; /* Fields change by themselves. */
};

G_DEFINE_FINAL_TYPE (RecordForm, record_form, ADW_TYPE_BIN)

static guint changed;

static const Line *
line_at (RecordForm *form, guint place)
{
  return &g_array_index (form->lines, Line, place);
}

static const Line *
find_line (RecordForm *form, const char *name)
{
  for (guint i = 0; i < form->lines->len; i++)
    if (g_str_equal (line_at (form, i)->field->name, name))
      return line_at (form, i);
  return NULL;
}

/* The choice of @field at @place; NULL: there are no more. */
static const SettingChoice *
field_choice (const Setting *field, guint place)
{
  const SettingChoice *choice = &field->choices[place];

  if (field->open.value)
    choice = place == 0 ? &field->open : choice - 1;
  return choice->value ? choice : NULL;
}

/* What is wrong with @text as the value of @field, in a sentence; NULL: nothing. The caller owns it. */
static char *
field_problem (const Setting *field, const char *text)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *demand = NULL;

  if (strspn (text, " ") == strlen (text))
    return field->needed ? g_strdup_printf ("“%s” is needed.", field->title) : NULL;
  if (g_strcmp0 (text, field->open.value) == 0 || culprit_setting_set (object, field, text))
    return NULL;
  demand = culprit_setting_demand (field);
  return g_strdup_printf ("“%s” %s.", field->title, demand);
}

/* What is set: "" for nothing, "true" for a switch that is on. Belongs to the input. */
static const char *
text_of (const Line *line)
{
  if (line->field->choices)
    return field_choice (line->field, gtk_drop_down_get_selected (GTK_DROP_DOWN (line->input)))->value;
  if (line->field->kind == SETTING_SWITCH)
    return gtk_switch_get_active (GTK_SWITCH (line->input)) ? "true" : "";
  return gtk_editable_get_text (GTK_EDITABLE (line->input));
}

static gboolean
choose (const Line *line, const char *text)
{
  const SettingChoice *choice;

  for (guint i = 0; (choice = field_choice (line->field, i)); i++)
    if (!text || g_str_equal (choice->value, text))
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (line->input), i);
        return TRUE;
      }
  return FALSE;
}

/* Sets it to @text; NULL: to its first value. FALSE where @text is none of the choices. */
static gboolean
set_line (const Line *line, const char *text)
{
  text = text ? text : line->field->first;
  if (line->field->choices)
    return choose (line, text);
  if (line->field->kind == SETTING_SWITCH)
    gtk_switch_set_active (GTK_SWITCH (line->input), g_strcmp0 (text, "true") == 0);
  else
    show_in_field (line->input, text ? text : "");
  return TRUE;
}

/* Marks that it is wrong, and why; NULL: it is not. */
static void
mark (const Line *line, const char *problem)
{
  if (problem)
    gtk_widget_add_css_class (line->input, "error");
  else
    gtk_widget_remove_css_class (line->input, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (line->input), GTK_ACCESSIBLE_STATE_INVALID,
                               problem ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  show_tooltip (line->input, problem ? problem : line->field->help);
}

/* Whether such a trigger stands for wake-ups in blocks. */
static gboolean
is_blocks (const char *trigger)
{
  return g_str_equal (trigger, "delay") || g_str_equal (trigger, "treat");
}

static gboolean
measures_cycles (RecordForm *form)
{
  return g_str_equal (text_of (find_line (form, "measure")), measured[0].value);
}

/* Whether @line counts: the field that it hangs on counts and has one of its values. */
static gboolean
counts (RecordForm *form, const Line *line)
{
  g_auto (GStrv) where = g_strsplit (line->field->where ? line->field->where : "", "=", 2);
  g_auto (GStrv) possible = *where ? g_strsplit (where[1], "|", -1) : NULL;
  const Line *other = *where ? find_line (form, where[0]) : NULL;

  if (line->field->cyclic && !measures_cycles (form))
    return FALSE;
  return !other || (counts (form, other) && g_strv_contains ((const char *const *) possible, text_of (other)));
}

const char *
record_form_get (RecordForm *form, const char *name)
{
  const Line *line = find_line (form, name);
  const char *text = line && counts (form, line) ? text_of (line) : "";

  return strspn (text, " ") < strlen (text) ? text : NULL;
}

gboolean
record_form_counts (RecordForm *form, const char *name)
{
  const Line *line = find_line (form, name);

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
delays_problem (const char *text)
{
  g_autoptr (GArray) delays = culprit_delays_parse (text);
  g_autofree char *demand = culprit_delays_demand ();

  return delays ? NULL : g_strdup_printf ("“Delays” %s.", demand);
}

/* What no window can begin or end with. A key is judged once its events are right. */
static char *
window_problem (RecordForm *form, const Line *line, const char *text)
{
  const char *name = line->field->name;
  gboolean is_key = g_str_equal (name, "key");
  CulpritMeasuredOptions options = { 0 };
  g_autofree char *window = NULL;
  g_autoptr (GError) error = NULL;

  if (g_str_equal (name, "wakeup_of"))
    options.wakeup_of = (char *) text;
  else if (g_str_equal (name, "response_of"))
    options.response_of = (char *) text;
  else if (g_str_equal (name, "marks"))
    options.marks = (char *) text;
  else if (is_key || g_str_equal (name, "between"))
    options.between = is_key ? (char *) record_form_get (form, "between") : (char *) text;
  if (is_key && options.between)
    {
      g_autofree char *without = culprit_measured_from_options (&options, NULL);

      options.between = without ? options.between : NULL;
      options.key = without ? (char *) text : NULL;
    }
  window = culprit_measured_from_options (&options, &error);
  return error ? g_strdup_printf ("“%s”: %s.", line->field->title, strchr (error->message, ' ') + 1) : NULL;
}

static char *
line_problem (RecordForm *form, const Line *line)
{
  const char *name = line->field->name;
  const char *text = text_of (line);
  char *problem = field_problem (line->field, text);

  if (problem)
    return problem;
  if (g_str_equal (name, "band_high"))
    return band_problem (form);
  if (g_str_equal (name, "delays"))
    return delays_problem (text);
  if (g_str_equal (name, "trigger") && is_blocks (text) && !measures_cycles (form))
    return g_strdup ("Delays and remedies are tried with the test loop.");
  if (g_str_equal (name, "blocks") && atoi (text) % CULPRIT_TRIAL_ROUND > 0)
    return g_strdup_printf ("“Blocks” must be a multiple of %d.", CULPRIT_TRIAL_ROUND);
  if (*text && line->field->group == GROUP_MEASURE && line->field->kind == SETTING_TEXT)
    return window_problem (form, line, text);
  return g_str_equal (name, "delay_at") && !delay_is_name (text) ? g_strdup_printf (DELAY_NO_NAME ".", text) : NULL;
}

/* Blocks are shorter than other recordings unless one says how long they are. */
static void
show_usual_limit (RecordForm *form)
{
  const Line *limit = find_line (form, "limit");
  gboolean blocks = is_blocks (record_form_get (form, "trigger"));

  gtk_entry_set_placeholder_text (GTK_ENTRY (limit->input), blocks ? "10s a block" : limit->field->hint);
}

static void
check (RecordForm *form)
{
  show_usual_limit (form);
  g_clear_pointer (&form->problem, g_free);
  for (guint i = 0; i < form->lines->len; i++)
    {
      const Line *line = line_at (form, i);
      gboolean counted = counts (form, line);
      g_autofree char *problem = counted ? line_problem (form, line) : NULL;

      gtk_widget_set_visible (line->name, counted);
      gtk_widget_set_visible (line->input, counted);
      mark (line, problem);
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
  const char *threshold = record_form_get (form, "threshold");

  return g_strjoin (" ", record_form_get (form, "trigger"), threshold ? threshold : low ? low : "", high, NULL);
}

/* Remembers the fields, but those that do not count as they were when they did. */
static void
remember (RecordForm *form)
{
  for (guint i = 0; form->group && i < form->lines->len; i++)
    {
      const Line *line = line_at (form, i);
      g_autofree char *key = g_strconcat ("record-", line->field->name, NULL);

      if (counts (form, line))
        state_set_text (form->group, key, text_of (line));
    }
}

static void
on_input (RecordForm *form)
{
  g_autofree char *trigger = NULL;

  if (form->filling)
    return;
  trigger = trigger_of (form);
  if (g_strcmp0 (trigger, form->remarked) != 0)
    record_form_remark (form, NULL);
  check (form);
  remember (form);
  g_signal_emit (form, changed, 0);
}

gboolean
record_form_set (RecordForm *form, const char *name, const char *value)
{
  const Line *line = find_line (form, name);

  return line && set_line (line, value);
}

void
record_form_reset (RecordForm *form)
{
  form->filling = TRUE;
  for (guint i = 0; i < form->lines->len; i++)
    set_line (line_at (form, i), NULL);
  form->filling = FALSE;
  record_form_remark (form, NULL);
  on_input (form);
}

void
record_form_keep (RecordForm *form, const char *path)
{
  g_autofree char *group = state_group_of (path);

  for (guint i = 0; i < form->lines->len; i++)
    {
      g_autofree char *key = g_strconcat ("record-", line_at (form, i)->field->name, NULL);
      g_autofree char *text = state_text (group, key);

      if (text)
        set_line (line_at (form, i), text);
    }
  form->group = g_steal_pointer (&group);
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
record_form_focus (RecordForm *form, const char *name)
{
  const Line *line = find_line (form, name);

  if (line->field->group == GROUP_MORE)
    gtk_expander_set_expanded (form->folded, TRUE);
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
make_name (const Setting *field, GtkWidget *input)
{
  GtkWidget *name = show_label_new (field->title);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), 13);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), input);
  show_tooltip (name, field->help);
  gtk_widget_add_css_class (name, "dim-label");
  return name;
}

static GtkWidget *
make_choice (const Setting *field)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  const SettingChoice *choice;

  for (guint i = 0; (choice = field_choice (field, i)); i++)
    show_in_list (titles, choice->title);
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
}

static GtkWidget *
make_entry (const Setting *field)
{
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *hint = culprit_setting_hint (field);

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  return entry;
}

static void
add_line (RecordForm *form, const Setting *field, int row)
{
  const gboolean turns = field->kind == SETTING_SWITCH;
  GtkWidget *input = field->choices ? make_choice (field) : turns ? gtk_switch_new () : make_entry (field);
  const Line line = { field, make_name (field, input), input };

  gtk_widget_set_valign (input, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (input, TRUE);
  gtk_widget_set_name (input, field->name);
  if (turns)
    gtk_widget_set_halign (input, GTK_ALIGN_START);
  set_line (&line, NULL);
  g_signal_connect_swapped (input,
                            field->choices ? "notify::selected"
                            : turns        ? "notify::active"
                                           : "changed",
                            G_CALLBACK (on_input), form);
  gtk_grid_attach (form->grids[field->group], line.name, 0, row, 1, 1);
  gtk_grid_attach (form->grids[field->group], line.input, 1, row, 1, 1);
  g_array_append_val (form->lines, line);
}

static void
form_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  g_array_set_size (RECORD_FORM (object)->lines, 0);
  G_OBJECT_CLASS (record_form_parent_class)->dispose (object);
}

static void
form_finalize (GObject *object)
{
  g_array_unref (RECORD_FORM (object)->lines);
  g_free (RECORD_FORM (object)->problem);
  g_free (RECORD_FORM (object)->remarked);
  g_free (RECORD_FORM (object)->group);
  G_OBJECT_CLASS (record_form_parent_class)->finalize (object);
}

static void
record_form_class_init (RecordFormClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = form_dispose;
  G_OBJECT_CLASS (class)->finalize = form_finalize;
  changed = g_signal_new ("changed", RECORD_TYPE_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  widget_class_set_template (class, "record/record-form.ui");
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    gtk_widget_class_bind_template_child_full (widget, groups[i], FALSE,
                                               G_STRUCT_OFFSET (RecordForm, grids) + i * sizeof (GtkGrid *));
  widget_class_bind_children (class, RecordForm, folded, remark);
}

static void
record_form_init (RecordForm *form)
{
  int rows[G_N_ELEMENTS (groups)] = { 0 };

  gtk_widget_init_template (GTK_WIDGET (form));
  form->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const Setting *field = tables[i]; field->key; field++)
      if (field->title)
        add_line (form, field, rows[field->group]++);
  check (form);
}
