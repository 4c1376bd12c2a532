/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speaks with a recorder over the pipes of the command that started it. */
#include "session.h"

#include "json-private.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROTOCOL 1

struct _CulpritSession
{
  const CulpritTarget *target;
  GSubprocess *process;
  GDataInputStream *lines;
  GOutputStream *requests; /* owned by the process */
  GMutex lock;             /* of requests */
  int said_fd;             /* standard error of the command */
  gboolean ended;
};

/* Ctrl-C is for us: we ask the recorder to end. A virtual machine would take the signal whatever it inherits. */
static void
set_up_child (gpointer data)
{
  const CulpritTarget *target = data;
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGINT, SIG_IGN);
  if (target->kind == CULPRIT_TARGET_VM)
    setsid ();
}

/* The last line that the command wrote to its standard error. The caller owns it. */
static char *
last_said (const CulpritSession *session)
{
  char text[4096];
  gssize size = pread (session->said_fd, text, sizeof text - 1, MAX (lseek (session->said_fd, 0, SEEK_END) - 4095, 0));
  const char *line;

  text[MAX (size, 0)] = '\0';
  g_strchomp (text);
  line = strrchr (text, '\n');
  return g_utf8_make_valid (line ? line + 1 : text, -1);
}

/* Says in @error why the command ended too early. */
static void
explain_end (CulpritSession *session, gboolean greeted, GError **error)
{
  g_autofree char *said = NULL;

  g_subprocess_wait (session->process, NULL, NULL);
  said = last_said (session);
  if (greeted)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "%s: the connection to the recorder broke off%s%s",
                 session->target->name, *said ? ": " : "", said);
  else
    culprit_target_explain (
        session->target,
        g_subprocess_get_if_exited (session->process) ? g_subprocess_get_exit_status (session->process) : -1, said,
        error);
}

static JsonObject *
parse (const CulpritSession *session, const char *line, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;

  if (json_parser_load_from_data (parser, line, -1, NULL) && (root = json_parser_get_root (parser)) &&
      JSON_NODE_HOLDS_OBJECT (root) && json_member_text (json_node_get_object (root), "type"))
    return json_object_ref (json_node_get_object (root));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: expected a recorder, and it says \"%.60s\"",
               session->target->name, line);
  return NULL;
}

static JsonObject *
read_line (CulpritSession *session, gboolean greeted, GError **error)
{
  g_autofree char *line = g_data_input_stream_read_line_utf8 (session->lines, NULL, NULL, NULL);

  /* A line that broke off in the middle was the last. */
  if (line && (!greeted || g_str_has_suffix (line, "}")))
    return parse (session, line, error);
  explain_end (session, greeted, error);
  return NULL;
}

static gboolean
hear_greeting (CulpritSession *session, GError **error)
{
  g_autoptr (JsonObject) hello = read_line (session, FALSE, error);

  if (!hello)
    return FALSE;
  if (g_str_equal (json_member_text (hello, "type"), "hello") && json_member_int (hello, "protocol", 0) == PROTOCOL)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               "%s: culprit-recorder %s there speaks another protocol (%" G_GINT64_FORMAT ", expected %d); install the "
               "same version of culprit on both machines",
               session->target->name,
               json_member_text (hello, "version") ? json_member_text (hello, "version") : "of unknown version",
               json_member_int (hello, "protocol", 0), PROTOCOL);
  return FALSE;
}

/* A nameless file for the command's standard error. */
static int
open_nameless (void)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp (NULL, &path, NULL);

  if (fd >= 0)
    g_unlink (path);
  return fd;
}

static gboolean
send_line (CulpritSession *session, const char *line)
{
  gboolean sent;

  g_mutex_lock (&session->lock);
  sent = g_output_stream_write_all (session->requests, line, strlen (line), NULL, NULL, NULL) &&
         g_output_stream_write_all (session->requests, "\n", 1, NULL, NULL, NULL) &&
         g_output_stream_flush (session->requests, NULL, NULL);
  g_mutex_unlock (&session->lock);
  return sent;
}

static char *
request_text (const char *what, JsonObject *request)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), request);

  json_object_set_int_member (request, "culprit", PROTOCOL);
  json_object_set_string_member (request, "do", what);
  return json_to_string (node, FALSE);
}

/* Hears the greeting, and sends @text where the recorder does not have it yet. */
static gboolean
greet (CulpritSession *session, const char *text, GError **error)
{
  if (!hear_greeting (session, error))
    return FALSE;
  if (session->target->kind == CULPRIT_TARGET_LOCAL || send_line (session, text))
    return TRUE;
  explain_end (session, TRUE, error);
  return FALSE;
}

CulpritSession *
culprit_session_start (const CulpritTarget *target, const char *what, JsonObject *request, GError **error)
{
  g_autoptr (CulpritSession) session = g_new0 (CulpritSession, 1);
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autofree char *text = request_text (what, request);
  g_auto (GStrv) command = culprit_target_command (target, text, error);

  g_mutex_init (&session->lock);
  session->target = target;
  session->said_fd = -1;
  if (!command)
    return NULL;
  session->said_fd = open_nameless ();
  g_subprocess_launcher_take_stderr_fd (launcher, dup (session->said_fd));
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, (gpointer) target, NULL);
  session->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) command, error);
  if (!session->process)
    return NULL;
  session->lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (session->process));
  session->requests = g_subprocess_get_stdin_pipe (session->process);
  return greet (session, text, error) ? g_steal_pointer (&session) : NULL;
}

JsonObject *
culprit_session_read (CulpritSession *session, GError **error)
{
  g_autoptr (JsonObject) line = session->ended ? NULL : read_line (session, TRUE, error);
  const char *type = line ? json_member_text (line, "type") : "";
  const char *text = line ? json_member_text (line, "text") : NULL;

  session->ended |= g_str_equal (type, "end") || g_str_equal (type, "error");
  if (!g_str_equal (type, "error"))
    return g_steal_pointer (&line);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", session->target->name, text ? text : "no reason given");
  return NULL;
}

void
culprit_session_stop (CulpritSession *session)
{
  send_line (session, "{\"do\":\"stop\"}");
}

void
culprit_session_free (CulpritSession *session)
{
  if (session->process)
    {
      g_output_stream_close (session->requests, NULL, NULL);
      if (session->ended)
        g_subprocess_wait (session->process, NULL, NULL);
    }
  g_clear_object (&session->lines);
  g_clear_object (&session->process);
  if (session->said_fd >= 0)
    close (session->said_fd);
  g_mutex_clear (&session->lock);
  g_free (session);
}

JsonObject *
culprit_session_examine (const CulpritTarget *target, GError **error)
{
  g_autoptr (JsonObject) request = json_object_new ();
  g_autoptr (CulpritSession) session = culprit_session_start (target, "examine", request, error);
  g_autoptr (JsonObject) facts = NULL;
  JsonObject *line;
  GError *problem = NULL;

  if (!session)
    return NULL;
  while ((line = culprit_session_read (session, &problem)))
    {
      if (g_str_equal (json_member_text (line, "type"), "facts") && !facts)
        facts = json_object_ref (line);
      json_object_unref (line);
    }
  if (!problem)
    return g_steal_pointer (&facts);
  g_propagate_error (error, problem);
  return NULL;
}
