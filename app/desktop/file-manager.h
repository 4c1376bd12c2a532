/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the file of a capture in its folder. */
#pragma once

#include "document.h"

/* Tells @ready whether files can be shown. */
void file_manager_ask (GObject *owner, void (*ready) (GObject *owner, gboolean there));

/* Shows the file of the chosen capture of @document, selected in its folder. Failures are reported by the document. */
void file_manager_show (CulpritDocument *document);
