/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that is measured: this one, one reached by ssh, or a virtual machine. */
#pragma once

#include <gio/gio.h>

typedef enum
{
  CULPRIT_TARGET_LOCAL, /* directly as root, else by pkexec */
  CULPRIT_TARGET_SSH,
  CULPRIT_TARGET_VM,
} CulpritTargetKind;

typedef struct
{
  CulpritTargetKind kind;
  char *name;        /* as the user gave it */
  char *host;        /* of ssh: [USER@]HOST, as ssh understands it */
  char *vm_time;     /* "counted" or "wall"; NULL: counted */
  char *vm_arch;     /* "amd64" or "arm64"; NULL: this machine's */
  char *vm_kernel;   /* "standard", "rt", one of a version as "rt-6.12", or a Debian package; NULL: standard */
  gint vm_cpus;      /* 0: one */
  gint vm_memory;    /* in MiB; 0: enough */
  char **vm_modules; /* each a file, and options behind a space; may be NULL */
} CulpritTarget;

/* Reads "local", "ssh:[USER@]HOST" or "vm". NULL with an error. */
CulpritTarget *culprit_target_parse (const char *text, GError **error);

void culprit_target_free (CulpritTarget *target);

/* The command that starts a recorder on @target; it speaks on standard input and output. Here it takes @request, a line
 * of JSON, along; elsewhere it must be sent. NULL with an error where this machine lacks what that needs. */
GStrv culprit_target_command (const CulpritTarget *target, const char *request, GError **error);

/* What to tell people where the command of @target ended with @status before the recorder said anything; @said is the
 * last line of its standard error. */
void culprit_target_explain (const CulpritTarget *target, int status, const char *said, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTarget, culprit_target_free)
