/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for the reader of captures, whatever the bytes. */
#pragma once

#include <glib.h>

/* Reads the @size bytes at @data as a capture: they are rejected with one line, or the result adds up. Aborts if
 * neither. */
void check_capture (const guint8 *data, gsize size);
