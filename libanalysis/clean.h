/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from outside (names in a capture, messages of a target, file names) safe to show: it cannot control the
 * terminal or change the direction of text. */
#pragma once

#include <glib.h>

/* Whether @character only shows itself: it is not a control character, not a line break, and does not change the
 * direction of text. */
gboolean culprit_is_plain (gunichar character);

/* @text with a question mark for each character that is not plain, except line breaks, and for invalid UTF-8. The
 * caller owns it. */
char *culprit_clean_text (const char *text);

/* The same on one line: line breaks become spaces. */
char *culprit_clean_line (const char *text);

/* Equivalent JSON, with characters that are not plain written as \u and four digits. The caller owns it. */
char *culprit_clean_json (const char *json);
