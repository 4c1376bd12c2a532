/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows where a capture lies. */
#pragma once

#include "document.h"

/* Calls @ready with whether captures can be shown: there is a file manager. */
void file_manager_ask (GObject *owner, void (*ready) (GObject *owner, gboolean there));

/* Shows the file of the chosen capture of @document, selected in its folder. What fails is told. */
void file_manager_show (CulpritDocument *document);
