/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format: a first line that names the kind of file, then the folder for captures, then the settings, each ending
 * with 0. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void journal_end (bool written);

/* Restores everything. The journal is removed after that, so that a rescue that is killed, or lacks rights, can be
 * repeated. Then the lock is released, which a child that cannot end may share. Neither waits for the captures, which
 * the next recording removes if we are killed. */

const char *
rescue_all (Rescue *rescue)
{
  bool changed = atomic_load (&rescue->tracing.changed);
  const char *failed = tracing_restore (&rescue->tracing);

  load_end (rescue->load, rescue->contained);
  rescue->load = 0;
  if (!atomic_load (&rescue->tracing.changed))
    journal_end (changed);
  capture_remove_folder (rescue->folder);
  return failed;
}

#define FOLDER "/run/culprit"
#define JOURNAL "journal"
#define PROBLEM_SIZE 512
#define UNDOING "treatment"
#define UNDO_TRIES 2 /* after the recording */
#define UNFINISHED "journal.part"
#define LOCK_TRIES 40
#define LOCK_STEP_NS 50000000

static const char kind[] = "culprit-recorder journal 1";

static const char undoing_kind[] = "culprit-recorder treatment 3";

static int folder = -1;

static int folder_errno;

int
folder_open_own (const char *path)
{
  struct stat information;
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0 && errno == ENOENT && mkdir (path, 0700) == 0)
    fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || (fstat (fd, &information) == 0 && information.st_uid == 0 && !(information.st_mode & 077)))
    return fd;
  close (fd);
  errno = EPERM;
  return -1;
}

void
journal_open (void)
{
  if (geteuid () != 0)
    return;
  folder = folder_open_own (FOLDER);
  /* A board may lack it. */
  if (folder < 0 && errno == ENOENT && mkdir ("/run", 0755) == 0 && chmod ("/run", 0755) == 0)
    folder = folder_open_own (FOLDER);
  folder_errno = errno;
}

/* Locks by @fd. The remains of a killed recording may hold the lock for a moment. */
static bool
try_lock (int fd, int operation)
{
  const struct timespec step = { 0, LOCK_STEP_NS };

  for (int i = 0; flock (fd, operation | LOCK_NB) != 0; i++)
    if (i == LOCK_TRIES || nanosleep (&step, NULL) != 0)
      return false;
  return true;
}

bool
journal_lock (void)
{
  if (folder < 0)
    return fail (
        "%s cannot be used to save the tracing settings: %s; it must be a folder owned by root that nobody else "
        "can write",
        FOLDER, strerror (folder_errno));
  return try_lock (folder, LOCK_EX) || fail ("another recording is using tracing here; wait until it ends, or stop it");
}

void
journal_close (void)
{
  close (folder);
  folder = -1;
}

static bool
is_there (const char *name)
{
  return faccessat (folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool
journal_waits (void)
{
  return is_there (JOURNAL) || is_there (UNDOING);
}

bool
journal_is_left (void)
{
  int other = folder >= 0 ? openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  bool left = other >= 0 && journal_waits () && try_lock (other, LOCK_SH) &&
              journal_waits (); /* It may have ended while we waited. */

  if (other >= 0)
    close (other);
  return left;
}

/* Reads the journal into @rescue; false if there is none, or it is not ours. */
static bool
read_journal (Rescue *rescue)
{
  int fd = openat (folder, JOURNAL, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  char first[sizeof kind];
  bool good = file && fread (first, sizeof first, 1, file) == 1 && memcmp (first, kind, sizeof kind) == 0 &&
              fread (rescue->folder, sizeof rescue->folder, 1, file) == 1;

  if (good)
    rescue->tracing.used = fread (rescue->tracing.text, 1, sizeof rescue->tracing.text - 1, file);
  if (file)
    fclose (file);
  rescue->folder[sizeof rescue->folder - 1] = '\0';
  rescue->tracing.text[rescue->tracing.used] = '\0';
  if (!good)
    *rescue->folder = '\0';
  return good;
}

/* Undoes the treatment that is left. NULL: there is none; else what became of it. Each try adds a byte to the file, as
 * one that kills whoever makes it would otherwise be repeated for ever. */
static const char *
recover_treatment (Rescue *rescue, bool *good)
{
  int fd = openat (folder, UNDOING, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  char first[sizeof undoing_kind];
  char tries[UNDO_TRIES];
  bool again;

  if (!is_there (UNDOING))
    return NULL;
  *good = file && fread (first, sizeof first, 1, file) == 1 && memcmp (first, undoing_kind, sizeof first) == 0 &&
          fread (&rescue->undoing, sizeof rescue->undoing, 1, file) == 1 && rescue->undoing.caller.uid != UINT32_MAX &&
          memchr (rescue->undoing.undo, '\0', COMMAND_SIZE) && memchr (rescue->undoing.caller.folder, '\0', PATH_MAX) &&
          memchr (rescue->undoing.caller.group, '\0', PATH_MAX);
  again = *good && fread (tries, 1, UNDO_TRIES, file) < UNDO_TRIES;
  if (!again || write (fd, "", 1) != 1) /* One that cannot be counted is the last. */
    unlinkat (folder, UNDOING, 0);
  if (file)
    fclose (file);
  if (!*good)
    return "the treatment of a killed recording may still be in place: the file that says how to undo it is damaged";
  *good = again;
  if (!again)
    return "the treatment of a killed recording may still be in place: undoing it was interrupted each time";
  atomic_store (&rescue->left, true);
  atomic_store (&rescue->treated, true);
  *good = treatment_undo (rescue);
  atomic_store (&rescue->left, false);
  return *good ? "the treatment of a killed recording is undone" : problem ();
}

/* The same for tracing. */
static const char *
recover_tracing (Rescue *rescue, char *said, size_t size, bool *good)
{
  const char *failed = NULL;
  const char *unsaved;

  if (!is_there (JOURNAL))
    return NULL;
  if (!read_journal (rescue)) /* All that is known is that tracing was changed. */
    {
      rescue->tracing.used = 0;
      failed = "its settings, which the damaged journal does not contain";
    }
  atomic_store (&rescue->tracing.changed, true);
  unsaved = rescue_all (rescue);
  if (atomic_exchange (&rescue->tracing.changed, false) && !tracing_is_busy ()) /* What is refused again is for good. */
    journal_end (true);
  failed = unsaved ? unsaved : failed;
  snprintf (said, size, "tracing is restored to what it was before the recording%s%s", failed ? ", except for " : "",
            failed ? failed : "");
  *good = !failed;
  return said;
}

Recovered
journal_recover (Rescue *rescue, char *said, size_t size)
{
  char tracing_said[PROBLEM_SIZE];
  const char *tracing;
  const char *treatment;
  bool restored = true;
  bool undone = true;

  if (geteuid () != 0 || !journal_lock ())
    {
      snprintf (said, size, "%s", geteuid () != 0 ? "only root can restore tracing" : problem ());
      return RECOVERED_NOT;
    }
  treatment = recover_treatment (rescue, &undone);
  tracing = recover_tracing (rescue, tracing_said, sizeof tracing_said, &restored);
  flock (folder, LOCK_UN);
  snprintf (said, size, "%s%s%s", tracing ? tracing : "", tracing && treatment ? "; " : "",
            treatment ? treatment
            : tracing ? ""
                      : "nothing to restore");
  return !restored || !undone ? RECOVERED_IN_PART : tracing || treatment ? RECOVERED : RECOVERED_NOTHING;
}

/* Begins a file, which has its name only when it is complete. */
static FILE *
begin_file (const char *first, size_t size)
{
  int fd;
  FILE *file;

  unlinkat (folder, UNFINISHED, 0);
  fd = openat (folder, UNFINISHED, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  file = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (file && fwrite (first, size, 1, file) == 1)
    return file;
  if (file)
    fclose (file);
  return NULL;
}

/* Never replaces one that is still needed. */
static bool
end_file (FILE *file, bool good, const char *name, const char *purpose)
{
  if (file && fclose (file) != 0)
    good = false;
  good = good && linkat (folder, UNFINISHED, folder, name, 0) == 0;
  if (!good)
    fail ("%s/%s cannot be written: %s; %s%s", FOLDER, name, strerror (errno), purpose,
          errno == EEXIST ? "; an old one is left: run culprit-recorder restore" : "");
  unlinkat (folder, UNFINISHED, 0);
  return good;
}

bool
journal_write (const Rescue *rescue)
{
  FILE *file = begin_file (kind, sizeof kind);
  bool good = file && fwrite (rescue->folder, sizeof rescue->folder, 1, file) == 1 &&
              fwrite (rescue->tracing.text, rescue->tracing.used, 1, file) == 1;

  return end_file (file, good, JOURNAL, "the tracing settings must be saved there before they are changed");
}

bool
journal_write_undoing (const Undoing *undoing)
{
  FILE *file = begin_file (undoing_kind, sizeof undoing_kind);
  bool good = file && fwrite (undoing, sizeof *undoing, 1, file) == 1;

  return end_file (file, good, UNDOING, "how to undo a treatment must be saved there before it begins");
}

void
journal_remove_undoing (void)
{
  unlinkat (folder, UNDOING, 0);
}

/* Everything was restored: removes the journal, if it was @written, and releases the lock. */
static void
journal_end (bool written)
{
  if (written)
    unlinkat (folder, JOURNAL, 0);
  flock (folder, LOCK_UN);
}

void
lifeline_hold (pid_t parent, int number)
{
  prctl (PR_SET_PDEATHSIG, number);
  if (getppid () != parent)
    _exit (EXIT_FAILURE);
}
