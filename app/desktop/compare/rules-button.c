/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the chosen rules in actions; an invalid margin changes nothing and is marked. */
#include "compare/rules-button.h"

#include "show.h"
#include "widgets.h"

struct _CulpritRulesButton
{
  GtkWidget parent;
  CulpritRules rules;
  GtkWidget *content;
  GtkWidget *margin;
  GtkWidget *margin_problem;
};

G_DEFINE_FINAL_TYPE (CulpritRulesButton, culprit_rules_button, GTK_TYPE_WIDGET)

static guint changed;

static void
take_rules (CulpritRulesButton *button, CulpritRules rules)
{
  g_autofree char *label = NULL;

  button->rules = rules;
  label =
      g_strdup_printf ("Significance%s%s", isnan (rules.margin_percent) && isnan (rules.margin_ns) ? "" : ", margin",
                       rules.independent ? ", independent" : "");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button->content), label);
  g_signal_emit (button, changed, 0);
}

static void
change_independent (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritRulesButton *button = data;
  CulpritRules rules = button->rules;

  rules.independent = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  take_rules (button, rules);
}

static void
change_margin (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritRulesButton *button = data;
  const char *text = g_variant_get_string (value, NULL);
  CulpritRules rules = CULPRIT_RULES_USUAL;
  gboolean good = *text == '\0' || culprit_rules_take_margin (&rules, text);

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (button->margin))) != 0)
    show_in_field (button->margin, text);
  gtk_widget_set_visible (button->margin_problem, !good);
  if (!good)
    return;
  rules.independent = button->rules.independent;
  g_simple_action_set_state (action, value);
  take_rules (button, rules);
}

static void
on_margin (GtkEditable *margin, CulpritRulesButton *button)
{
  gtk_widget_activate_action (GTK_WIDGET (button), "win.compare-margin", "s", gtk_editable_get_text (margin));
}

const CulpritRules *
culprit_rules_button_rules (CulpritRulesButton *button)
{
  return &button->rules;
}

void
culprit_rules_button_add_actions (CulpritRulesButton *button, GActionMap *map)
{
  static const GActionEntry actions[] = {
    { .name = "compare-independent", .state = "false", .change_state = change_independent },
    { .name = "compare-margin", .parameter_type = "s", .state = "''", .change_state = change_margin },
  };

  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), button);
}

static void
rules_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_RULES_BUTTON);
  G_OBJECT_CLASS (culprit_rules_button_parent_class)->dispose (object);
}

static void
culprit_rules_button_class_init (CulpritRulesButtonClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = rules_button_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "compare/rules-button.ui", G_STRUCT_OFFSET (CulpritRulesButton, content));
  gtk_widget_class_bind_template_child (widget, CulpritRulesButton, margin);
  gtk_widget_class_bind_template_child (widget, CulpritRulesButton, margin_problem);
  gtk_widget_class_bind_template_callback (widget, on_margin);
  changed = g_signal_new ("changed", CULPRIT_TYPE_RULES_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_rules_button_init (CulpritRulesButton *button)
{
  button->rules = CULPRIT_RULES_USUAL;
  gtk_widget_init_template (GTK_WIDGET (button));
}
