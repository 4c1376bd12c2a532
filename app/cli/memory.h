/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exits with a one-line error when memory runs out. */
#pragma once

/* From here on, when GLib runs out of memory, the program exits with a one-line error. */
void memory_begin (void);
