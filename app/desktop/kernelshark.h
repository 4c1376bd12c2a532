/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens captures in KernelShark. */
#pragma once

#include "document.h"

/* Starts KernelShark with the chosen capture of @document: it shows the late wake-up with markers A and B
 * around it. Errors are reported by the document's "failed" signal. */
void kernelshark_open (CulpritDocument *document);
