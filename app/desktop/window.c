/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: shows the pages of a document and runs its actions. */
#include "window.h"

#include "closing.h"
#include "compare/compare-page.h"
#include "compat.h"
#include "edit-keys.h"
#include "fleet/fleet-page.h"
#include "focus.h"
#include "functions/functions-page.h"
#include "latency/latency-page.h"
#include "narrow.h"
#include "opening.h"
#include "outliers/outliers-page.h"
#include "page.h"
#include "panes.h"
#include "record/record-page.h"
#include "show.h"
#include "stalls/stalls-page.h"
#include "start/start-page.h"
#include "window-actions.h"
#include "window-import.h"

struct _CulpritStudyWindow
{
  GtkApplicationWindow parent;
  CulpritDocument *document;
  GtkWidget *title_stack;
  GtkWidget *study_name;
  GtkWidget *run_choice;
  GtkWidget *search_button;
  CulpritNotices *notices;
  GtkWidget *outer;
  GMenu *export_menu;
  GtkWidget *pages;
  OutliersPage *outliers;
  ComparePage *compare;
  RecordPage *record;
  gboolean read;    /* Its late wake-ups have been. */
  gboolean filling; /* The choice of runs changes by itself. */
  GtkWidget *page_choice;
  GMenu *pages_menu; /* of it */
  gboolean narrow;   /* It has no room for pages side by side. */
};

G_DEFINE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, GTK_TYPE_APPLICATION_WINDOW)

enum
{
  PROPERTY_DOCUMENT = 1,
  PROPERTY_NARROW,
  PROPERTIES,
};

static GParamSpec *properties[PROPERTIES];

static GSettings *
window_settings (CulpritStudyWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  return application ? culprit_application_settings (CULPRIT_APPLICATION (application)) : NULL;
}

void
culprit_study_window_fail (CulpritStudyWindow *window, const char *message)
{
  culprit_notices_fail (window->notices, message);
}

GMenu *
culprit_study_window_export_menu (CulpritStudyWindow *window)
{
  return window->export_menu;
}

CulpritNotices *
culprit_study_window_notices (CulpritStudyWindow *window)
{
  return window->notices;
}

static void
on_message (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  window_actions_tell (window, "dismiss", notices, spec);
}

static void
on_notice (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  window_actions_tell (window, "notice", notices, spec);
}

/* The runs to choose from: all, or one. */
static void
fill_runs (CulpritStudyWindow *window)
{
  CulpritRows *runs = culprit_document_runs (window->document);
  const char *chosen = culprit_document_run (window->document);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;

  gtk_string_list_append (names, "All runs");
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      const char *name = culprit_table_text (culprit_rows_table (runs), i, "run");

      show_in_list (names, name);
      if (g_strcmp0 (name, chosen) == 0)
        selected = i + 1;
    }
  window->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (window->run_choice), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (window->run_choice), selected);
  window->filling = FALSE;
  gtk_widget_set_visible (window->run_choice, g_list_model_get_n_items (G_LIST_MODEL (names)) > 2);
}

static void
on_changed (CulpritDocument *document, guint part, CulpritStudyWindow *window)
{
  if (part == CULPRIT_PART_LATENCIES)
    fill_runs (window);
  if (part == CULPRIT_PART_OUTLIERS && !window->read)
    {
      window->read = TRUE;
      focus_page (GTK_STACK (window->pages));
    }
}

static void
on_run_chosen (GtkDropDown *choice, GParamSpec *spec, CulpritStudyWindow *window)
{
  guint place = gtk_drop_down_get_selected (choice); /* 0: all */
  const CulpritTable *runs;

  if (window->filling || place == GTK_INVALID_LIST_POSITION || !window->document)
    return;
  runs = culprit_rows_table (culprit_document_runs (window->document));
  culprit_document_choose_run (window->document, place > 0 ? culprit_table_text (runs, place - 1, "run") : NULL);
}

CulpritDocument *
culprit_study_window_document (CulpritStudyWindow *window)
{
  return window->document;
}

CulpritPage *
culprit_study_window_page (CulpritStudyWindow *window)
{
  GtkWidget *page = window->document ? gtk_stack_get_visible_child (GTK_STACK (window->pages)) : NULL;

  return page && CULPRIT_IS_PAGE (page) ? CULPRIT_PAGE (page) : NULL;
}

CulpritTableView *
culprit_study_window_table (CulpritStudyWindow *window)
{
  CulpritPage *page = culprit_study_window_page (window);

  return page ? culprit_page_table (page) : NULL;
}

OutliersPage *
culprit_study_window_outliers (CulpritStudyWindow *window)
{
  return window->outliers;
}

ComparePage *
culprit_study_window_compare (CulpritStudyWindow *window)
{
  return window->compare;
}

RecordPage *
culprit_study_window_record (CulpritStudyWindow *window)
{
  return window->record;
}

GtkWidget *
culprit_study_window_pages (CulpritStudyWindow *window)
{
  return window->pages;
}

void
culprit_study_window_show_page (CulpritStudyWindow *window, const char *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (window->pages), name);
}

/* The titles of the pages: side by side, or in a menu. */

static void
show_titles (CulpritStudyWindow *window)
{
  if (window->document)
    gtk_stack_set_visible_child_name (GTK_STACK (window->title_stack), window->narrow ? "narrow" : "pages");
}

static void
on_page (GtkStack *pages, GParamSpec *spec, CulpritStudyWindow *window)
{
  GtkWidget *page = gtk_stack_get_visible_child (pages);

  if (page)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (window->page_choice),
                               gtk_stack_page_get_title (gtk_stack_get_page (pages, page)));
}

/* The page of many machines is there where the study has any; it could not be shown before, if it was the last one. */
static void
on_fleet (FleetPage *fleet, GParamSpec *spec, CulpritStudyWindow *window)
{
  GMenuModel *pages = G_MENU_MODEL (window->pages_menu);
  int last = g_menu_model_get_n_items (pages) - 1;
  g_autofree char *label = NULL;
  g_autofree char *page = NULL;
  gboolean filled;

  g_object_get (fleet, "filled", &filled, NULL);
  g_menu_model_get_item_attribute (pages, last, G_MENU_ATTRIBUTE_LABEL, "s", &label);
  if (g_str_equal (label, "Fleet"))
    g_menu_remove (window->pages_menu, last);
  if (!filled)
    return;
  g_menu_append (window->pages_menu, "Fleet", "win.page::fleet");
  page = window_settings (window) ? g_settings_get_string (window_settings (window), "page") : NULL;
  if (g_strcmp0 (page, "fleet") == 0)
    culprit_study_window_show_page (window, "fleet");
}

/* Opening. */

/* @property of @object is as it was remembered, and is remembered when it changes; other windows go their own way. */
static void
remember (CulpritStudyWindow *window, const char *key, gpointer object, const char *property)
{
  if (window_settings (window))
    g_settings_bind (window_settings (window), key, object, property,
                     G_SETTINGS_BIND_GET | G_SETTINGS_BIND_SET | G_SETTINGS_BIND_GET_NO_CHANGES);
}

void
culprit_study_window_open (CulpritStudyWindow *window, CulpritDocument *document)
{
  const char *path = culprit_document_path (document);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf ("%s – Culprit", name);

  window->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), window, G_CONNECT_AFTER);
  show_title (GTK_WINDOW (window), title);
  show_line (window->study_name, name);
  show_tooltip (window->study_name, path);
  g_object_notify_by_pspec (G_OBJECT (window), properties[PROPERTY_DOCUMENT]);
  panes_keep (GTK_STACK (window->pages));
  culprit_study_window_show_page (window, "outliers");
  remember (window, "page", window->pages, "visible-child-name");
  remember (window, "traced-times", document, "traced");
  remember (window, "verdict-expanded", outliers_page_verdict (window->outliers), "expanded");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "pages");
  show_titles (window);
  gtk_widget_set_visible (window->search_button, TRUE);
  window_actions_add_with_study (window);
}

const char *
culprit_study_window_path (CulpritStudyWindow *window)
{
  return window->document ? culprit_document_path (window->document) : NULL;
}

/* Files that are dropped: a study is opened, anything else imported. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, CulpritStudyWindow *window)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);

  for (GSList *list = gdk_file_list_get_files (g_value_get_boxed (value)); list; list = list->next)
    {
      char *path = g_file_get_path (list->data);

      if (path && g_str_has_suffix (path, ".culprit"))
        opening_open (CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), path, NULL);
      if (path && !g_str_has_suffix (path, ".culprit"))
        g_ptr_array_add (others, path);
      else
        g_free (path);
    }
  if (others->len > 0)
    window_import (window, others);
  return TRUE;
}

/* The window. */

static void
window_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  if (property == PROPERTY_NARROW)
    g_value_set_boolean (value, CULPRIT_STUDY_WINDOW (object)->narrow);
  else
    g_value_set_object (value, CULPRIT_STUDY_WINDOW (object)->document);
}

static void
window_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CULPRIT_STUDY_WINDOW (object)->narrow = g_value_get_boolean (value);
  show_titles (CULPRIT_STUDY_WINDOW (object));
}

static void
window_dispose (GObject *object)
{
  CulpritStudyWindow *window = CULPRIT_STUDY_WINDOW (object);

  if (window->document)
    window_actions_end (window);
  if (window->outer) /* A window that is closed is disposed of twice. */
    gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_STUDY_WINDOW);
  g_clear_object (&window->document);
  G_OBJECT_CLASS (culprit_study_window_parent_class)->dispose (object);
}

static void
culprit_study_window_class_init (CulpritStudyWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = window_dispose;
  G_OBJECT_CLASS (class)->get_property = window_get_property;
  G_OBJECT_CLASS (class)->set_property = window_set_property;
  properties[PROPERTY_DOCUMENT] =
      g_param_spec_object ("document", NULL, NULL, CULPRIT_TYPE_DOCUMENT, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), PROPERTIES, properties);
  g_type_ensure (FLEET_TYPE_PAGE);
  g_type_ensure (LATENCY_TYPE_PAGE);
  g_type_ensure (OUTLIERS_TYPE_PAGE);
  g_type_ensure (FUNCTIONS_TYPE_PAGE);
  g_type_ensure (STALLS_TYPE_PAGE);
  g_type_ensure (COMPARE_TYPE_PAGE);
  g_type_ensure (RECORD_TYPE_PAGE);
  g_type_ensure (GDK_TYPE_FILE_LIST);
  g_type_ensure (CULPRIT_TYPE_NOTICES);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/window.ui");
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, title_stack);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, study_name);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, run_choice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, search_button);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, export_menu);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, notices);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, page_choice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, outer);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, pages);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, outliers);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, compare);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, record);
  gtk_widget_class_bind_template_callback (widget, on_message);
  gtk_widget_class_bind_template_callback (widget, on_notice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, pages_menu);
  gtk_widget_class_bind_template_callback (widget, on_fleet);
  gtk_widget_class_bind_template_callback (widget, on_drop);
  gtk_widget_class_bind_template_callback (widget, on_run_chosen);
}

static void
culprit_study_window_init (CulpritStudyWindow *window)
{
  gtk_widget_init_template (GTK_WIDGET (window));
  narrow_keep (GTK_WINDOW (window));
  g_signal_connect (window->pages, "notify::visible-child", G_CALLBACK (on_page), window);
  edit_keys_add (GTK_WIDGET (window));
  window_actions_add (window);
  focus_guard (GTK_WINDOW (window), GTK_STACK (window->pages));
  closing_guard (GTK_WINDOW (window), window->record);
}

CulpritStudyWindow *
culprit_study_window_new (CulpritApplication *application)
{
  CulpritStudyWindow *window = g_object_new (CULPRIT_TYPE_STUDY_WINDOW, "application", application, NULL);

  gtk_stack_add_named (GTK_STACK (window->outer), start_page_new (window_settings (window)), "start");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "start");
  remember (window, "window-width", window, "default-width");
  remember (window, "window-height", window, "default-height");
  remember (window, "window-maximized", window, "maximized");
  return window;
}
