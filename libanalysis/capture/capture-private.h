/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts that read a capture have in common. */
#pragma once

#include "session-private.h"

/* A capture with the functions of @session, named, its CPUs and the counts of its events, and nothing else yet. */
CulpritCapture *capture_new (Session *session);

/* The name of @pid in the saved command lines of @file; NULL if it is not there. The caller owns it. */
char *capture_find_comm (const TraceFile *file, gint32 pid);
