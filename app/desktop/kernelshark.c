/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a capture in KernelShark. No option of KernelShark sets a time, so it gets a session file like those it
 * writes. */
#include "kernelshark.h"

#include "capture/session.h"
#include "files.h"
#include "outliers/capture-timeline.h"
#include "study/query.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#define PROGRAM "kernelshark"
#define MARGIN_PERCENT 10 /* What is shown on either side of the late wake-up. */
#define BINS 1024         /* KernelShark makes as many of them as its graph is wide. */

static void
begin (JsonBuilder *builder, const char *name, const char *type)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, type);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

static void
add_model (JsonBuilder *builder, const LateWindow *asked)
{
  guint64 margin_ns = (asked->end_ns - asked->start_ns) * MARGIN_PERCENT / 100;

  begin (builder, "Model", "kshark.config.model");
  begin_array (builder, "range");
  json_builder_add_int_value (builder, asked->start_ns - MIN (asked->start_ns, margin_ns));
  json_builder_add_int_value (builder, asked->end_ns + margin_ns);
  json_builder_end_array (builder);
  add_int (builder, "bins", BINS);
  json_builder_end_object (builder);
}

static void
add_marker (JsonBuilder *builder, const char *name, guint64 row)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "isSet");
  json_builder_add_boolean_value (builder, TRUE);
  add_int (builder, "row", row);
  json_builder_end_object (builder);
}

/* The late wake-up's CPU first, then the others, then the measured task. */
static void
add_plots (JsonBuilder *builder, const LateWindow *asked, const CulpritEventRange *range)
{
  begin_array (builder, "CPUPlots");
  json_builder_add_int_value (builder, asked->cpu);
  for (guint i = 0; i < range->cpus->len; i++)
    if (g_array_index (range->cpus, guint, i) != asked->cpu)
      json_builder_add_int_value (builder, g_array_index (range->cpus, guint, i));
  json_builder_end_array (builder);
  begin_array (builder, "TaskPlots");
  json_builder_add_int_value (builder, asked->pid);
  json_builder_end_array (builder);
}

/* As KernelShark has them of itself: what was lost makes rows, waking up is drawn. */
static void
add_plugins (JsonBuilder *builder)
{
  static const char *const names[] = { "missed_events", "sched_events" };

  begin (builder, "plugins", "kshark.config.plugins");
  begin_array (builder, "registered");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      json_builder_begin_array (builder);
      json_builder_add_string_value (builder, names[i]);
      json_builder_add_boolean_value (builder, TRUE);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* KernelShark takes a file only with the time of its last change. */
static void
add_data (
    JsonBuilder *builder, const LateWindow *asked, const char *file, gint64 changed_s, const CulpritEventRange *range)
{
  begin_array (builder, "data streams");
  json_builder_begin_object (builder);
  add_text (builder, "type", "kshark.config.stream");
  add_int (builder, "stream id", 0);
  begin (builder, "data", "kshark.config.data");
  add_text (builder, "file", file);
  add_text (builder, "name", *range->buffer ? range->buffer : "top buffer");
  add_int (builder, "time", changed_s);
  json_builder_end_object (builder);
  begin (builder, "filters", "kshark.config.filter");
  add_int (builder, "filter mask", 7);
  json_builder_end_object (builder);
  add_plugins (builder);
  add_plots (builder, asked, range);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

/* The text of a session. */
static char *
make_session (const LateWindow *asked, const char *file, gint64 changed_s, const CulpritEventRange *range)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  add_text (builder, "type", "kshark.config.session");
  add_model (builder, asked);
  add_data (builder, asked, file, changed_s, range);
  begin (builder, "Markers", "kshark.config.markers");
  add_marker (builder, "markA", range->first);
  add_marker (builder, "markB", range->last);
  add_text (builder, "Active", "A");
  json_builder_end_object (builder);
  add_int (builder, "ViewTop", range->first);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}

static gpointer
fail_errno (const char *path, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  return NULL;
}

/* Writes the session, and gives its path. */
static gpointer
write_session (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const LateWindow *asked = data;
  g_autofree char *file = culprit_query_capture_file (study, asked->capture, error);
  g_autofree char *name = g_strdup_printf ("kernelshark-%" G_GINT64_FORMAT ".json", asked->capture);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "culprit", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_auto (CulpritEventRange) range = { 0 };
  GStatBuf status;

  if (!file || !culprit_event_range_read (file, asked->start_ns, asked->end_ns, &range, error))
    return NULL;
  if (g_stat (file, &status) != 0)
    return fail_errno (file, error);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail_errno (folder, error);
  text = make_session (asked, file, status.st_mtime, &range);
  return culprit_write_file (path, text, -1, error) ? g_steal_pointer (&path) : NULL;
}

static void
on_session (GObject *owner, gpointer result, const GError *error)
{
  g_autofree char *path = result;
  g_autoptr (GError) failed = NULL;
  g_autoptr (GSubprocess) started = NULL;

  if (path)
    started = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &failed, PROGRAM,
                                "-s", path, NULL);
  if (error || failed)
    g_signal_emit_by_name (owner, "failed", error ? error->message : failed->message);
}

void
kernelshark_open (CulpritDocument *document)
{
  g_autofree char *program = g_find_program_in_path (PROGRAM);
  CulpritRows *rows = culprit_document_outliers (document);
  CulpritRow *row = rows ? culprit_rows_find (rows, "capture", culprit_document_capture (document)) : NULL;

  if (!program || !row)
    {
      g_signal_emit_by_name (document, "failed",
                             program ? "Select a late wake-up first"
                                     : "KernelShark is not installed: install the package kernelshark and try again");
      return;
    }
  culprit_document_read (document, G_OBJECT (document), NULL, write_session, late_window_new (row), g_free, on_session,
                         g_free);
}
