/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from outside (names in a capture, messages of a target, file names) safe to show: it cannot control the
 * terminal or change the direction of text. */
#pragma once

#include <glib.h>

/* Whether @character only shows itself: it is not a control character, not a line break, and does not change the
 * direction of text. */
gboolean culprit_is_plain (gunichar character);

/* Whether @text may be edited in a field as it is: one valid line of at most @most characters, each of which is plain
 * or only joins, parts or turns the letters beside it, as in Persian, Hebrew and among emoji. */
gboolean culprit_is_editable (const char *text, guint most);

/* @text with a question mark for each character that is not plain, except line breaks, and for accents heaped on one
 * letter; what is invalid UTF-8 shows a mark of its own. The caller owns it. */
char *culprit_clean_text (const char *text);

/* The same on one line: line breaks become spaces. */
char *culprit_clean_line (const char *text);

/* The same of the first @most characters, with an ellipsis if there are more, in time that depends on @most alone.
 * Line breaks become @line_break. */
char *culprit_clean_start (const char *text, guint most, char line_break);

/* Equivalent JSON, with characters that are not plain written as \u and four digits. The caller owns it. */
char *culprit_clean_json (const char *json);

/* @text as one word of a command that people may copy into a shell: quoted, unless it means itself there. The caller
 * owns it. */
char *culprit_shell_word (const char *text);
