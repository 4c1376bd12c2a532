/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a recording in a thread and passes its messages to the main thread one by one. What the window is too slow for
 * slows down the thread, and so a target that floods it. */
#include "record/recording-job.h"

#include "background.h"
#include "record/form-request.h"
#include "record/target.h"

#define MOST_WAITING 100 /* messages, each of up to a megabyte; those beyond come slowly */

/* A recorder says less, and ends itself if it is not read for long: not even a window whose display does not answer may
 * keep it waiting. */
#define SLOWLY_US (G_USEC_PER_SEC / 50)

struct _RecordingJob
{
  GObject parent;
  CulpritTarget *target;
  char *study;
  char *name;
  JsonObject *request;
  gboolean explains; /* whether @name is a run to explain, and @request settings for that */
  GCancellable *cancellable;
  CulpritRecordingResult result;
  GMutex lock; /* of the next */
  guint waiting;
  GCond fewer;
};

G_DEFINE_FINAL_TYPE (RecordingJob, recording_job, G_TYPE_OBJECT)

enum
{
  BEGUN,
  EVENT,
  ENDED,
  SIGNALS,
};

static guint signals[SIGNALS];

typedef struct
{
  RecordingJob *job;
  CulpritMessage *message; /* NULL: a recording begins, */
  char *what;              /* which is called so */
  gint64 captures;
} Delivery;

static void
delivery_free (gpointer data)
{
  Delivery *delivery = data;

  g_mutex_lock (&delivery->job->lock);
  delivery->job->waiting--;
  g_cond_signal (&delivery->job->fewer);
  g_mutex_unlock (&delivery->job->lock);
  g_object_unref (delivery->job);
  g_clear_pointer (&delivery->message, culprit_message_unref);
  g_free (delivery->what);
  g_free (delivery);
}

static gboolean
deliver (gpointer data)
{
  const Delivery *delivery = data;

  if (delivery->message)
    g_signal_emit (delivery->job, signals[EVENT], 0, delivery->message);
  else
    g_signal_emit (delivery->job, signals[BEGUN], 0, delivery->what, delivery->captures);
  return G_SOURCE_REMOVE;
}

/* In the thread. With the priority of the task, so that no message comes after its end. */
static void
send (RecordingJob *job, CulpritMessage *message, char *what, gint64 captures)
{
  Delivery *delivery = g_new (Delivery, 1);
  gint64 held_until_us = g_get_monotonic_time () + SLOWLY_US;

  g_mutex_lock (&job->lock);
  while (job->waiting >= MOST_WAITING && g_cond_wait_until (&job->fewer, &job->lock, held_until_us))
    ;
  job->waiting++;
  g_mutex_unlock (&job->lock);
  *delivery = (Delivery) { g_object_ref (job), message, what, captures };
  g_idle_add_full (G_PRIORITY_DEFAULT, deliver, delivery, delivery_free);
}

static void
on_message (CulpritMessage *message, gpointer data)
{
  send (data, culprit_message_ref (message), NULL, 0);
}

static void
on_begin (const char *plan, const char *what, gint64 captures, gpointer data)
{
  send (data, NULL, plan ? g_strdup_printf ("%s. %s", what, plan) : g_strdup_printf ("%s.", what), captures);
}

static gboolean
explain (RecordingJob *job, GError **error)
{
  static const CulpritExplainingCalls calls = { on_begin, on_message };
  const CulpritExplaining explaining = { job->study, job->name, NULL, job->request, CULPRIT_EXPLAIN_CAPTURES };
  g_autoptr (CulpritExplanation) explanation =
      culprit_explain (&explaining, job->target, job->cancellable, &calls, job, &job->result, error);

  return explanation != NULL;
}

static void
record (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  RecordingJob *job = source;
  const CulpritRecordingOptions options = { job->study, job->name, job->request };
  GError *error = NULL;

  if (job->explains ? explain (job, &error)
                    : culprit_record (job->target, &options, job->cancellable, on_message, job, &job->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_recorded (GObject *source, GAsyncResult *result, gpointer data)
{
  RecordingJob *job = RECORDING_JOB (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    problem = culprit_target_error_words (error, form_target_title (job->target), CULPRIT_IN_WINDOW);
  g_signal_emit (job, signals[ENDED], 0, &job->result, problem);
  g_application_release (g_application_get_default ());
}

const CulpritTarget *
recording_job_target (RecordingJob *job)
{
  return job->target;
}

void
recording_job_stop (RecordingJob *job)
{
  g_cancellable_cancel (job->cancellable);
}

static void
job_finalize (GObject *object)
{
  RecordingJob *job = RECORDING_JOB (object);

  culprit_target_free (job->target);
  json_object_unref (job->request);
  culprit_recording_result_clear (&job->result);
  g_object_unref (job->cancellable);
  g_free (job->study);
  g_free (job->name);
  g_mutex_clear (&job->lock);
  g_cond_clear (&job->fewer);
  G_OBJECT_CLASS (recording_job_parent_class)->finalize (object);
}

static void
recording_job_class_init (RecordingJobClass *class)
{
  G_OBJECT_CLASS (class)->finalize = job_finalize;
  signals[BEGUN] = g_signal_new ("begun", RECORDING_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_STRING, G_TYPE_INT64);
  signals[EVENT] = g_signal_new ("event", RECORDING_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_POINTER);
  signals[ENDED] = g_signal_new ("ended", RECORDING_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_POINTER, G_TYPE_STRING);
}

static void
recording_job_init (RecordingJob *job)
{
  job->cancellable = g_cancellable_new ();
  g_mutex_init (&job->lock);
  g_cond_init (&job->fewer);
}

static RecordingJob *
begin (CulpritTarget *target, const char *study, const char *name, JsonObject *request, gboolean explains)
{
  RecordingJob *job = g_object_new (RECORDING_TYPE_JOB, NULL);
  g_autoptr (GTask) task = g_task_new (job, NULL, on_recorded, NULL);

  job->target = target;
  job->study = g_strdup (study);
  job->name = g_strdup (name);
  job->request = request;
  job->explains = explains;
  g_application_hold (g_application_get_default ());
  background_run (task, record);
  return job;
}

RecordingJob *
recording_job_new (CulpritTarget *target, const char *study, const char *name, JsonObject *request)
{
  return begin (target, study, name, request, FALSE);
}

RecordingJob *
recording_job_new_explaining (CulpritTarget *target, const char *study, const char *run, JsonObject *settings)
{
  return begin (target, study, run, settings, TRUE);
}
