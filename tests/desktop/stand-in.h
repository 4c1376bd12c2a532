/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for ssh, so that a window records without a machine: a real process on real pipes that says what a
 * recorder would say. */
#pragma once

#include "sample-window.h"

/* What it is instead of what stand_in_begin() makes, a shell script. */
void stand_in_write (SampleWindow *sample, const char *text);

/* Begins to record with it, and leaves it at that. */
void stand_in_start (SampleWindow *sample);

/* From now on ssh is a program in the folder of @sample which greets, begins a run, and ends it when it is asked to. */
void stand_in_begin (SampleWindow *sample);
void stand_in_end (SampleWindow *sample);

/* Records with it into the study of @sample until it is stopped, and waits until the run has begun. */
void stand_in_record (SampleWindow *sample);

/* Whether something is being recorded, and whether nothing is; to be waited for. */
gboolean stand_in_records (SampleWindow *sample, gconstpointer data);
gboolean stand_in_rests (SampleWindow *sample, gconstpointer data);

/* Adds a test that has a window and the stand-in to itself. */
void stand_in_add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data));
