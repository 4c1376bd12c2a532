/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a capture in KernelShark, at its late wake-up. */
#pragma once

#include "document.h"

/* Starts KernelShark with the chosen capture of @document: it shows the late wake-up, between its markers A and B. What
 * goes wrong is told by the document's "failed". */
void kernelshark_open (CulpritDocument *document);
