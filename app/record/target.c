/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts recorders on targets, and explains why they do not start. */
#include "target.h"

#include "clean.h"
#include "json.h"

#include <string.h>
#include <unistd.h>

/* The words of commands name options, those of the window the fields of desktop/record/record-form.c. */

/* By CulpritRemedyKind. NULL: there is nothing to be done there. */
static const struct
{
  const char *key; /* in the recorder's protocol; NULL: recorders do not say it */
  const char *words[CULPRIT_IN_WINDOW + 1];
} remedies[] = {
  [CULPRIT_REMEDY_GIVE_PERIOD] = { NULL,
                                   { "specify the task's period with --period", "the task's period is not known" } },
  [CULPRIT_REMEDY_LARGER_BUFFER_OF_TRACE_CMD] = { NULL,
                                                  { "record with a larger buffer (trace-cmd -b)",
                                                    "record with a larger buffer" } },
  [CULPRIT_REMEDY_OTHER_KERNEL] = { "other-kernel",
                                    { "boot one that has it (Debian's do), record with tracing off, or use a virtual "
                                      "machine with --target vm",
                                      "boot one that has it (Debian's do), record with tracing off, or choose the "
                                      "virtual machine as the target" } },
  [CULPRIT_REMEDY_KERNEL_OF_WINDOWS] = { "kernel-of-windows",
                                         { "boot one that has them (Debian's do), or use a virtual machine with "
                                           "--target vm",
                                           "boot one that has them (Debian's do), or choose the virtual machine as the "
                                           "target" } },
  [CULPRIT_REMEDY_TAKE_OVER] = { "take-over",
                                 { "end that with: trace-cmd reset, or use --take-over",
                                   "end that with: trace-cmd reset, or switch on “Take over”" } },
  [CULPRIT_REMEDY_SMALLER_BUFFER] = { "smaller-buffer", { "use a smaller --buffer", "use a smaller “Buffer”" } },
  [CULPRIT_REMEDY_MORE_ROOM] = { "more-room",
                                 { "free some space there, or use a smaller --buffer",
                                   "free some space there, or use a smaller “Buffer”" } },
  [CULPRIT_REMEDY_LONGER_PERIOD] = { "longer-period", { NULL } },
  [CULPRIT_REMEDY_INSTALL_PKEXEC] = { NULL,
                                      { "run culprit with sudo, or install it: apt-get install pkexec",
                                        "install it: apt-get install pkexec" } },
  [CULPRIT_REMEDY_BECOME_ROOT] = { NULL, { "try sudo culprit", NULL } },
  [CULPRIT_REMEDY_WAIT_LONGER] = { NULL, { "set CULPRIT_PATIENCE=SECONDS to wait longer", NULL } },
  [CULPRIT_REMEDY_SEE_CONSOLE] = { NULL, { "see its output with boot --console FILE", NULL } },
};

static char *
larger_buffer (gint64 kb, CulpritSurface surface)
{
  if (surface == CULPRIT_IN_WINDOW)
    return kb > 0 ? g_strdup_printf ("record with a larger buffer (%" G_GINT64_FORMAT " KB)", kb)
                  : g_strdup ("record with a larger buffer");
  return kb > 0 ? g_strdup_printf ("record with a larger buffer (--buffer %" G_GINT64_FORMAT ")", kb)
                : g_strdup ("record with a larger buffer (--buffer)");
}

static char *
longer_period (gint64 ns, CulpritSurface surface)
{
  const char *format = surface == CULPRIT_IN_WINDOW
                           ? "use a period of %" G_GINT64_FORMAT "us or longer, trace less (“Depth”, “Trace only”), or "
                             "continue anyway by setting “Calibration” to “Warn”"
                           : "use --period %" G_GINT64_FORMAT "us or longer, trace less (--max-depth, --graph), or "
                             "continue anyway with --calibrate warn";

  return g_strdup_printf (format, ns / 1000);
}

/* The caller owns it. */
static char *
words_of (CulpritRemedy remedy, CulpritSurface surface)
{
  switch (remedy.kind)
    {
    case CULPRIT_REMEDY_LARGER_BUFFER:
      return larger_buffer (remedy.number, surface);
    case CULPRIT_REMEDY_LONGER_PERIOD:
      return remedy.number > 0 ? longer_period (remedy.number, surface) : NULL;
    default:
      return g_strdup (remedies[remedy.kind].words[surface]);
    }
}

char *
culprit_problem_words (const char *text, CulpritRemedy remedy, CulpritSurface surface)
{
  g_autofree char *words = words_of (remedy, surface);
  gboolean stops = g_str_has_suffix (text, ".");

  if (!words)
    return g_strdup (text);
  return g_strdup_printf ("%.*s; %s%s", (int) strlen (text) - (stops ? 1 : 0), text, words, stops ? "." : "");
}

CulpritRemedyKind
culprit_remedy_from_key (const char *key)
{
  for (guint kind = 0; key && kind < G_N_ELEMENTS (remedies); kind++)
    if (g_strcmp0 (remedies[kind].key, key) == 0)
      return kind;
  return CULPRIT_REMEDY_NONE;
}

/* The remedy is private data of the GError. */

typedef struct
{
  CulpritRemedy remedy;
} CulpritTargetErrorPrivate;

static void
culprit_target_error_private_init (CulpritTargetErrorPrivate *private)
{
  private->remedy.kind = CULPRIT_REMEDY_NONE;
}

static void
culprit_target_error_private_copy (const CulpritTargetErrorPrivate *from, CulpritTargetErrorPrivate *to)
{
  *to = *from;
}

static void
culprit_target_error_private_clear (CulpritTargetErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR (CulpritTargetError, culprit_target_error)

void
culprit_target_error_set (GError **error, CulpritTargetError code, CulpritRemedy remedy, const char *message, ...)
{
  va_list arguments;
  GError *set;

  va_start (arguments, message);
  set = g_error_new_valist (CULPRIT_TARGET_ERROR, code, message, arguments);
  va_end (arguments);
  culprit_target_error_get_private (set)->remedy = remedy;
  g_propagate_error (error, set);
}

char *
culprit_target_error_words (const GError *error, const char *target, CulpritSurface surface)
{
  g_autofree char *words = NULL;

  if (error->domain != CULPRIT_TARGET_ERROR)
    return g_strdup (error->message);
  words = culprit_problem_words (error->message, culprit_target_error_get_private (error)->remedy, surface);
  return error->code == CULPRIT_TARGET_ERROR_THERE ? g_strdup_printf ("%s: %s", target, words)
                                                   : g_steal_pointer (&words);
}

#define RECORDER "culprit-recorder"
#define DELAYER "culprit-delayer"
#define STATUS_CANNOT_PREPARE 125 /* of vm/boot: a module or folder */
#define STATUS_NOT_FOUND 127
#define STATUS_NOT_ALLOWED 126
#define STATUS_SSH 255

#ifdef __aarch64__
#define OWN_ARCHITECTURE "arm64"
#else
#define OWN_ARCHITECTURE "amd64"
#endif

/* Names of a virtual machine's choices are those of vm/boot. */

static const SettingChoice kernels[] = {
  { "standard", "Standard" },
  { "rt", "Real-time (PREEMPT_RT)" },
  { "standard-6.12", "Standard 6.12" },
  { "rt-6.12", "Real-time 6.12" },
  { 0 },
};

static const SettingChoice architectures[] = { { "amd64", "amd64" }, { "arm64", "arm64" }, { 0 } };

static const SettingChoice times[] = { { "counted", "Counted instructions" }, { "wall", "Wall clock" }, { 0 } };

#define VM "target=vm"

const Setting culprit_vm_settings[] = {
  { "kernel", SETTING_CHOICE, .choices = kernels, .others = true, .name = "vm_kernel", .option = "vm-kernel",
    .argument = "KERNEL", .help = "Kernel of the virtual machine, also of a Debian package", .title = "Kernel",
    .where = VM, .group = GROUP_TARGET },
  { "arch", SETTING_CHOICE, .choices = architectures, .name = "vm_arch", .option = "vm-arch", .argument = "ARCH",
    .help = "Its processor", .hint = "this machine's", .title = "Architecture", .open = { "own", "This machine's" },
    .where = VM, .group = GROUP_TARGET },
  { "time", SETTING_CHOICE, .choices = times, .name = "vm_time", .option = "vm-time", .argument = "TIME",
    .help = "Its clock; counted instructions: other work on this machine does not matter", .title = "Time", .where = VM,
    .group = GROUP_TARGET },
  { "cpus", SETTING_NUMBER, .least = 1, .most = 64, .otherwise = 1, .name = "vm_cpus", .option = "vm-cpus",
    .argument = "N", .help = "Its number of CPUs, with the time of the wall clock", .title = "Guest CPUs",
    .where = "vm_time=wall", .group = GROUP_MORE },
  { "memory", SETTING_NUMBER, .least = 1, .most = G_MAXINT32, .name = "vm_memory", .option = "vm-memory",
    .argument = "N", .help = "Its memory, in MiB", .hint = "enough", .title = "Guest memory", .where = VM,
    .group = GROUP_MORE },
  { "modules", SETTING_FILES, .name = "vm_modules", .option = "vm-module", .argument = "MODULE",
    .help = "Kernel module to load: a file and its options", .hint = "none", .title = "Guest modules", .where = VM,
    .group = GROUP_MORE },
  { "programs", SETTING_FILES, .name = "vm_programs", .option = "vm-program", .argument = "FILE",
    .help = "Program to take along, with the libraries it needs; loads find it by its name", .hint = "none",
    .title = "Guest programs", .where = VM, .group = GROUP_MORE },
  { 0 },
};

CulpritTarget *
culprit_target_parse (const char *text, GError **error)
{
  g_autoptr (CulpritTarget) target = g_new0 (CulpritTarget, 1);

  target->name = g_strdup (text);
  target->vm = json_object_new ();
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
  json_object_unref (target->vm);
  g_free (target);
}

void
culprit_target_store (const CulpritTarget *target, JsonObject *configuration)
{
  json_object_set_string_member (configuration, "target", target->name);
  if (target->kind == CULPRIT_TARGET_VM)
    json_object_set_object_member (configuration, "vm", json_object_ref (target->vm));
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
  const char *asked = json_member_text (target->vm, "arch");
  const char *arch = asked ? asked : OWN_ARCHITECTURE;
  g_autofree char *built = g_strdup_printf ("../recorder/%s/" RECORDER, arch);
  g_autofree char *installed = g_strdup_printf (CULPRIT_LIBEXECDIR "/%s/" RECORDER, arch);
  char *recorder;

  if (g_str_equal (arch, OWN_ARCHITECTURE))
    return find_recorder (error);
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

/* Adds a setting of the virtual machine, by its option without "vm-". */
static void
add_vm_setting (GPtrArray *command, const Setting *setting, JsonNode *given)
{
  g_autofree char *option = g_strconcat ("--", setting->option + strlen ("vm-"), NULL);
  g_autofree char *number = NULL;

  if (JSON_NODE_HOLDS_ARRAY (given))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (given)); i++)
      add_option (command, option, json_array_get_string_element (json_node_get_array (given), i));
  else if (setting->kind == SETTING_NUMBER)
    {
      number = g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (given));
      add_option (command, option, number);
    }
  else
    add_option (command, option, json_node_get_string (given));
}

/* What the recorder starts to delay functions; NULL if it was not built for this architecture. */
static char *
find_vm_delayer (const CulpritTarget *target)
{
  const char *arch = json_member_text (target->vm, "arch");

  return !arch || g_str_equal (arch, OWN_ARCHITECTURE)
             ? find_helper ("../delayer/" DELAYER, CULPRIT_BINDIR "/" DELAYER, NULL)
             : NULL;
}

static gboolean
add_vm (GPtrArray *command, const CulpritTarget *target, GError **error)
{
  g_autofree char *delayer = find_vm_delayer (target);
  g_autofree char *recorder = find_vm_recorder (target, error);
  char *boot = recorder ? find_helper ("../record/vm/boot", CULPRIT_LIBEXECDIR "/vm/boot", error) : NULL;

  if (!boot)
    return FALSE;
  g_ptr_array_add (command, boot);
  for (const Setting *setting = culprit_vm_settings; setting->key; setting++)
    if (json_object_has_member (target->vm, setting->key))
      add_vm_setting (command, setting, json_object_get_member (target->vm, setting->key));
  add_option (command, "--program", recorder);
  add_option (command, "--program", delayer);
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
  g_autofree char *found = find_recorder (NULL);
  g_autofree char *recorder = culprit_shell_word (found ? found : RECORDER);
  g_autofree char *host = culprit_shell_word (target->host ? target->host : "");
  gboolean not_prepared = target->kind == CULPRIT_TARGET_VM && status == STATUS_CANNOT_PREPARE;

  if (target->kind == CULPRIT_TARGET_SSH && status == STATUS_NOT_FOUND)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_NONE },
                              "%s: " RECORDER
                              " not found; copy it with: scp %s %s:/usr/local/bin/ (and there: apt-get install "
                              "trace-cmd)",
                              target->host, recorder, host);
  else if (target->kind == CULPRIT_TARGET_SSH && status == STATUS_SSH)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_NONE },
                              "%s: cannot be reached: %s", target->host, said);
  else if (target->kind == CULPRIT_TARGET_LOCAL && (status == STATUS_NOT_ALLOWED || status == STATUS_NOT_FOUND))
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_HERE, (CulpritRemedy) { CULPRIT_REMEDY_BECOME_ROOT },
                              "measuring this machine needs root, and pkexec failed: %s", said);
  else
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE,
                              (CulpritRemedy) { not_prepared ? CULPRIT_REMEDY_SEE_CONSOLE : CULPRIT_REMEDY_NONE },
                              "the recorder does not start: %s", said);
}
