/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that may be anybody's (names in a capture, what a target says, file names) made fit to be shown: they command
 * no terminal, and turn the direction of no text. */
#pragma once

#include <glib.h>

/* Whether @character shows itself and does nothing else: it controls nothing, breaks no line, and does not turn the
 * direction of what follows. */
gboolean culprit_is_plain (gunichar character);

/* @text with a question mark for each character that is not plain, line breaks aside, and for what is no UTF-8. The
 * caller owns it. */
char *culprit_clean_text (const char *text);

/* The same on one line: line breaks become spaces. */
char *culprit_clean_line (const char *text);

/* JSON that means the same, with characters that are not plain written as \u and four digits. The caller owns it. */
char *culprit_clean_json (const char *json);
