/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of the reader of captures whatever the bytes. */
#pragma once

#include <glib.h>

/* Reads the @size bytes at @data as a capture: they are refused in a line, or what is read of them adds up. Aborts
 * where it does not. */
void check_capture (const guint8 *data, gsize size);
