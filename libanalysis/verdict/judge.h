/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function, task or interrupt that caused one late wake-up. */
#pragma once

#include "case.h"
#include "population.h"

/* Gives @one its class and culprit, of what is abnormal in it. What only many captures can tell, blind stalls, comes
 * after this. */
void culprit_judge (CulpritCase *one, const CulpritPopulation *population);

/* Gives @one the class of a stall, blind or of a late timer, that took @stalled_ns. */
void culprit_judge_stalls (CulpritCase *one, CulpritClass class, const char *culprit, double stalled_ns);

/* Takes the class back where the capture does not show what it would need. */
void culprit_judge_hidden (CulpritCase *one);

/* The class of a function whose excess is by more calls to the part @by_count. */
CulpritClass culprit_class_by_count (double by_count);
