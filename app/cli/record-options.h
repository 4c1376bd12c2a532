/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that describe what to record. */
#pragma once

#include "record/request.h"
#include "record/target.h"

/* The options that name the machine to measure. */

typedef struct
{
  char *target;
  char *vm_time;
  char *vm_arch;
  char *vm_kernel;
  char **vm_modules;
  gint vm_cpus;
  gint vm_memory;
} TargetOptions;

/* Entries for command_parse(), beginning with those in @own (may be NULL) and ending with an empty one. The caller owns
 * the array. */
GOptionEntry *target_options_entries (TargetOptions *options, const GOptionEntry *own);

/* The target of these options. NULL with an error. */
CulpritTarget *target_options_read (const TargetOptions *options, GError **error);

/* command_fail() for an @error of @target; NULL: of reading the options. */
int target_fail (const CulpritTarget *target, GError *error);
void target_options_clear (TargetOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TargetOptions, target_options_clear)

/* Entries for GOption, ending with an empty one. The caller owns the array. */
GOptionEntry *record_options_entries (CulpritRequestOptions *options);

/* The request for these options, by the protocol. NULL with an error that names the option. */
JsonObject *record_options_read (const CulpritRequestOptions *options, GError **error);
