/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which function, task or interrupt one case is due to. */
#pragma once

#include "case.h"

/* Gives @one its class and culprit. What only many captures can tell, blind stalls, comes after this. */
void culprit_judge (CulpritCase *one);

/* Makes @part the culprit of @one, called too often or taking too long. */
void culprit_blame_part (CulpritCase *one, const CulpritPart *part);
