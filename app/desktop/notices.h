/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a window reports, over the bottom of the page, so that nothing moves: a message that stays until it is closed or
 * over, a short notice of what was done, and the task in progress, which can be cancelled.
 *
 * Properties, which notify: "message" and "notice", the texts that are shown; empty: none. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_NOTICES (culprit_notices_get_type ())
G_DECLARE_FINAL_TYPE (CulpritNotices, culprit_notices, CULPRIT, NOTICES, CulpritDocumentView)

/* Says what failed, as culprit_document_fail() does. */
void culprit_notices_fail (CulpritNotices *notices, CulpritAbout about, const char *message);

/* Takes off the message, whatever it is about. */
void culprit_notices_dismiss (CulpritNotices *notices);

/* Says for a short time that something was done, with a button for @action, a detailed name (NULL: none). An empty
 * @text withdraws the notice. */
void culprit_notices_done (CulpritNotices *notices, const char *text, const char *label, const char *action);

/* Shows a dialog above @parent with @text, what was reported about files of imports, whose lines must already be clean.
 */
void import_report_show (GtkWindow *parent, const char *text);
