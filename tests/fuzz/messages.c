/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what a session receives from a target: a line is rejected with one line, or becomes a message within its
 * bounds. */
#include "app/record/message.h"
#include "clean.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Texts must be safe to show on one line. */
static void
require_plain (const char *text)
{
  g_autofree char *clean = text ? culprit_clean_line (text) : NULL;

  if (text && !g_str_equal (clean, text))
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *line = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritMessage) message = culprit_message_parse (line, strlen (line), &error);

  if (!message == !error)
    abort ();
  if (error)
    require_plain (error->message);
  if (!message)
    return 0;
  require_plain (message->text);
  if (message->run < 0 || message->capture < 0)
    abort ();
  if (message->type == CULPRIT_MESSAGE_SAMPLES && (message->samples.cpu < 0 || message->samples.cycles < 0))
    abort ();
  return 0;
}
