/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Talks to a recorder over the pipes of the command that started it. */
#include "session.h"

#include "clean.h"
#include "guard.h"
#include "json.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Waits in poll() for everything at once: lines, standard error, the user, the clock. */

typedef struct _Child Child;

typedef enum
{
  CHILD_PLAIN,
  CHILD_DIES_WITH_US, /* is killed when the calling thread ends */
  CHILD_IN_SESSION,   /* does not receive the terminal's signals */
} ChildKind;

typedef enum
{
  CHILD_SAID_LINE,
  CHILD_SAID_TOO_MUCH, /* a line beyond JSON_LONGEST_LINE */
  CHILD_CLOSED,
  CHILD_TIMED_OUT,
  CHILD_CANCELLED,
} ChildHeard;

static void child_free (Child *child);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Child, child_free)

#define READ_SIZE 65536
#define KEPT_ERRORS 4096 /* bytes of standard error */
#define LOOK_MS 20       /* how often to check whether it has ended */
#define TERM_US (2 * G_USEC_PER_SEC)

struct _Child
{
  GPid pid; /* 0: it has ended */
  int status;
  int killed_by;  /* the signal, if it was not ours */
  gboolean leads; /* its process group */
  int in;         /* -1: closed, as the next */
  int out;
  int errors;
  GString *lines; /* everything before @start was already returned */
  gsize start;
  gsize looked; /* from there on, without finding the end of a line */
  GString *said;
  GThread *voice; /* NULL: it is not kept alive */
  const char *alive;
  gint64 step_us;
  GMutex mutex;
  GCond hush;
  gboolean hushed;
};

typedef struct
{
  ChildKind kind;
  gboolean leads;
} SetUp;

/* Ctrl-C and a closed terminal are for us: we ask the recorder to end. A virtual machine would receive the signals
 * whatever it inherits. */
static void
set_up (gpointer data)
{
  const SetUp *set_up = data;
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGINT, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  if (set_up->kind == CHILD_DIES_WITH_US)
    prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (set_up->kind == CHILD_IN_SESSION)
    setsid ();
  else if (set_up->leads)
    setpgid (0, 0);
}

/* ssh asks for passwords on the terminal, which only the terminal's foreground process group may read. */
static gboolean
may_be_asked (void)
{
  int terminal = open ("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  gboolean foreground = terminal >= 0 && tcgetpgrp (terminal) == getpgrp ();

  if (terminal >= 0)
    close (terminal);
  return foreground;
}

/* Starts @command. NULL with an error. */
static Child *
child_start (char **command, ChildKind kind, GError **error)
{
  g_autoptr (Child) child = g_new0 (Child, 1);
  SetUp how = { kind, kind == CHILD_IN_SESSION || !may_be_asked () };

  child->in = child->out = child->errors = child->status = -1;
  child->leads = how.leads;
  child->lines = g_string_new (NULL);
  child->said = g_string_new (NULL);
  g_mutex_init (&child->mutex);
  g_cond_init (&child->hush);
  if (!g_spawn_async_with_pipes (NULL, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, set_up, &how,
                                 &child->pid, &child->in, &child->out, &child->errors, error))
    return NULL;
  g_unix_set_fd_nonblocking (child->in, TRUE, NULL);
  g_unix_set_fd_nonblocking (child->out, TRUE, NULL);
  g_unix_set_fd_nonblocking (child->errors, TRUE, NULL);
  return g_steal_pointer (&child);
}

static void
close_pipe (int *pipe)
{
  if (*pipe >= 0)
    close (*pipe);
  *pipe = -1;
}

/* Appends what can be read. Closes the pipe at its end. */
static void
read_pipe (int *pipe, GString *to)
{
  char bytes[READ_SIZE];
  gssize size = read (*pipe, bytes, sizeof bytes);

  if (size > 0)
    g_string_append_len (to, bytes, size);
  else if (size == 0 || (errno != EAGAIN && errno != EINTR))
    close_pipe (pipe);
}

static void
hear_errors (Child *child)
{
  read_pipe (&child->errors, child->said);
  if (child->said->len > KEPT_ERRORS)
    g_string_erase (child->said, 0, child->said->len - KEPT_ERRORS);
}

static int
milliseconds_to (gint64 deadline_us)
{
  return CLAMP ((deadline_us - g_get_monotonic_time () + 999) / 1000, 0, G_MAXINT);
}

/* Waits for more. TRUE: there may be some. */
static gboolean
wait_for_more (Child *child, gint64 deadline_us, GCancellable *cancellable, ChildHeard *heard)
{
  struct pollfd polls[] = {
    { child->out, POLLIN, 0 },
    { child->errors, POLLIN, 0 },
    { g_cancellable_get_fd (cancellable), POLLIN, 0 },
  };
  int n = poll (polls, G_N_ELEMENTS (polls), milliseconds_to (deadline_us));

  g_cancellable_release_fd (cancellable);
  if (n > 0 && polls[1].revents)
    hear_errors (child);
  *heard = g_cancellable_is_cancelled (cancellable) ? CHILD_CANCELLED : CHILD_TIMED_OUT;
  if (*heard == CHILD_CANCELLED)
    return FALSE;
  if (n > 0 && polls[0].revents)
    read_pipe (&child->out, child->lines);
  return n != 0 || g_get_monotonic_time () < deadline_us;
}

/* Takes a line out of what was read. FALSE: there is no complete one. */
static gboolean
take_line (Child *child, char **line, gsize *length)
{
  char *from = child->lines->str + child->start;
  char *end = memchr (from + child->looked, '\n', child->lines->len - child->start - child->looked);

  child->looked = end ? 0 : child->lines->len - child->start;
  if (!end)
    return FALSE;
  *length = end - from;
  *line = g_memdup2 (from, *length + 1);
  (*line)[*length] = '\0';
  child->start += *length + 1;
  return TRUE;
}

/* Its next line, without the line end, until @deadline_us by g_get_monotonic_time(); @cancellable may be NULL. @line
 * must be NULL, and the caller owns it whatever is returned. */
static ChildHeard
child_read_line (Child *child, gint64 deadline_us, GCancellable *cancellable, char **line, gsize *length)
{
  ChildHeard heard;

  if (g_cancellable_is_cancelled (cancellable))
    return CHILD_CANCELLED;
  if (g_get_monotonic_time () >= deadline_us) /* however much there is to read */
    return CHILD_TIMED_OUT;
  while (!take_line (child, line, length))
    {
      if (child->start > 0)
        g_string_erase (child->lines, 0, child->start);
      child->start = 0;
      if (child->lines->len > JSON_LONGEST_LINE)
        return CHILD_SAID_TOO_MUCH;
      if (child->out < 0)
        return CHILD_CLOSED;
      if (!wait_for_more (child, deadline_us, cancellable, &heard))
        return heard;
    }
  return *length > JSON_LONGEST_LINE ? CHILD_SAID_TOO_MUCH : CHILD_SAID_LINE;
}

/* write() without the signal that kills a process whose reader is gone. */
static gssize
write_quietly (int fd, const char *text, gsize size)
{
  const struct timespec now = { 0 };
  sigset_t pipe;
  sigset_t before;
  gssize written;
  int problem;

  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe, &before);
  written = write (fd, text, size);
  problem = errno;
  if (written < 0 && problem == EPIPE && !sigismember (&before, SIGPIPE))
    sigtimedwait (&pipe, NULL, &now);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = problem;
  return written;
}

/* Writes all of @text to it, until @deadline_us. FALSE: it is not reading. */
static gboolean
child_write (Child *child, const char *text, gint64 deadline_us)
{
  gsize left = strlen (text);

  while (left > 0 && child->in >= 0)
    {
      struct pollfd poll_in = { child->in, POLLOUT, 0 };
      gssize written = write_quietly (child->in, text, left);

      if (written > 0)
        {
          text += written;
          left -= written;
        }
      else if ((errno != EAGAIN && errno != EINTR) || poll (&poll_in, 1, milliseconds_to (deadline_us)) == 0)
        return FALSE;
    }
  return left == 0;
}

static gpointer
say_alive (gpointer data)
{
  Child *child = data;
  gint64 next_us = g_get_monotonic_time () + child->step_us;

  g_mutex_lock (&child->mutex);
  while (!child->hushed)
    if (!g_cond_wait_until (&child->hush, &child->mutex, next_us))
      {
        /* As a whole or not at all, since it is short; if the pipe is full, there is enough to read. */
        if (write_quietly (child->in, child->alive, strlen (child->alive)) < 0 && errno == EPIPE)
          break;
        next_us = g_get_monotonic_time () + child->step_us;
      }
  g_mutex_unlock (&child->mutex);
  return NULL;
}

/* Writes @line to it every @step_us from now on, whatever the calling thread does, until it is to end. What is written
 * meanwhile must be short. @line is borrowed. */
static void
child_keep_alive (Child *child, const char *line, gint64 step_us)
{
  child->alive = line;
  child->step_us = step_us;
  child->voice = g_thread_new ("alive", say_alive, child);
}

static void
end_voice (Child *child)
{
  if (!child->voice)
    return;
  g_mutex_lock (&child->mutex);
  child->hushed = TRUE;
  g_cond_signal (&child->hush);
  g_mutex_unlock (&child->mutex);
  g_thread_join (g_steal_pointer (&child->voice));
}

/* Waits until it ends or @deadline_us. It is not reaped, so that its process id is not reused. */
static gboolean
wait_for_end (Child *child, gint64 deadline_us)
{
  for (;;)
    {
      struct pollfd poll_errors = { child->errors, POLLIN, 0 };
      siginfo_t ended = { 0 };

      if (waitid (P_PID, child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
        return TRUE;
      if (g_get_monotonic_time () >= deadline_us)
        return FALSE;
      if (poll (&poll_errors, 1, MIN (LOOK_MS, milliseconds_to (deadline_us))) > 0)
        hear_errors (child);
    }
}

static void
send_signal (const Child *child, int number)
{
  kill (child->leads ? -child->pid : child->pid, number);
}

/* We cannot kill a root process that pkexec started; it ends by itself when its pipes are closed. */
static int
child_end (Child *child, gint64 patience_us)
{
  gint64 now_us = g_get_monotonic_time ();
  gboolean by_itself;
  gboolean ended;
  int status;

  end_voice (child);
  close_pipe (&child->in);
  close_pipe (&child->out);
  if (child->pid == 0)
    return child->status;
  by_itself = ended = wait_for_end (child, now_us + patience_us);
  if (!ended)
    {
      send_signal (child, SIGTERM);
      ended = wait_for_end (child, g_get_monotonic_time () + TERM_US);
    }
  send_signal (child, SIGKILL);
  if (!ended)
    ended = wait_for_end (child, g_get_monotonic_time () + TERM_US);
  if (child->errors >= 0)
    hear_errors (child);
  if (ended && waitpid (child->pid, &status, 0) == child->pid)
    {
      child->status = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
      child->killed_by = by_itself && WIFSIGNALED (status) ? WTERMSIG (status) : 0;
    }
  child->pid = 0;
  return child->status;
}

/* The last line on its standard error. The caller owns it. */
static char *
child_last_said (const Child *child)
{
  g_autofree char *text = g_strndup (child->said->str, child->said->len);
  const char *line;

  g_strchomp (text);
  line = strrchr (text, '\n');
  return culprit_clean_line (line ? line + 1 : text);
}

/* The same or, if it said nothing, how it ended. The caller owns it. */
static char *
child_last_words (const Child *child)
{
  g_autofree char *said = child_last_said (child);

  if (*said)
    return g_steal_pointer (&said);
  if (child->killed_by > 0)
    return g_strdup_printf ("its command was killed (signal %d)", child->killed_by);
  return child->status < 0 ? g_strdup ("its command did not end")
                           : g_strdup_printf ("its command ended with status %d", child->status);
}

/* Ends it immediately. */
static void
child_free (Child *child)
{
  if (child->pid != 0)
    child_end (child, 0);
  close_pipe (&child->errors);
  g_string_free (child->lines, TRUE);
  g_string_free (child->said, TRUE);
  g_mutex_clear (&child->mutex);
  g_cond_clear (&child->hush);
  g_free (child);
}

#define PROTOCOL 1
#define NO_REMEDY ((CulpritRemedy) { CULPRIT_REMEDY_NONE })
#define GREETING 5                        /* times the patience: people are asked for passwords, machines boot */
#define STOPPING_US (30 * G_USEC_PER_SEC) /* for a recorder to stop cleanly; and to be without news of us */
#define YEAR_US (366 * 24 * 3600 * (gint64) G_USEC_PER_SEC)
#define ALIVE "{\"do\":\"go on\"}\n"
#define ALIVE_SAID 6 /* times, until it would be missed */

struct _CulpritSession
{
  const CulpritTarget *target;
  GCancellable *cancellable; /* NULL: there is none, or it was acted on */
  Child *child;
  Guard guard;
  gint64 greet_by_us;
  gint64 stop_by_us; /* 0: it was not told to stop */
  gboolean greeted;
  gboolean ended;
};

static gint64
stopping_us (void)
{
  return MIN (STOPPING_US, guard_patience_us ());
}

/* Sets @error to why the command ended too early. */
static void
explain_end (CulpritSession *session, GError **error)
{
  int status = child_end (session->child, stopping_us ());
  g_autofree char *said = child_last_words (session->child);

  if (session->greeted)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE, NO_REMEDY,
                              "the connection to the recorder was lost: %s", said);
  else
    culprit_target_explain (session->target, status, said, error);
}

/* How long the command may take to end. Recorders on this machine are our own: they get the time to restore
 * everything. */
static gint64
ending_us (const CulpritSession *session)
{
  gboolean ours = session->target->kind != CULPRIT_TARGET_SSH;

  return session->greeted && (ours || session->ended) ? stopping_us () : 0;
}

/* Ends the session, with an error that says why. */
static CulpritMessage *
cut_off (CulpritSession *session, const char *reason, CulpritRemedy remedy, GError **error)
{
  culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE, remedy, "disconnected: %s", reason);
  child_end (session->child, ending_us (session));
  return NULL;
}

static CulpritMessage *
take_message (CulpritSession *session, const char *line, gsize length, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (CulpritMessage) message = culprit_message_parse (line, length, &problem);

  if (!message || (session->greeted && !guard_allow (&session->guard, message, &problem)))
    return cut_off (session, problem->message, NO_REMEDY, error);
  return g_steal_pointer (&message);
}

static CulpritMessage *
give_up (CulpritSession *session, GError **error)
{
  const char *reason = session->stop_by_us > 0           ? "it does not stop"
                       : guard_is_over (&session->guard) ? "it does not finish"
                                                         : "it does not respond";

  return cut_off (session, reason, (CulpritRemedy) { CULPRIT_REMEDY_WAIT_LONGER }, error);
}

static CulpritMessage *
read_message (CulpritSession *session, GError **error)
{
  for (;;)
    {
      gint64 deadline_us = session->stop_by_us > 0 ? session->stop_by_us
                           : session->greeted      ? guard_deadline_us (&session->guard)
                                                   : session->greet_by_us;
      g_autofree char *line = NULL;
      g_autofree char *too_much = NULL;
      gsize length = 0;

      switch (child_read_line (session->child, deadline_us, session->cancellable, &line, &length))
        {
        case CHILD_SAID_LINE:
          return take_message (session, line, length, error);
        case CHILD_CLOSED:
          explain_end (session, error);
          return NULL;
        case CHILD_TIMED_OUT:
          return give_up (session, error);
        case CHILD_SAID_TOO_MUCH:
          too_much = g_strdup_printf ("it sends a line of more than %d MB", JSON_LONGEST_LINE >> 20);
          return cut_off (session, too_much, NO_REMEDY, error);
        default:
          if (!session->greeted)
            {
              g_cancellable_set_error_if_cancelled (session->cancellable, error);
              return NULL;
            }
          culprit_session_stop (session);
        }
    }
}

static gboolean
hear_greeting (CulpritSession *session, GError **error)
{
  g_autoptr (CulpritMessage) hello = read_message (session, error);

  if (!hello)
    return FALSE;
  session->greeted = hello->type == CULPRIT_MESSAGE_HELLO && hello->protocol == PROTOCOL;
  if (!session->greeted)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE, NO_REMEDY,
                              "culprit-recorder %s there uses another protocol (%" G_GINT64_FORMAT
                              ", expected %d); install the same version of culprit on both machines",
                              hello->type == CULPRIT_MESSAGE_HELLO && hello->text ? hello->text
                                                                                  : "of an unknown version",
                              hello->type == CULPRIT_MESSAGE_HELLO ? hello->protocol : 0, PROTOCOL);
  return session->greeted;
}

/* For how long the recorder may hear nothing from us, or not be read. A virtual machine ends with us, and its clock is
 * not ours: while it waits for us it has nothing to do, and an hour passes in seconds. */
static gint64
watchdog_us (const CulpritTarget *target)
{
  return target->kind == CULPRIT_TARGET_VM ? YEAR_US : stopping_us ();
}

/* The request, in one line. What concerns only this session is not left in @request, which is kept with the study. */
static char *
request_text (const char *what, JsonObject *request, gint64 silence_us)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), request);
  char *text;

  json_object_set_int_member (request, "culprit", PROTOCOL);
  json_object_set_string_member (request, "do", what);
  json_object_set_int_member (request, "watchdog_ns", silence_us * 1000);
  text = json_to_string (node, FALSE);
  json_object_remove_member (request, "watchdog_ns");
  return text;
}

/* Reads the greeting, and sends the request @text unless the recorder already has it. */
static gboolean
greet (CulpritSession *session, JsonObject *request, const char *text, GError **error)
{
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  if (!hear_greeting (session, error))
    return FALSE;
  guard_begin (&session->guard, request, session->target);
  /* If it does not read all of it, what it says next tells why. */
  if (session->target->kind != CULPRIT_TARGET_LOCAL)
    child_write (session->child, line, guard_deadline_us (&session->guard));
  if (session->target->kind != CULPRIT_TARGET_VM)
    child_keep_alive (session->child, ALIVE, watchdog_us (session->target) / ALIVE_SAID);
  return TRUE;
}

CulpritSession *
culprit_session_start (
    const CulpritTarget *target, const char *what, JsonObject *request, GCancellable *cancellable, GError **error)
{
  static const ChildKind kinds[] = { CHILD_PLAIN, CHILD_DIES_WITH_US, CHILD_IN_SESSION }; /* by CulpritTargetKind */
  g_autoptr (CulpritSession) session = g_new0 (CulpritSession, 1);
  g_autofree char *text = request_text (what, request, watchdog_us (target));
  g_auto (GStrv) command = culprit_target_command (target, text, error);

  session->target = target;
  session->cancellable = cancellable;
  session->greet_by_us = g_get_monotonic_time () + GREETING * guard_patience_us ();
  if (!command)
    return NULL;
  session->child = child_start (command, kinds[target->kind], error);
  return session->child && greet (session, request, text, error) ? g_steal_pointer (&session) : NULL;
}

CulpritMessage *
culprit_session_read (CulpritSession *session, GError **error)
{
  g_autoptr (CulpritMessage) message = session->ended ? NULL : read_message (session, error);

  session->ended |= !message || message->type == CULPRIT_MESSAGE_END || message->type == CULPRIT_MESSAGE_ERROR;
  if (!message || message->type != CULPRIT_MESSAGE_ERROR)
    return g_steal_pointer (&message);
  culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE, message->remedy, "%s",
                            message->text ? message->text : "no reason given");
  return NULL;
}

void
culprit_session_stop (CulpritSession *session)
{
  session->cancellable = NULL;
  if (session->stop_by_us == 0)
    session->stop_by_us = g_get_monotonic_time () + stopping_us ();
  child_write (session->child, "{\"do\":\"stop\"}\n", session->stop_by_us);
}

void
culprit_session_free (CulpritSession *session)
{
  if (session->child)
    child_end (session->child, ending_us (session));
  g_clear_pointer (&session->child, child_free);
  g_free (session);
}

CulpritMessage *
culprit_session_examine (const CulpritTarget *target, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonObject) request = json_object_new ();
  g_autoptr (CulpritSession) session = culprit_session_start (target, "examine", request, cancellable, error);
  g_autoptr (CulpritMessage) facts = NULL;
  CulpritMessage *message;
  GError *problem = NULL;

  if (!session)
    return NULL;
  while ((message = culprit_session_read (session, &problem)))
    {
      if (message->type == CULPRIT_MESSAGE_FACTS)
        facts = culprit_message_ref (message);
      culprit_message_unref (message);
    }
  if (!problem && !facts)
    culprit_target_error_set (&problem, CULPRIT_TARGET_ERROR_THERE, NO_REMEDY, "the recorder returned no data");
  if (!problem)
    return g_steal_pointer (&facts);
  g_propagate_error (error, problem);
  return NULL;
}
