/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each says in a remark what was filled in, and shows the field that matters. */
#include "record/form-next.h"

#include "latency/shape.h"
#include "record/band-map.h"
#include "record/form-like.h"
#include "units.h"

static void
set_time (RecordForm *form, const char *key, gint64 time_ns)
{
  g_autofree char *text = culprit_time_format_exact (time_ns);

  record_form_set (form, key, text);
}

static void
show (RecordForm *form, const char *remark, const char *key)
{
  record_form_remark (form, remark);
  record_form_focus (form, key);
}

void
form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns)
{
  g_auto (BandMap) map = band_map (document, run, low_ns, high_ns);

  form_like_target (form, culprit_document_runs (document), run);
  record_form_set (form, "trigger", "band");
  record_form_set (form, "tracing", NULL);
  set_time (form, "band_low", map.low_ns);
  set_time (form, "band_high", map.high_ns);
  if (map.period_ns > 0)
    set_time (form, "period", map.period_ns);
  show (form, map.remark, "band_low");
}

void
form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns)
{
  g_autofree char *remark = g_strdup_printf (
      "The threshold is one of traced latencies. The rest is filled in from “%s”; check the target.", run);

  form_like (form, culprit_document_runs (document), run, "", 0);
  record_form_set (form, "trigger", "threshold");
  set_time (form, "threshold", threshold_ns);
  show (form, remark, "threshold");
}

void
form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run)
{
  g_autofree char *remark = g_strdup_printf (
      "Records runs without tracing and with it alternately. The rest is filled in from “%s”; check the target.", run);

  form_like (form, culprit_document_runs (document), run, "", 0);
  record_form_set (form, "trigger", "none");
  record_form_set (form, "tracing", "both");
  record_form_set (form, "runs", G_STRINGIFY (CULPRIT_SHAPE_RUNS));
  show (form, remark, "runs");
}
