/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's request, after checking: see PROTOCOL.md for the meaning of each member. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Parses @text into the members of an object, as a list. False if it is something else; @object must be cleared then
 * too. */
bool json_parse (const char *text, JsonValue *object);

/* Frees the content of @value and leaves it empty. */
void json_clear (JsonValue *value);

/* The member @key of @object; NULL if there is none, or it is null. */
const JsonValue *json_member (const JsonValue *object, const char *key);

#define MAX_CPUS 1024

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
  POLICY_OTHER,
  POLICY_FIFO,
  POLICY_RR,
  POLICY_DEADLINE,
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

typedef struct
{
  bool examine; /* Only the facts are requested. */
  int64_t period_ns;
  int64_t low_ns;  /* The trigger: latencies from here... */
  int64_t high_ns; /* ...to here. 0: no trigger; INT64_MAX: a threshold, with low_ns one above it. */
  int64_t captures;
  int64_t cycles;
  int64_t limit_ns;
  int64_t skip_cycles;
  int64_t deadline_ns;
  int64_t priority;
  int64_t runs;
  int64_t max_depth;
  int64_t buffer_kb;
  int64_t watchdog_ns; /* 0: the session may be silent. */
  bool realtime;       /* Waits use CLOCK_REALTIME. */
  bool aligned;        /* Cycles are expected at whole periods of the clock. */
  bool take_over;
  Method method;
  Policy policy;
  Tracing tracing;
  Calibrate calibrate;
  int cpus[MAX_CPUS];
  int n_cpus;
  const JsonValue *graph_functions; /* lists of texts, or NULL; owned by the object they are from */
  const JsonValue *graph_notrace;
  const JsonValue *events;
  const char *load;
} Request;

/* Checks @object. False: @problem says what is wrong with it, in one line. */
bool request_read (const JsonValue *object, Request *request, char *problem, size_t size);

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

/* "fifo" and so on. */
const char *request_policy_name (Policy policy);
