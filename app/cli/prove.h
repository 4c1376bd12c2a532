/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proof as JSON. */
#pragma once

#include "json.h"
#include "study/proofs.h"

/* Of a CulpritStoredProof, which is also the context of the table. */
extern const Member proof_json_members[];
