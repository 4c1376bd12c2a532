/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ready to hand: stress-ng with arguments that trouble one part of a machine. */
#pragma once

typedef struct
{
  const char *name;
  const char *command;
  const char *summary; /* what it troubles, as part of a sentence */
} CulpritLoad;

/* All of them; ends with one without a name. */
extern const CulpritLoad culprit_loads[];

/* The command that @load means: that of the ready one of this name, or @load itself. */
const char *culprit_load_command (const char *load);
