/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a recording in a thread and passes its messages to the main thread one by one. */
#include "record/recording-job.h"

#include "background.h"
#include "record/form-request.h"
#include "record/target.h"

struct _RecordingJob
{
  GObject parent;
  CulpritTarget *target;
  char *study;
  char *name;
  JsonObject *request;
  GCancellable *cancellable;
  CulpritRecordingResult result;
};

G_DEFINE_FINAL_TYPE (RecordingJob, recording_job, G_TYPE_OBJECT)

enum
{
  EVENT,
  ENDED,
  SIGNALS,
};

static guint signals[SIGNALS];

typedef struct
{
  RecordingJob *job;
  CulpritMessage *message;
} Delivery;

static void
delivery_free (gpointer data)
{
  Delivery *delivery = data;

  g_object_unref (delivery->job);
  culprit_message_unref (delivery->message);
  g_free (delivery);
}

static gboolean
deliver (gpointer data)
{
  const Delivery *delivery = data;

  g_signal_emit (delivery->job, signals[EVENT], 0, delivery->message);
  return G_SOURCE_REMOVE;
}

/* In the thread. With the priority of the task, so that no message comes after its end. */
static void
on_message (CulpritMessage *message, gpointer data)
{
  Delivery *delivery = g_new (Delivery, 1);

  *delivery = (Delivery) { g_object_ref (data), culprit_message_ref (message) };
  g_idle_add_full (G_PRIORITY_DEFAULT, deliver, delivery, delivery_free);
}

static void
record (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  RecordingJob *job = source;
  const CulpritRecordingOptions options = { job->study, job->name, job->request };
  GError *error = NULL;

  if (culprit_record (job->target, &options, job->cancellable, on_message, job, &job->result, &error))
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
  G_OBJECT_CLASS (recording_job_parent_class)->finalize (object);
}

static void
recording_job_class_init (RecordingJobClass *class)
{
  G_OBJECT_CLASS (class)->finalize = job_finalize;
  signals[EVENT] = g_signal_new ("event", RECORDING_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_POINTER);
  signals[ENDED] = g_signal_new ("ended", RECORDING_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_POINTER, G_TYPE_STRING);
}

static void
recording_job_init (RecordingJob *job)
{
  job->cancellable = g_cancellable_new ();
}

RecordingJob *
recording_job_new (CulpritTarget *target, const char *study, const char *name, JsonObject *request)
{
  RecordingJob *job = g_object_new (RECORDING_TYPE_JOB, NULL);
  g_autoptr (GTask) task = g_task_new (job, NULL, on_recorded, NULL);

  job->target = target;
  job->study = g_strdup (study);
  job->name = g_strdup (name);
  job->request = request;
  g_application_hold (g_application_get_default ());
  background_run (task, record);
  return job;
}
