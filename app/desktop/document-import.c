/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports files into the document: one import at a time; further ones wait in a queue. */
#include "document-private.h"

#include "import.h"
#include "record/remedies.h"
#include "show.h"
#include "units.h"

#define MOST_TOLD 4 /* lines of a kind, of what an import came to */

static void
on_import_progress (const char *text, gpointer data)
{
  CulpritDocument *document = data;

  document_set_doing (document, text);
}

static void
add_line (GString *text, const char *line)
{
  g_autofree char *clean = shown (line);

  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", clean);
}

/* Says that of @n lines only @most are shown. */
static void
add_rest (GString *text, guint n, guint most)
{
  if (n > most)
    g_string_append_printf (text, "\nand %u more", n - most);
}

/* Adds the first lines of @lines (of char *) to @text. */
static void
add_lines (GString *text, const GPtrArray *lines, guint most)
{
  for (guint i = 0; i < MIN (lines->len, most); i++)
    add_line (text, g_ptr_array_index (lines, i));
  add_rest (text, lines->len, most);
}

static void
add_warnings (GString *text, const GPtrArray *warnings)
{
  for (guint i = 0; i < MIN (warnings->len, MOST_TOLD); i++)
    {
      const CulpritProblem *warning = g_ptr_array_index (warnings, i);
      g_autofree char *words = culprit_problem_words (warning->text, warning->remedy, CULPRIT_IN_WINDOW);

      add_line (text, words);
    }
  add_rest (text, warnings->len, MOST_TOLD);
}

/* What went wrong, or was left out, and what latency results were taken for; else that everything was imported already.
 */
static void
tell_imported (CulpritDocument *document, const CulpritImportTally *tally)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_lines (text, tally->problems, 1);
  add_warnings (text, tally->warnings);
  add_lines (text, tally->read_as, MOST_TOLD);
  if (text->len == 0 && tally->known > 0 && tally->stored + tally->again + tally->profiles == 0)
    g_string_append_printf (text, "%u file%s already imported: nothing was changed", tally->known,
                            culprit_plural (tally->known));
  if (text->len > 0)
    document_tell (document, tally->problems->len > 0, text->str);
}

/* "Imported 12 captures and 1 latency profile". The caller owns it; NULL: nothing new came. */
static char *
sum_up (const CulpritImportTally *tally)
{
  guint captures = tally->stored + tally->again;
  g_autofree char *some = g_strdup_printf ("%u capture%s", captures, culprit_plural (captures));
  g_autofree char *others = g_strdup_printf ("%u latency profile%s", tally->profiles, culprit_plural (tally->profiles));

  if (captures + tally->profiles == 0)
    return NULL;
  return g_strdup_printf ("Imported %s%s%s", captures > 0 ? some : "",
                          captures > 0 && tally->profiles > 0 ? " and " : "", tally->profiles > 0 ? others : "");
}

static void
tell_done (CulpritDocument *document, const CulpritImportTally *tally)
{
  g_autofree char *text = sum_up (tally);

  if (text)
    document_tell_done (document, text, "Show",
                        tally->stored + tally->again > 0 ? "win.page::outliers" : "win.page::latency");
}

static void
on_imported (const CulpritImportTally *tally, gpointer data)
{
  CulpritDocument *document = data;
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&document->waiting);
  gboolean cancelled = g_cancellable_is_cancelled (document->importing);

  g_clear_object (&document->importing);
  document_set_doing (document, NULL);
  if (g_file_test (document->path, G_FILE_TEST_EXISTS))
    culprit_document_reload (document);
  tell_done (document, tally);
  tell_imported (document, tally);
  if (waiting && !cancelled)
    culprit_document_import (document, waiting);
}

/* Until the import that is going on has ended. */
static void
wait_for_import (CulpritDocument *document, const GPtrArray *paths)
{
  if (!document->waiting)
    document->waiting = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (document->waiting, g_strdup (g_ptr_array_index (paths, i)));
}

void
culprit_document_import (CulpritDocument *document, const GPtrArray *paths)
{
  if (document->importing)
    {
      wait_for_import (document, paths);
      return;
    }
  document->importing = g_cancellable_new ();
  document_set_doing (document, "Looking for captures");
  import_files (document->path, paths, document->importing, G_OBJECT (document), on_import_progress, on_imported);
}

void
culprit_document_cancel (CulpritDocument *document)
{
  if (document->importing)
    g_cancellable_cancel (document->importing);
}
