/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that share a name are chosen and shown one by one. */
#include "sample-window.h"

#include "document.h"

#define SECOND "qh_completions#2 [culprit_fault]"

/* Gives what calls qh_completions its name. */
static void
give_one_name (SampleWindow *sample)
{
  g_assert_cmpint (sample_window_execute (
                       sample, "UPDATE function SET name = 'qh_completions', ordinal = 1 WHERE name = 'ehci_work'"),
                   ==, 1);
}

static void
test_the_second_of_a_name_is_shown_as_itself (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  give_one_name (sample);
  culprit_document_reload (document);
  culprit_study_window_show_page (sample->window, "functions");
  sample_window_wait_until (sample_window_shows_label, sample, "qh_completions#2");
  culprit_document_choose_function (document, SECOND);
  sample_window_wait_until (sample_window_shows_label, sample, SECOND);
  sample_window_settle ();
  /* The selection has not gone to the other, nor does it take the other's sentence. */
  g_assert_cmpstr (culprit_document_function (document), ==, SECOND);
  g_assert_true (sample_window_shows_label (sample, "It is not the culprit of any late wake-up."));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/names/the-second-of-a-name-is-shown-as-itself", test_the_second_of_a_name_is_shown_as_itself);
  return g_test_run ();
}
