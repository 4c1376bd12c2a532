/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several commands show as JSON. */
#pragma once

#include "json.h"

/* Of a CulpritCulprit, a cause; the context is the verdict. */
extern const Member culprit_json_members[];

/* Of a CulpritStoredProof, which is also the context. */
extern const Member proof_json_members[];
