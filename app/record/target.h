/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine to measure: this one, one reached by ssh, or a virtual machine. */
#pragma once

#include "problem.h"
#include "request.h"

#include <gio/gio.h>

/* What people can do about a problem, in the words of the program that shows it. */

typedef enum
{
  CULPRIT_AT_COMMAND, /* a terminal, or a program that reads JSON */
  CULPRIT_IN_WINDOW,
} CulpritSurface;

/* @text, which says what is wrong, and what can be done: "not enough memory; use a smaller --buffer". If @text is a
 * sentence with a full stop, so is this. The caller owns it. */
char *culprit_problem_words (const char *text, CulpritRemedy remedy, CulpritSurface surface);

/* The remedy that recorders call @key (app/recorder/PROTOCOL.md); CULPRIT_REMEDY_NONE if it is NULL or not known. */
CulpritRemedyKind culprit_remedy_from_key (const char *key);

/* Errors of a target: beside their message, which says what is wrong, they have what people can do about it. */

#define CULPRIT_TARGET_ERROR (culprit_target_error_quark ())

typedef enum
{
  CULPRIT_TARGET_ERROR_HERE,  /* This machine lacks something, or the message names the target itself. */
  CULPRIT_TARGET_ERROR_THERE, /* The name of the target belongs in front of it. */
} CulpritTargetError;

GQuark culprit_target_error_quark (void);

/* Sets @error, as g_set_error() does. */
void culprit_target_error_set (GError **error, CulpritTargetError code, CulpritRemedy remedy, const char *message, ...)
    G_GNUC_PRINTF (4, 5);

/* What @error, of this domain or another, says: "vm: the connection to the recorder was lost". @target: its name there.
 * The caller owns it. */
char *culprit_target_error_words (const GError *error, const char *target, CulpritSurface surface);

typedef enum
{
  CULPRIT_TARGET_LOCAL, /* directly as root, else through pkexec */
  CULPRIT_TARGET_SSH,
  CULPRIT_TARGET_VM,
} CulpritTargetKind;

typedef struct
{
  CulpritTargetKind kind;
  char *name;     /* as the user gave it */
  char *host;     /* for ssh: [USER@]HOST, as ssh takes it */
  JsonObject *vm; /* the settings given for a virtual machine, of culprit_vm_settings */
} CulpritTarget;

/* The settings of a virtual machine; their options begin with "vm-". */
extern const Setting culprit_vm_settings[];

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
 * last line of its standard error, or how it ended. */
void culprit_target_explain (const CulpritTarget *target, int status, const char *said, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTarget, culprit_target_free)
