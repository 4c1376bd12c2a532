/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the options that name a target. */
#include "target-options.h"

#include "command.h"
#include "record/target-error.h"

GOptionEntry *
target_options_entries (TargetOptions *options, const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_STRING, &options->target, "Machine: local (default), ssh:[USER@]HOST or vm",
      "TARGET" },
    { "vm-time", 0, 0, G_OPTION_ARG_STRING, &options->vm_time, "Time in the virtual machine: counted (default) or wall",
      "TIME" },
    { "vm-arch", 0, 0, G_OPTION_ARG_STRING, &options->vm_arch, "Its architecture: amd64 or arm64 (default: this one's)",
      "ARCH" },
    { "vm-kernel", 0, 0, G_OPTION_ARG_STRING, &options->vm_kernel,
      "Its kernel: standard (default), rt, e.g. rt-6.12, or a package", "KERNEL" },
    { "vm-cpus", 0, 0, G_OPTION_ARG_INT, &options->vm_cpus, "Its number of CPUs, with wall time", "N" },
    { "vm-memory", 0, 0, G_OPTION_ARG_INT, &options->vm_memory, "Its memory, in MiB", "N" },
    { "vm-module", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->vm_modules,
      "Kernel module to load: a file and its options", "MODULE" },
    { NULL },
  };
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = own; entry && entry->long_name; entry++)
    g_array_append_vals (all, entry, 1);
  g_array_append_vals (all, entries, G_N_ELEMENTS (entries));
  return (GOptionEntry *) (gpointer) g_array_free (all, FALSE);
}

CulpritTarget *
target_options_read (const TargetOptions *options, GError **error)
{
  CulpritTarget *target = culprit_target_parse (options->target ? options->target : "local", error);
  gboolean for_vm = options->vm_time || options->vm_arch || options->vm_kernel || options->vm_modules ||
                    options->vm_cpus != 0 || options->vm_memory != 0;

  if (!target)
    return NULL;
  if (for_vm && target->kind != CULPRIT_TARGET_VM)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "options --vm-... need --target vm");
      culprit_target_free (target);
      return NULL;
    }
  target->vm_time = g_strdup (options->vm_time);
  target->vm_arch = g_strdup (options->vm_arch);
  target->vm_kernel = g_strdup (options->vm_kernel);
  target->vm_modules = g_strdupv (options->vm_modules);
  target->vm_cpus = options->vm_cpus;
  target->vm_memory = options->vm_memory;
  return target;
}

int
target_fail (const CulpritTarget *target, GError *error)
{
  char *words = target ? culprit_target_error_words (error, target->name, CULPRIT_AT_COMMAND) : NULL;

  if (words)
    {
      g_free (error->message);
      error->message = words;
    }
  return command_fail (error);
}

void
target_options_clear (TargetOptions *options)
{
  g_free (options->target);
  g_free (options->vm_time);
  g_free (options->vm_arch);
  g_free (options->vm_kernel);
  g_strfreev (options->vm_modules);
}
