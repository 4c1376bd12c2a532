/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run was recorded with becomes fields again. */
#include "record/form-like.h"

#include "json-bounded.h"
#include "record/form-request.h"
#include "units.h"

#include <string.h>

static CulpritRow *
find_run (CulpritRows *runs, const char *name)
{
  for (guint i = 0; runs && i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (runs), i);

      if (g_str_equal (culprit_row_text (row, "run"), name))
        return g_steal_pointer (&row);
    }
  return NULL;
}

static gboolean
is_known (CulpritRow *row, const char *column)
{
  return culprit_row_value (row, column).type != CULPRIT_VALUE_NULL;
}

static void
set_time (RecordForm *form, const char *key, CulpritRow *row, const char *column)
{
  g_autofree char *text = is_known (row, column) ? culprit_time_format_exact (culprit_row_integer (row, column)) : NULL;

  if (text)
    record_form_set (form, key, text);
}

static void
set_text (RecordForm *form, const char *key, CulpritRow *row)
{
  const char *text = culprit_row_text (row, key);

  if (*text)
    record_form_set (form, key, text);
}

/* Studies have them as JSON: "[0,2]". */
static void
set_cpus (RecordForm *form, CulpritRow *row)
{
  g_autofree char *text = g_strdup (culprit_row_text (row, "cpus"));

  if (*text)
    record_form_set (form, "cpus", g_strstrip (g_strdelimit (text, "[]", ' ')));
}

/* Of a virtual machine, where they are known. What was not given, and what the form cannot hold, are its first values.
 */
static void
set_vm (RecordForm *form, const char *settings)
{
  static const char *const keys[] = { "vm_kernel", "vm_arch", "vm_time", "vm_cpus", "vm_memory", "vm_modules" };
  g_autoptr (JsonNode) root = json_parse_bounded (settings, strlen (settings), JSON_LONGEST_LINE, NULL);
  JsonObjectIter iterator;
  const char *setting;
  JsonNode *node;

  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    record_form_set (form, keys[i], NULL);
  json_object_iter_init (&iterator, json_node_get_object (root));
  while (json_object_iter_next (&iterator, &setting, &node))
    {
      g_autofree char *key = g_strconcat ("vm_", setting, NULL);

      form_set (form, key, node);
    }
}

/* "local" is where the study was made. FALSE: where that is, seen from here, is not known. */
static gboolean
set_target (RecordForm *form, CulpritRow *row)
{
  gboolean here = g_str_equal (culprit_row_text (row, "host"), g_get_host_name ());
  const char *known = culprit_row_text (row, "target");
  const char *target = *known ? known : here ? "local" : "";
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), target);

  if (!*target || (g_str_equal (target, "local") && !here) || !form_set (form, "target", node))
    return FALSE;
  set_vm (form, culprit_row_text (row, "vm"));
  return TRUE;
}

void
form_like_target (RecordForm *form, CulpritRows *runs, const char *run)
{
  g_autoptr (CulpritRow) row = find_run (runs, run);

  if (row)
    set_target (form, row);
}

static void
set_all (RecordForm *form, CulpritRow *row)
{
  if (is_known (row, "band_low_ns"))
    record_form_set (form, "trigger", "band");
  else if (is_known (row, "threshold_ns"))
    record_form_set (form, "trigger", "threshold");
  set_time (form, "threshold", row, "threshold_ns");
  set_time (form, "band_low", row, "band_low_ns");
  set_time (form, "band_high", row, "band_high_ns");
  set_time (form, "period", row, "period_ns");
  set_text (form, "method", row);
  set_text (form, "policy", row);
  if (is_known (row, "priority"))
    {
      g_autofree char *priority = g_strdup_printf ("%" G_GINT64_FORMAT, culprit_row_integer (row, "priority"));

      record_form_set (form, "priority", priority);
    }
  set_cpus (form, row);
}

/* What was filled in, and what is left to people. The caller owns it. */
static char *
describe (CulpritRow *row, gboolean targeted, const char *run, const char *graph)
{
  const char *host = row ? culprit_row_text (row, "host") : "";
  const char *load = row ? culprit_row_text (row, "load") : "";
  GString *text = g_string_new (NULL);

  if (targeted)
    g_string_append_printf (text, "Filled in from “%s”.", run);
  else if (row)
    g_string_append_printf (text, "Filled in from “%s”, recorded on %s; check the target.", run,
                            *host ? host : "an unknown machine");
  else
    g_string_append_printf (text, "The settings of “%s” are not known.", run);
  if (*graph)
    g_string_append_printf (text, " Traces only %s and what it calls (“Trace only” below).", graph);
  if (*load)
    g_string_append_printf (text, " Its load was “%s”; choose it below.", load);
  return g_string_free (text, FALSE);
}

void
form_like (RecordForm *form, CulpritRows *runs, const char *run, const char *graph, gint64 captures)
{
  g_autoptr (CulpritRow) row = find_run (runs, run);
  g_autofree char *number = captures > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, captures) : NULL;
  const gboolean targeted = row && set_target (form, row);
  g_autofree char *remark = describe (row, targeted, run, graph);

  if (row)
    set_all (form, row);
  record_form_set (form, "tracing", NULL);
  record_form_set (form, "graph", graph);
  record_form_set (form, "captures", number);
  record_form_remark (form, remark);
  record_form_focus (form, *graph ? "graph" : "captures");
}
