/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cause as JSON. */
#pragma once

#include "json.h"

/* Of a CulpritCulprit; the context is the verdict. */
extern const Member culprit_json_members[];
