/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows captures in other programs. */
#pragma once

#include "document.h"

/* Starts KernelShark with the chosen capture of @document: it shows the late wake-up with markers A and B
 * around it. Errors are reported by the document's "failed" signal. */
void kernelshark_open (CulpritDocument *document);

/* Tells @ready whether a file manager can show files. */
void file_manager_ask (GObject *owner, void (*ready) (GObject *owner, gboolean there));

/* Shows the file of the chosen capture of @document, selected in its folder. Failures are reported by the document. */
void file_manager_show (CulpritDocument *document);
