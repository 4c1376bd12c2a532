/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers that pages and their parts share. */
#pragma once

#include <gtk/gtk.h>

/* Whether @widget is on a dark background, by the colour of its text. */
static inline gboolean
is_dark (GtkWidget *widget)
{
  GdkRGBA text;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  return text.red + text.green + text.blue > 1.5;
}

/* The cell of a class: a badge in its colour. */
GtkWidget *class_cell_make (void);

/* Shows @class; if it is empty, @missing without a badge; @missing may be NULL. */
void class_cell_set (GtkWidget *cell, const char *class, const char *missing);

/* Lays children out side by side in as many rows as they need, for bars in narrow windows. Children that expand get the
 * spare width of their row. */
#define CULPRIT_TYPE_WRAP_LAYOUT (culprit_wrap_layout_get_type ())

G_DECLARE_FINAL_TYPE (CulpritWrapLayout, culprit_wrap_layout, CULPRIT, WRAP_LAYOUT, GtkLayoutManager)

/* Makes the resource @name, such as "latency/latency-page.ui", the template of @class. */
void widget_class_set_template (gpointer class, const char *name);

/* Binds children of the template, which are called like members of the struct @Type; and callbacks, called like their
 * functions. */
#define widget_class_bind_children(class, Type, ...) FOR_EACH (BIND_CHILD, class, Type, __VA_ARGS__)
#define widget_class_bind_callbacks(class, ...) FOR_EACH (BIND_CALLBACK, class, , __VA_ARGS__)

/* Registers types that a template mentions. */
#define ensure_types(...) FOR_EACH (ENSURE_TYPE, , , __VA_ARGS__)

#define BIND_CHILD(class, Type, member) gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (class), Type, member)
#define BIND_CALLBACK(class, nothing, function)                                                                        \
  gtk_widget_class_bind_template_callback (GTK_WIDGET_CLASS (class), function)
#define ENSURE_TYPE(nothing, neither, type) g_type_ensure (type)

/* A signal of @type without a result; further arguments: the number of its parameters, and their types. */
#define signal_new(type, name, ...)                                                                                    \
  g_signal_new (name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, __VA_ARGS__)

/* macro (a, b, x); for each x of the other arguments, up to 85. The preprocessor expands a macro in its own expansion
 * only when it scans it again, which EXPAND makes it do. */
#define FOR_EACH(macro, a, b, ...) __VA_OPT__ (EXPAND (FOR_EACH_STEP (macro, a, b, __VA_ARGS__)))
#define FOR_EACH_STEP(macro, a, b, x, ...)                                                                             \
  macro (a, b, x);                                                                                                     \
  __VA_OPT__ (FOR_EACH_AGAIN PARENTHESES (macro, a, b, __VA_ARGS__))
#define FOR_EACH_AGAIN() FOR_EACH_STEP
#define PARENTHESES ()
#define EXPAND(...) EXPAND_64 (__VA_ARGS__)
#define EXPAND_64(...) EXPAND_16 (EXPAND_16 (EXPAND_16 (EXPAND_16 (__VA_ARGS__))))
#define EXPAND_16(...) EXPAND_4 (EXPAND_4 (EXPAND_4 (EXPAND_4 (__VA_ARGS__))))
#define EXPAND_4(...) EXPAND_1 (EXPAND_1 (EXPAND_1 (EXPAND_1 (__VA_ARGS__))))
#define EXPAND_1(...) __VA_ARGS__

/* Shows @text, which may wrap, though not between a number and its unit. */
void label_set_sentence (GtkWidget *label, const char *text);

/* A button that explains numbers. @entries: pairs of a term and a sentence, ending with NULL. */
GtkWidget *explain_button_new (const char *const *entries);

/* Keeps the property "narrow" of @window up to date: too narrow to show everything side by side. Breakpoints came with
 * libadwaita 1.4. */
void narrow_keep (GtkWindow *window);

/* Restores the dividers of all @pages and remembers where people move them. */
void panes_keep (GtkStack *pages);
