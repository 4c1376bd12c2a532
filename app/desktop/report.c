/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the report in a thread. */
#include "report.h"

#include "report/report.h"

typedef struct
{
  char *path;
  char *run;
  GArray *captures; /* of gint64 */
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_free (wanted->path);
  g_free (wanted->run);
  g_array_unref (wanted->captures);
  g_free (wanted);
}

static gpointer
write_report (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  gboolean written = culprit_report_write (study, wanted->run, (const gint64 *) (gpointer) wanted->captures->data,
                                           wanted->captures->len, wanted->path, error);

  return written ? g_strdup (wanted->path) : NULL;
}

static void
on_written (GObject *owner, gpointer result, const GError *error)
{
  if (error)
    g_signal_emit_by_name (owner, "failed", error->message);
  else
    culprit_document_tell_written (CULPRIT_DOCUMENT (owner), result);
  g_free (result);
}

void
report_write (CulpritDocument *document, const GPtrArray *rows, const char *path)
{
  Wanted *wanted = g_new (Wanted, 1);

  *wanted = (Wanted) { g_strdup (path), g_strdup (culprit_document_run (document)),
                       g_array_new (FALSE, FALSE, sizeof (gint64)) };
  for (guint i = 0; i < rows->len; i++)
    {
      gint64 capture = culprit_row_integer (g_ptr_array_index (rows, i), "capture");

      g_array_append_val (wanted->captures, capture);
    }
  culprit_document_read (document, G_OBJECT (document), NULL, write_report, wanted, wanted_free, on_written, g_free);
}
