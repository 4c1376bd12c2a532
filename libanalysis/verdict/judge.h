/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function, task or interrupt that caused one late wake-up. */
#pragma once

#include "case.h"
#include "population.h"

/* Gives @one its class and culprit, from what is abnormal in it. Blind stalls, which only several captures can show,
 * are found later. */
void culprit_judge (CulpritCase *one, const CulpritPopulation *population);

/* Gives @one the class of a stall, blind or of a late timer, that took @stalled_ns. */
void culprit_judge_stalls (CulpritCase *one, CulpritClass class, const char *culprit, double stalled_ns);

/* Takes the class back if the capture does not show what it depends on. */
void culprit_judge_hidden (CulpritCase *one);

/* The class of a function of whose excess the share @by_count is due to more calls. */
CulpritClass culprit_class_by_count (double by_count);
