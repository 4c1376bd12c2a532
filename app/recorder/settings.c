/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of settings, and what their choices are. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000ll
#define NS_PER_S 1000000000ll
#define MOST_NS (INT64_MAX / 4)

static const SettingChoice policies[] = {
  [POLICY_FIFO] = { "fifo", "SCHED_FIFO" },
  [POLICY_RR] = { "rr", "SCHED_RR" },
  [POLICY_DEADLINE] = { "deadline", "SCHED_DEADLINE" },
  [POLICY_OTHER] = { "other", "SCHED_OTHER" },
  { NULL },
};

static const SettingChoice methods[] = {
  [METHOD_CLOCK_NANOSLEEP] = { "clock_nanosleep", "clock_nanosleep" },
  [METHOD_CLOCK_NANOSLEEP_RELATIVE] = { "clock_nanosleep-relative", "clock_nanosleep, relative" },
  [METHOD_NANOSLEEP] = { "nanosleep", "nanosleep" },
  [METHOD_TIMER] = { "timer", "timer (signal)" },
  [METHOD_ITIMER] = { "itimer", "itimer (signal)" },
  [METHOD_TIMERFD] = { "timerfd", "timerfd" },
  [METHOD_PSELECT] = { "pselect", "pselect" },
  [METHOD_POLL] = { "poll", "poll" },
  { NULL },
};

static const SettingChoice clocks[] = {
  [WAIT_MONOTONIC] = { "monotonic", "Monotonic" },
  [WAIT_REALTIME] = { "realtime", "Real time" },
  { NULL },
};

static const SettingChoice tracings[] = {
  [TRACING_OFF] = { "off", "Off" },
  [TRACING_ON] = { "on", "On" },
  [TRACING_BOTH] = { "both", "Alternate off and on" },
  { NULL },
};

static const SettingChoice calibrations[] = {
  [CALIBRATE_REFUSE] = { "refuse", "Refuse if tracing distorts timing" },
  [CALIBRATE_WARN] = { "warn", "Warn" },
  [CALIBRATE_SKIP] = { "skip", "Do not calibrate" },
  { NULL },
};

const Setting recording_settings[] = {
#define SETTING(name_in_request, kind_of_it, ...)                                                                      \
  { .key = #name_in_request, .kind = SETTING_##kind_of_it, __VA_ARGS__ },
#include "settings.def"
#undef SETTING
  { NULL },
};

const Setting *
setting_find (const char *key)
{
  const Setting *setting = recording_settings;

  while (strcmp (setting->key, key) != 0)
    if (!(++setting)->key)
      abort ();
  return setting;
}
