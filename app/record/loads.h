/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Built-in loads: stress-ng with arguments that stress one part of a machine. */
#pragma once

typedef struct
{
  const char *name;
  const char *command;
  const char *summary; /* what it stresses, as part of a sentence */
} CulpritLoad;

/* All of them; ends with one without a name. */
extern const CulpritLoad culprit_loads[];

/* The command for @load: that of the built-in load of this name, or @load itself. */
const char *culprit_load_command (const char *load);
