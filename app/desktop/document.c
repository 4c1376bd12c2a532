/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The document object: the selection, the data read so far, and the task in progress. */
#include "document-private.h"

G_DEFINE_FINAL_TYPE (CulpritDocument, culprit_document, G_TYPE_OBJECT)

enum
{
  PROPERTY_PATH = 1,
  PROPERTY_CAPTURE,
  PROPERTY_FUNCTION,
  PROPERTY_RUN,
  PROPERTY_TRACED,
  PROPERTY_DOING,
  PROPERTIES,
};

enum
{
  CHANGED,
  FAILED,
  TOLD,
  DONE,
  SIGNALS,
};

static GParamSpec *properties[PROPERTIES];
static guint signals[SIGNALS];

static void
set_text (CulpritDocument *document, char **place, const char *text, guint property)
{
  if (g_strcmp0 (*place, text) == 0)
    return;
  g_free (*place);
  *place = g_strdup (text);
  g_object_notify_by_pspec (G_OBJECT (document), properties[property]);
}

void
document_emit_changed (CulpritDocument *document, CulpritPartKind part)
{
  g_signal_emit (document, signals[CHANGED], 0, part);
}

void
document_tell (CulpritDocument *document, gboolean failed, const char *message)
{
  g_signal_emit (document, signals[failed ? FAILED : TOLD], 0, message);
}

void
document_tell_done (CulpritDocument *document, const char *text, const char *button, const char *action)
{
  g_signal_emit (document, signals[DONE], 0, text, button, action);
}

void
culprit_document_tell_written (CulpritDocument *document, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf ("Saved %s", name);
  g_autofree char *action = g_action_print_detailed_name ("win.show-file", g_variant_new_string (path));

  document_tell (document, TRUE, "");
  document_tell_done (document, text, "Open", action);
}

void
document_set_doing (CulpritDocument *document, const char *doing)
{
  set_text (document, &document->doing, doing, PROPERTY_DOING);
}

/* What the pages read and choose. */

const char *
culprit_document_path (CulpritDocument *document)
{
  return document->path;
}

CulpritRows *
culprit_document_outliers (CulpritDocument *document)
{
  return document->outliers;
}

CulpritRows *
culprit_document_functions (CulpritDocument *document)
{
  return document->functions;
}

CulpritRows *
culprit_document_runs (CulpritDocument *document)
{
  return document->runs;
}

const CulpritVerdict *
culprit_document_verdict (CulpritDocument *document)
{
  return document->verdict;
}

gboolean
culprit_document_is_unreadable (CulpritDocument *document)
{
  return document->failed && !document->outliers;
}

gboolean
culprit_document_is_judging (CulpritDocument *document)
{
  return document->judging;
}

const char *
culprit_document_no_verdict (CulpritDocument *document)
{
  return document->judging ? "Computing the verdict…" : "No verdict: the study could not be read.";
}

guint
culprit_document_ignored (CulpritDocument *document)
{
  return document->ignored;
}

const GPtrArray *
culprit_document_latencies (CulpritDocument *document)
{
  return document->latencies;
}

gint64
culprit_document_capture (CulpritDocument *document)
{
  return document->capture;
}

void
culprit_document_choose_capture (CulpritDocument *document, gint64 capture)
{
  if (document->capture == capture)
    return;
  document->capture = capture;
  g_object_notify_by_pspec (G_OBJECT (document), properties[PROPERTY_CAPTURE]);
}

const char *
culprit_document_function (CulpritDocument *document)
{
  return document->function;
}

void
culprit_document_choose_function (CulpritDocument *document, const char *function)
{
  set_text (document, &document->function, function, PROPERTY_FUNCTION);
}

const char *
culprit_document_run (CulpritDocument *document)
{
  return document->run;
}

void
culprit_document_choose_run (CulpritDocument *document, const char *run)
{
  if (g_strcmp0 (document->run, run) == 0)
    return;
  set_text (document, &document->run, run, PROPERTY_RUN);
  /* That of other captures says nothing of these. */
  g_clear_pointer (&document->verdict, culprit_verdict_free);
  document_read_all (document);
}

CulpritTimes
culprit_document_times (CulpritDocument *document)
{
  return document->traced ? CULPRIT_TIMES_TRACED : CULPRIT_TIMES_UNTRACED;
}

const char *
culprit_document_doing (CulpritDocument *document)
{
  return document->doing;
}

/* The object. */

static void
document_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  switch (property)
    {
    case PROPERTY_PATH:
      g_value_set_string (value, document->path);
      break;
    case PROPERTY_CAPTURE:
      g_value_set_int64 (value, document->capture);
      break;
    case PROPERTY_FUNCTION:
      g_value_set_string (value, document->function ? document->function : "");
      break;
    case PROPERTY_RUN:
      g_value_set_string (value, document->run ? document->run : "");
      break;
    case PROPERTY_TRACED:
      g_value_set_boolean (value, document->traced);
      break;
    case PROPERTY_DOING:
      g_value_set_string (value, document->doing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, spec);
    }
}

/* The text, NULL where it is empty. */
static const char *
text_of (const GValue *value)
{
  const char *text = g_value_get_string (value);

  return text && *text ? text : NULL;
}

static void
document_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  switch (property)
    {
    case PROPERTY_CAPTURE:
      culprit_document_choose_capture (document, g_value_get_int64 (value));
      break;
    case PROPERTY_FUNCTION:
      culprit_document_choose_function (document, text_of (value));
      break;
    case PROPERTY_RUN:
      culprit_document_choose_run (document, text_of (value));
      break;
    case PROPERTY_TRACED:
      document->traced = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, spec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, spec);
    }
}

static void
document_dispose (GObject *object)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  g_cancellable_cancel (document->loading);
  g_cancellable_cancel (document->importing);
  g_clear_object (&document->loading);
  g_clear_object (&document->importing);
  g_clear_pointer (&document->waiting, g_ptr_array_unref);
  g_clear_object (&document->outliers);
  g_clear_object (&document->functions);
  g_clear_object (&document->runs);
  g_clear_pointer (&document->verdict, culprit_verdict_free);
  g_clear_pointer (&document->latencies, g_ptr_array_unref);
  g_clear_pointer (&document->triage, triage_log_free);
  G_OBJECT_CLASS (culprit_document_parent_class)->dispose (object);
}

static void
document_finalize (GObject *object)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (object);

  g_free (document->path);
  g_free (document->function);
  g_free (document->run);
  g_free (document->doing);
  G_OBJECT_CLASS (culprit_document_parent_class)->finalize (object);
}

static void
culprit_document_class_init (CulpritDocumentClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  const GParamFlags shown = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags chosen = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object->get_property = document_get_property;
  object->set_property = document_set_property;
  object->dispose = document_dispose;
  object->finalize = document_finalize;
  properties[PROPERTY_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, shown);
  properties[PROPERTY_CAPTURE] = g_param_spec_int64 ("capture", NULL, NULL, 0, G_MAXINT64, 0, chosen);
  properties[PROPERTY_FUNCTION] = g_param_spec_string ("function", NULL, NULL, "", chosen);
  properties[PROPERTY_RUN] = g_param_spec_string ("run", NULL, NULL, "", chosen);
  properties[PROPERTY_TRACED] = g_param_spec_boolean ("traced", NULL, NULL, FALSE, chosen);
  properties[PROPERTY_DOING] = g_param_spec_string ("doing", NULL, NULL, NULL, shown);
  g_object_class_install_properties (object, PROPERTIES, properties);
  signals[CHANGED] = g_signal_new ("changed", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[FAILED] = g_signal_new ("failed", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_STRING);
  signals[TOLD] = g_signal_new ("told", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  signals[DONE] = g_signal_new ("done", CULPRIT_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
}

static void
culprit_document_init (CulpritDocument *document)
{
}

CulpritDocument *
culprit_document_new (const char *path)
{
  CulpritDocument *document = g_object_new (CULPRIT_TYPE_DOCUMENT, NULL);

  document->path = g_strdup (path);
  document->triage = triage_log_new (document);
  return document;
}
