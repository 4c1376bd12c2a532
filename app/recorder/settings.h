/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a recording, one entry of settings.def each. From them are made what the recorder accepts, what
 * sessions send, the options of the command, the fields of the form and what a run is recorded again with. The recorder
 * is built for boards: this needs nothing but the C library. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOST_CPUS 1024 /* that a recorder knows */

typedef enum
{
  SETTING_TIME,   /* in ns; people write it with a unit, as "5ms" */
  SETTING_TIMES,  /* a list of them */
  SETTING_NUMBER, /* whole */
  SETTING_CHOICE,
  SETTING_SWITCH,
  SETTING_SWITCHES, /* a list of them */
  SETTING_NAMES,    /* a list of words; in the form with spaces between */
  SETTING_CPUS,     /* a list of numbers; people write it as "0,2-3" */
  SETTING_TEXT,
  SETTING_COMMAND, /* for sh; people may name a built-in load */
  SETTING_FILES, /* a list of files with their options, of the virtual machine only; in the form with semicolons between
                  */
} SettingKind;

typedef struct
{
  const char *value;   /* NULL ends the choices */
  const char *title;   /* in the form */
  const char *command; /* of a built-in load */
} SettingChoice;

/* Parts of the form, in its order. */
typedef enum
{
  GROUP_TARGET,
  GROUP_MEASURE,
  GROUP_TRIGGER,
  GROUP_RUN,
  GROUP_LOAD,
  GROUP_MORE,
} SettingGroup;

typedef struct
{
  const char *key; /* in the request; NULL ends the settings */
  SettingKind kind;
  int64_t least;                /* of times and numbers, also in lists, as the next two */
  int64_t most;                 /* of names, how many */
  int64_t otherwise;            /* if the request does not have it: a time, a number, or the place of a choice */
  const SettingChoice *choices; /* the first is the one that sessions begin with */
  bool others;                  /* There are further choices, which only the target knows. */
  const char *name;             /* of option and field, with _ between words; NULL: only sessions set it */
  const char *option;           /* if that has another name */
  const char *argument;         /* of the option, in its help */
  const char *help;             /* for option and field */
  const char *hint;             /* what leaving it out means; of a needed one, an example */
  const char *title;            /* of the field; NULL: there is none */
  const char *first;            /* what the field begins with; NULL: nothing, or the first choice */
  SettingChoice open;           /* of a choice in the form that leaves it out */
  const char *where;            /* The field counts only there: "NAME=VALUE|VALUE"; NULL: always. */
  SettingGroup group;
  bool needed; /* where the field counts */
  bool cyclic; /* of the measuring threads: there are none where windows of other tasks are measured */
  bool kept;   /* The table of runs has a column of this key: a run can be recorded like another. */
} Setting;

extern const Setting recording_settings[];

/* The setting with this key; there must be one. */
const Setting *setting_find (const char *key);

/* In the order of their choices. */

typedef enum
{
  METHOD_CLOCK_NANOSLEEP,
  METHOD_CLOCK_NANOSLEEP_RELATIVE,
  METHOD_NANOSLEEP,
  METHOD_TIMER,
  METHOD_ITIMER,
  METHOD_TIMERFD,
  METHOD_PSELECT,
  METHOD_POLL,
} Method;

typedef enum
{
  WAIT_MONOTONIC,
  WAIT_REALTIME,
} WaitClock;

typedef enum
{
  POLICY_FIFO,
  POLICY_RR,
  POLICY_DEADLINE,
  POLICY_OTHER,
} Policy;

typedef enum
{
  TRACING_OFF,
  TRACING_ON,
  TRACING_BOTH,
} Tracing;

typedef enum
{
  CALIBRATE_REFUSE,
  CALIBRATE_WARN,
  CALIBRATE_SKIP,
} Calibrate;
