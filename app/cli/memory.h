/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where there is no more memory, the program ends with one line. */
#pragma once

/* From here on, what GLib cannot go on without ends the program with one line. */
void memory_begin (void);
