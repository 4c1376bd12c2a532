/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that describe what to record. */
#pragma once

#include "record/request.h"

/* Entries for GOption, ending with an empty one. The caller owns the array. */
GOptionEntry *record_options_entries (CulpritRequestOptions *options);

/* The request for these options, by the protocol. NULL with an error that names the option. */
JsonObject *record_options_read (const CulpritRequestOptions *options, GError **error);
