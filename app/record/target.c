/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts recorders on targets, and explains why they do not start. */
#include "target.h"

#include "target-error.h"

#include <unistd.h>

#define RECORDER "culprit-recorder"
#define STATUS_CANNOT_PREPARE 125 /* of vm/boot: a module or folder */
#define STATUS_NOT_FOUND 127
#define STATUS_NOT_ALLOWED 126
#define STATUS_SSH 255

#ifdef __aarch64__
#define OWN_ARCHITECTURE "arm64"
#else
#define OWN_ARCHITECTURE "amd64"
#endif

CulpritTarget *
culprit_target_parse (const char *text, GError **error)
{
  g_autoptr (CulpritTarget) target = g_new0 (CulpritTarget, 1);

  target->name = g_strdup (text);
  if (g_str_equal (text, "local"))
    target->kind = CULPRIT_TARGET_LOCAL;
  else if (g_str_equal (text, "vm"))
    target->kind = CULPRIT_TARGET_VM;
  else if (g_str_has_prefix (text, "ssh:") && text[4] && text[4] != '-')
    {
      target->kind = CULPRIT_TARGET_SSH;
      target->host = g_strdup (text + 4);
    }
  else
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "unknown target \"%s\"; expected local, ssh:[USER@]HOST or vm", text);
      return NULL;
    }
  return g_steal_pointer (&target);
}

void
culprit_target_free (CulpritTarget *target)
{
  g_free (target->name);
  g_free (target->host);
  g_free (target->vm_time);
  g_free (target->vm_arch);
  g_free (target->vm_kernel);
  g_strfreev (target->vm_modules);
  g_free (target);
}

static void
store_text (JsonObject *vm, const char *key, const char *text)
{
  if (text)
    json_object_set_string_member (vm, key, text);
}

static void
store_number (JsonObject *vm, const char *key, gint number)
{
  if (number > 0)
    json_object_set_int_member (vm, key, number);
}

/* The settings of a virtual machine, named as the options --vm-KEY. The caller owns them. */
static JsonObject *
vm_settings (const CulpritTarget *target)
{
  JsonObject *vm = json_object_new ();
  JsonArray *modules = target->vm_modules ? json_array_new () : NULL;

  store_text (vm, "kernel", target->vm_kernel);
  store_text (vm, "arch", target->vm_arch);
  store_text (vm, "time", target->vm_time);
  store_number (vm, "cpus", target->vm_cpus);
  store_number (vm, "memory", target->vm_memory);
  for (char **module = target->vm_modules; module && *module; module++)
    json_array_add_string_element (modules, *module);
  if (modules)
    json_object_set_array_member (vm, "modules", modules);
  return vm;
}

void
culprit_target_store (const CulpritTarget *target, JsonObject *configuration)
{
  json_object_set_string_member (configuration, "target", target->name);
  if (target->kind == CULPRIT_TARGET_VM)
    json_object_set_object_member (configuration, "vm", vm_settings (target));
}

/* The helper program @built in the build folder of the running program, or @installed. NULL with an error. */
static char *
find_helper (const char *built, const char *installed, GError **error)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self ? self : ".");
  g_autofree char *beside = g_canonicalize_filename (built, folder);

  if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (g_file_test (installed, G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (installed);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: not found; rebuild or reinstall culprit", installed);
  return NULL;
}

static char *
find_recorder (GError **error)
{
  return find_helper ("../recorder/" RECORDER, CULPRIT_BINDIR "/" RECORDER, error);
}

/* The recorder for the virtual machine: that of another architecture is built separately, in a folder named after
 * it. */
static char *
find_vm_recorder (const CulpritTarget *target, GError **error)
{
  const char *arch = target->vm_arch ? target->vm_arch : OWN_ARCHITECTURE;
  g_autofree char *built = g_strdup_printf ("../recorder/%s/" RECORDER, arch);
  g_autofree char *installed = g_strdup_printf (CULPRIT_LIBEXECDIR "/%s/" RECORDER, arch);
  char *recorder;

  if (g_str_equal (arch, OWN_ARCHITECTURE))
    return find_recorder (error);
  if (!g_str_equal (arch, "amd64") && !g_str_equal (arch, "arm64"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "unknown architecture \"%s\"; expected amd64 or arm64", arch);
      return NULL;
    }
  recorder = find_helper (built, installed, NULL);
  if (!recorder)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 "%s: not found; build it in culprit's source with: data/build-recorder %s", installed, arch);
  return recorder;
}

static void
add_option (GPtrArray *command, const char *option, const char *value)
{
  if (!value)
    return;
  g_ptr_array_add (command, g_strdup (option));
  g_ptr_array_add (command, g_strdup (value));
}

static void
add_number (GPtrArray *command, const char *option, gint value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  add_option (command, option, value > 0 ? text : NULL);
}

static gboolean
add_vm (GPtrArray *command, const CulpritTarget *target, GError **error)
{
  g_autofree char *recorder = find_vm_recorder (target, error);
  char *boot = recorder ? find_helper ("../record/vm/boot", CULPRIT_LIBEXECDIR "/vm/boot", error) : NULL;

  if (!boot)
    return FALSE;
  g_ptr_array_add (command, boot);
  add_option (command, "--time", target->vm_time);
  add_option (command, "--arch", target->vm_arch);
  add_option (command, "--kernel", target->vm_kernel);
  add_number (command, "--cpus", target->vm_cpus);
  add_number (command, "--memory", target->vm_memory);
  add_option (command, "--program", recorder);
  for (char **module = target->vm_modules; module && *module; module++)
    add_option (command, "--module", *module);
  g_ptr_array_add (command, g_strdup (RECORDER));
  return TRUE;
}

/* Makes the command run as root, if we are not. */
static gboolean
add_root (GPtrArray *command, GError **error)
{
  char *pkexec = geteuid () != 0 ? g_find_program_in_path ("pkexec") : NULL;

  if (pkexec)
    g_ptr_array_add (command, pkexec);
  if (pkexec || geteuid () == 0)
    return TRUE;
  culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_INSTALL_PKEXEC },
                            "measuring this machine needs root, and pkexec is not installed");
  return FALSE;
}

static gboolean
add_local (GPtrArray *command, const char *request, GError **error)
{
  g_autofree char *recorder = find_recorder (error);

  if (!recorder || !add_root (command, error))
    return FALSE;
  add_option (command, recorder, request); /* as an argument, so that pkexec can show what root is asked to do */
  return TRUE;
}

static void
add_ssh (GPtrArray *command, const CulpritTarget *target)
{
  add_option (command, "ssh", "-T");
  add_option (command, "-o", "ServerAliveInterval=15"); /* A board that crashed does not close the connection. */
  add_option (command, "--", target->host);
  g_ptr_array_add (command, g_strdup (RECORDER));
}

GStrv
culprit_target_command (const CulpritTarget *target, const char *request, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  gboolean complete = TRUE;

  switch (target->kind)
    {
    case CULPRIT_TARGET_SSH:
      add_ssh (command, target);
      break;
    case CULPRIT_TARGET_VM:
      complete = add_vm (command, target, error);
      break;
    case CULPRIT_TARGET_LOCAL:
      complete = add_local (command, request, error);
      break;
    }
  return complete ? (GStrv) g_ptr_array_steal (command, NULL) : NULL;
}

void
culprit_target_explain (const CulpritTarget *target, int status, const char *said, GError **error)
{
  g_autofree char *recorder = find_recorder (NULL);
  const char *reason = said && *said ? said : "no reason given";
  gboolean not_prepared = target->kind == CULPRIT_TARGET_VM && status == STATUS_CANNOT_PREPARE;

  if (target->kind == CULPRIT_TARGET_SSH && status == STATUS_NOT_FOUND)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_NONE },
                              "%s: " RECORDER
                              " not found; copy it with: scp %s %s:/usr/local/bin/ (and there: apt-get install "
                              "trace-cmd)",
                              target->host, recorder ? recorder : RECORDER, target->host);
  else if (target->kind == CULPRIT_TARGET_SSH && status == STATUS_SSH)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_NONE },
                              "%s: cannot be reached: %s", target->host, reason);
  else if (target->kind == CULPRIT_TARGET_LOCAL && (status == STATUS_NOT_ALLOWED || status == STATUS_NOT_FOUND))
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_BECOME_ROOT },
                              "measuring this machine needs root, and pkexec failed: %s", reason);
  else
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE,
                              (CulpritRemedy) { not_prepared ? CULPRIT_REMEDY_SEE_CONSOLE : CULPRIT_REMEDY_NONE },
                              "the recorder does not start: %s", reason);
}
