/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample study: a real case to start with. */
#pragma once

#include <gio/gio.h>

/* Whether there is a sample. */
gboolean sample_exists (void);

/* A copy of the sample, captures and all, that belongs to the user: made where there is none yet. Its path, which the
 * caller owns; NULL with an error. */
char *sample_open (GError **error);
