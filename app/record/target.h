/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine to measure: this one, one reached by ssh, or a virtual machine. */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

typedef enum
{
  CULPRIT_TARGET_LOCAL, /* directly as root, else through pkexec */
  CULPRIT_TARGET_SSH,
  CULPRIT_TARGET_VM,
} CulpritTargetKind;

typedef struct
{
  CulpritTargetKind kind;
  char *name;        /* as the user gave it */
  char *host;        /* for ssh: [USER@]HOST, as ssh takes it */
  char *vm_time;     /* "counted" or "wall"; NULL: counted */
  char *vm_arch;     /* "amd64" or "arm64"; NULL: this machine's */
  char *vm_kernel;   /* "standard", "rt", one of a version such as "rt-6.12", or a Debian package; NULL: standard */
  gint vm_cpus;      /* 0: default */
  gint vm_memory;    /* in MiB; 0: default */
  char **vm_modules; /* each a file, optionally followed by a space and options; may be NULL */
} CulpritTarget;

/* Reads "local", "ssh:[USER@]HOST" or "vm". NULL with an error. */
CulpritTarget *culprit_target_parse (const char *text, GError **error);

void culprit_target_free (CulpritTarget *target);

/* Adds @target to the members of @configuration, which a study keeps with what was requested: "target", as the user
 * gave it, and for a virtual machine "vm", an object with those of its settings that were given. */
void culprit_target_store (const CulpritTarget *target, JsonObject *configuration);

/* The command that starts a recorder on @target; it talks over standard input and output. On this machine, @request, a
 * line of JSON, is one of its arguments; elsewhere it must be sent. NULL with an error if something needed is missing
 * on this machine. */
GStrv culprit_target_command (const CulpritTarget *target, const char *request, GError **error);

/* Explains in an error why the command of @target exited with @status before the recorder said anything; @said is the
 * last line of its standard error. */
void culprit_target_explain (const CulpritTarget *target, int status, const char *said, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTarget, culprit_target_free)
