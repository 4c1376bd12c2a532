/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Talks to a recorder over the pipes of the command that started it. */
#include "session.h"

#include "child.h"
#include "guard.h"
#include "json-bounded.h"
#include "target-error.h"

#define PROTOCOL 1
#define NO_REMEDY ((CulpritRemedy) { CULPRIT_REMEDY_NONE })
#define GREETING 5                        /* times the patience: people are asked for passwords, machines boot */
#define STOPPING_US (30 * G_USEC_PER_SEC) /* for a recorder to stop cleanly; and to be without news of us */
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
  g_autofree char *said = child_last_said (session->child);

  if (session->greeted)
    culprit_target_error_set (error, CULPRIT_TARGET_ERROR_THERE, NO_REMEDY,
                              "the connection to the recorder was lost%s%s", *said ? ": " : "", said);
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
take_line (CulpritSession *session, const char *line, gsize length, GError **error)
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
          return take_line (session, line, length, error);
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

/* For how long the recorder may hear nothing from us. The clock of a virtual machine is not ours, and it ends with us.
 */
static gint64
watchdog_us (const CulpritTarget *target)
{
  return target->kind == CULPRIT_TARGET_VM ? 0 : stopping_us ();
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
  guard_begin (&session->guard, request, session->target->kind == CULPRIT_TARGET_VM);
  if (session->target->kind != CULPRIT_TARGET_LOCAL &&
      !child_write (session->child, line, guard_deadline_us (&session->guard)))
    {
      explain_end (session, error);
      return FALSE;
    }
  if (watchdog_us (session->target) > 0)
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
