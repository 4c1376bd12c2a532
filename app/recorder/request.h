/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's request, after checking: see PROTOCOL.md for the meaning of each member. */
#pragma once

#include "../../libanalysis/capture/windows/probe.h"
#include "settings.h"

#include <stddef.h>

/* Reads the JSON of a request: an object of numbers, truth values, texts and lists of these, not nested any deeper. It
 * is written by hand since a measured board has only libc and libtracefs, and root should run no more code than
 * this. */

typedef enum
{
  JSON_NUMBER,
  JSON_TRUTH,
  JSON_TEXT,
  JSON_LIST,
  JSON_NOTHING, /* null */
} JsonKind;

typedef struct JsonValue JsonValue;

struct JsonValue
{
  char *key; /* NULL inside lists. */
  JsonKind kind;
  int64_t number; /* Or the truth value. */
  char *text;
  JsonValue *items; /* of a list */
  int n_items;
};

/* Frees the content of @value and leaves it empty. */
void json_clear (JsonValue *value);

/* The member @key of @object; NULL if there is none, or it is null. */
const JsonValue *json_member (const JsonValue *object, const char *key);

/* Splits the bytes that a session sends into lines. It works on memory only, so that all of it can be fuzzed. */

#define INPUT_SIZE (256 << 10) /* the longest line, and all input that is waiting */

typedef struct
{
  char text[INPUT_SIZE];
  size_t length;
} Input;

typedef enum
{
  INPUT_NOTHING, /* No line is complete yet. */
  INPUT_OBJECT,
  INPUT_GARBAGE,  /* Not an object: nothing after it can be trusted, as after the next. */
  INPUT_TOO_LONG, /* a line of more than INPUT_SIZE */
} InputLine;

/* Where to store further bytes, and in @size how many fit. */
char *input_room (Input *input, size_t *size);

/* Takes the first line. @object must be cleared after INPUT_OBJECT; otherwise it is empty. */
InputLine input_take (Input *input, JsonValue *object);

/* Takes all complete lines. Returns whether one of them requests a stop, or is garbage or too long; others are ignored.
 */
bool input_stops (Input *input);

#define COMMAND_SIZE 4096 /* of one that begins or ends a treatment, with the end of the text */
#define NAME_SIZE 201     /* of a name in a list, likewise */

typedef struct
{
  int numbers[MOST_CPUS];
  int n;
} CpuList;

/* window.c: What windows are measured instead of cycles. */

typedef enum
{
  WINDOW_CYCLIC,
  WINDOW_WAKEUP,
  WINDOW_RESPONSE,
  WINDOW_BETWEEN,
  WINDOW_MARKS,
} WindowKind;

#define WINDOW_LONGEST_NS 1000000000000ll /* that is measured; more is most likely a negative number */
#define WINDOW_WARM_UP_NS 1000000000ll    /* of a trace, which then has ordinary windows, before it waits for a hit */

#define WINDOW_SIZE 501 /* of a definition, with the end of the text */

/* An event that begins or ends windows, or a mark. */
typedef struct
{
  Probe probe; /* of a program, whose event it is; its name is empty: of none */
  char system[64];
  char event[64];
  char filter[256]; /* of the event, or the mark's text; empty: none */
  char key[64];     /* a field; empty: windows have none */
} WindowEnd;

/* All of it can be put between double quotes, or into a line, as it is. */
typedef struct
{
  WindowKind kind;
  bool from_waking; /* not from the timer */
  bool by_pid;
  char task[16];
  WindowEnd begin; /* of between and marks, as the next */
  WindowEnd end;
  char text[WINDOW_SIZE]; /* the definition, as the log of a capture has it */
} Window;

/* What a request says of it; NULL: nothing. */
typedef struct
{
  const char *wakeup_of;
  const char *response_of;
  const char *between;
  const char *key;
  const char *marks;
  bool from_timer;
  bool from_waking;
} WindowTexts;

/* Reads and checks @texts. False: @problem says what is wrong with them, in one line. */
bool window_read (const WindowTexts *texts, Window *window, char *problem, size_t size);

/* How a Request keeps each kind of setting that recordings have. Names, times and switches are a list of these, or
 * NULL; they, texts and commands are owned by the object they are from. */
#define VALUE_OF_TIME int64_t
#define VALUE_OF_TIMES const JsonValue *
#define VALUE_OF_NUMBER int64_t
#define VALUE_OF_CHOICE int64_t
#define VALUE_OF_SWITCH int64_t
#define VALUE_OF_SWITCHES const JsonValue *
#define VALUE_OF_NAMES const JsonValue *
#define VALUE_OF_CPUS CpuList
#define VALUE_OF_TEXT const char *
#define VALUE_OF_COMMAND const char *

/* What is to be recorded: a member for each setting, by its key. */
typedef struct
{
#define SETTING(key, kind, ...) VALUE_OF_##kind key;
#include "settings.def"
#undef SETTING
  Window window;
  int64_t low_ns;  /* The trigger: latencies from here... */
  int64_t high_ns; /* ...to here. 0: no trigger; INT64_MAX: a threshold, with low_ns one above it. */
} Request;

/* What @object asks for, e.g. "record". NULL: @problem says what is wrong with it, in one line. */
const char *request_action (const JsonValue *object, char *problem, size_t size);

/* Reads and checks the settings in @object. False: @problem says what is wrong with them, in one line. */
bool request_read (const JsonValue *object, Request *request, char *problem, size_t size);

/* Whether windows are those of a task. */
static inline bool
window_is_of_task (const Window *window)
{
  return window->kind == WINDOW_WAKEUP || window->kind == WINDOW_RESPONSE;
}

/* Whether windows of others are measured, not cycles. */
static inline bool
request_watches (const Request *request)
{
  return request->window.kind != WINDOW_CYCLIC;
}

/* Whether the ring buffer is needed in any run. */
static inline bool
request_traces (const Request *request)
{
  return request->tracing != TRACING_OFF || request->window.kind == WINDOW_MARKS;
}

static inline bool
request_has_trigger (const Request *request)
{
  return request->high_ns > 0;
}

static inline bool
request_is_hit (const Request *request, int64_t latency_ns)
{
  return latency_ns >= request->low_ns && latency_ns <= request->high_ns;
}
