/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the bytes of a capture. Little-endian, 64 bits. */
#include "truth-file.h"

#include "truth-formats.h"

#include <stdlib.h>

#define PAGE_SIZE 4096
#define PAGE_HEAD 16
#define DELTA_BITS 27
#define TIME_EXTEND 30
#define ID_PRINT 5
#define ID_EXIT 10
#define ID_ENTRY 11
#define ID_SWITCH 372
#define OPTION_TRACECLOCK 4
#define OPTION_UNAME 5
#define FIRST_ADDRESS 0xffffffff81000000ul
#define FUNCTION_BYTES 0x1000
#define OTHER_CLOCK_NS 7000000 /* in which calls are timed by the tracer */
#define MOST_DEPTH 64

char *
function_name (guint function)
{
  static const char *const roots[REGIONS] = { "timer_interrupt", "__do_softirq",  "do_idle",
                                              "do_nanosleep",    "eth_interrupt", "do_syscall_64" };
  static const char *const verbs[] = { "update", "get",  "put",   "check", "enqueue", "dequeue", "account", "queue",
                                       "flush",  "scan", "start", "stop",  "prepare", "finish",  "wake",    "set" };
  static const char *const nouns[] = { "curr",  "rt_rq", "timer", "page",  "skb",   "qh",   "urb",   "clock",   "load",
                                       "entry", "bio",   "inode", "mutex", "group", "node", "cache", "counters" };
  guint number = function - REGIONS;
  guint round = number / (G_N_ELEMENTS (verbs) * G_N_ELEMENTS (nouns));

  if (function < REGIONS)
    return g_strdup (roots[function]);
  /* Their numbers have no common divisor: every pair comes up before any is repeated. */
  return g_strdup_printf ("%s_%s%.*s", verbs[number % G_N_ELEMENTS (verbs)], nouns[number % G_N_ELEMENTS (nouns)],
                          (int) round, "________");
}

static void
put (GByteArray *out, const void *data, gsize size)
{
  g_byte_array_append (out, data, size);
}

static void
put_text (GByteArray *out, const char *text)
{
  put (out, text, strlen (text) + 1);
}

static void
put_u16 (GByteArray *out, guint16 value)
{
  put (out, &value, sizeof value);
}

static void
put_u32 (GByteArray *out, guint32 value)
{
  put (out, &value, sizeof value);
}

static void
put_u64 (GByteArray *out, guint64 value)
{
  put (out, &value, sizeof value);
}

static void
put_sized (GByteArray *out, const char *text)
{
  put_u64 (out, strlen (text));
  put (out, text, strlen (text));
}

static void
put_option (GByteArray *out, guint16 kind, const char *text)
{
  put_u16 (out, kind);
  put_u32 (out, strlen (text) + 1);
  put_text (out, text);
}

static guint64
address_of (guint function)
{
  return FIRST_ADDRESS + (guint64) function * FUNCTION_BYTES;
}

static void
put_symbols (GByteArray *out, const World *world)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint function = 0; function <= FUNCTION_ELSEWHERE (world); function++)
    {
      g_autofree char *name = function_name (function);

      g_string_append_printf (lines, "%016" G_GINT64_MODIFIER "x T %s\n", address_of (function), name);
    }
  put_u32 (out, lines->len);
  put (out, lines->str, lines->len);
}

static void
put_head (GByteArray *out, const World *world)
{
  put (out, "\x17\x08\x44tracing", 10);
  put_text (out, "6");
  put (out, "\0\10", 2); /* little-endian, longs of 8 bytes */
  put_u32 (out, PAGE_SIZE);
  put_text (out, "header_page");
  put_sized (out, header_page);
  put_text (out, "header_event");
  put_sized (out, header_event);
  put_u32 (out, G_N_ELEMENTS (ftrace_formats));
  for (guint i = 0; i < G_N_ELEMENTS (ftrace_formats); i++)
    put_sized (out, ftrace_formats[i]);
  put_u32 (out, 1);
  put_text (out, "sched");
  put_u32 (out, 1);
  put_sized (out, switch_format);
  put_symbols (out, world);
  put_u32 (out, 0); /* formats of printk */
  put_sized (out, G_STRINGIFY (PID_MEASURED) " cyclic\n" G_STRINGIFY (PID_WORKER) " worker\n" G_STRINGIFY (
                      PID_ELSEWHERE) " elsewhere\n");
}

static void
put_common (GByteArray *out, const Event *event, guint16 id)
{
  put_u16 (out, id);
  put (out, &event->flags, 1);
  put (out, "\0", 1);
  put_u32 (out, event->pid);
}

static void
put_comm (GByteArray *out, const char *comm)
{
  char padded[16] = { 0 };

  g_strlcpy (padded, comm, sizeof padded);
  put (out, padded, sizeof padded);
}

static void
put_switch (GByteArray *out, const Event *event)
{
  put_common (out, event, ID_SWITCH);
  put_comm (out, event->pid == 0 ? "swapper" : "worker");
  put_u32 (out, event->pid);
  put_u32 (out, 120);
  put_u64 (out, 0);
  put_comm (out, "cyclic");
  put_u32 (out, PID_MEASURED);
  put_u32 (out, 19);
}

static void
put_marker (GByteArray *out, const Event *event, const Recorded *recorded)
{
  const Observed *hit = &g_array_index (recorded->observed, Observed, recorded->observed->len - 1);
  g_autofree char *text = g_strdup_printf ("hit latency threshold (%" G_GUINT64_FORMAT " > %" G_GUINT64_FORMAT ")\n",
                                           (hit->observed_ns - hit->expected_ns) / 1000, recorded->threshold_ns / 1000);

  put_common (out, event, ID_PRINT);
  put_u64 (out, 0);
  put_text (out, text);
}

/* @entries: when the call at each depth began. */
static void
put_payload (GByteArray *out, const Event *event, const Recorded *recorded, guint64 *entries)
{
  switch (event->kind)
    {
    case EVENT_ENTRY:
      entries[event->depth] = event->at_ns;
      put_common (out, event, ID_ENTRY);
      put_u64 (out, address_of (event->function));
      put_u32 (out, event->depth);
      break;
    case EVENT_EXIT:
      put_common (out, event, ID_EXIT);
      put_u64 (out, address_of (event->function));
      put_u32 (out, event->depth);
      put_u32 (out, 0);
      put_u64 (out, entries[event->depth] + OTHER_CLOCK_NS);
      put_u64 (out, event->at_ns + OTHER_CLOCK_NS);
      break;
    case EVENT_SWITCH:
      put_switch (out, event);
      break;
    case EVENT_MARKER:
      put_marker (out, event, recorded);
      break;
    }
  while (out->len % 4 != 0)
    put (out, "\0", 1);
}

static void
begin_page (GByteArray *out, gsize *page, guint64 at_ns)
{
  static const guint8 zeros[PAGE_SIZE] = { 0 };

  put (out, zeros, (PAGE_SIZE - out->len % PAGE_SIZE) % PAGE_SIZE);
  *page = out->len;
  put_u64 (out, at_ns);
  put_u64 (out, 0);
}

static void
put_record (GByteArray *out, const GByteArray *payload, guint64 delta_ns)
{
  if (delta_ns >> DELTA_BITS != 0)
    {
      put_u32 (out, TIME_EXTEND | (guint32) delta_ns << 5);
      put_u32 (out, delta_ns >> DELTA_BITS);
      delta_ns = 0;
    }
  put_u32 (out, payload->len / 4 | (guint32) delta_ns << 5);
  put (out, payload->data, payload->len);
}

/* @out ends at a page boundary, before and after. */
static void
put_pages (GByteArray *out, const GArray *events, const Recorded *recorded)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  guint64 entries_of_tasks[3][MOST_DEPTH] = { 0 };
  gsize page = 0;
  guint64 before_ns = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      guint task = event->pid == 0 ? 0 : event->pid == PID_MEASURED ? 1 : 2;
      guint64 commit;

      g_byte_array_set_size (payload, 0);
      put_payload (payload, event, recorded, entries_of_tasks[task]);
      if (i == 0 || out->len - page + payload->len + 12 > PAGE_SIZE)
        {
          begin_page (out, &page, event->at_ns);
          before_ns = event->at_ns;
        }
      put_record (out, payload, event->at_ns - before_ns);
      before_ns = event->at_ns;
      commit = out->len - page - PAGE_HEAD;
      memcpy (out->data + page + 8, &commit, sizeof commit);
    }
  begin_page (out, &page, 0);
  g_byte_array_set_size (out, page);
}

static void
save (const char *path, const char *ending, gconstpointer data, gsize size)
{
  g_autofree char *name = g_strconcat (path, ending, NULL);
  g_autoptr (GError) error = NULL;

  if (g_file_set_contents_full (name, data, size, G_FILE_SET_CONTENTS_NONE, 0644, &error))
    return;
  g_printerr ("%s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
write_trace (const Recorded *recorded, const char *path)
{
  g_autoptr (GByteArray) out = g_byte_array_sized_new (1 << 20);
  g_autoptr (GByteArray) pages = g_byte_array_sized_new (1 << 20);
  guint cpus = recorded->cpus[1]->len > 0 ? 2 : 1;
  gsize table;
  guint64 ends[3] = { 0 };

  for (guint i = 0; i < cpus; i++)
    {
      put_pages (pages, recorded->cpus[i], recorded);
      ends[i + 1] = pages->len;
    }
  put_head (out, recorded->world);
  put_u32 (out, cpus);
  put_text (out, "options  ");
  put_option (out, OPTION_TRACECLOCK, "local global counter uptime perf [mono] mono_raw\n");
  put_option (out, OPTION_UNAME, "Linux testhost 6.1.0-test-amd64 #1 SMP x86_64");
  put_u16 (out, 0);
  put_text (out, "flyrecord");
  table = (out->len + cpus * 16 + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
  for (guint i = 0; i < cpus; i++)
    {
      put_u64 (out, table + ends[i]);
      put_u64 (out, ends[i + 1] - ends[i]);
    }
  while (out->len < table)
    put (out, "\0", 1);
  put (out, pages->data, pages->len);
  save (path, ".dat", out->data, out->len);
}

static void
write_log (const Recorded *recorded, const char *path)
{
  g_autoptr (GString) log = g_string_new (NULL);
  const Observed *hit = &g_array_index (recorded->observed, Observed, recorded->observed->len - 1);

  g_string_append_printf (
      log,
      "{\"type\": \"capture\", \"culprit_cycles\": 1, \"run\": 1, \"capture\": %u, \"period_ns\": %" G_GUINT64_FORMAT
      ", \"threshold_ns\": %" G_GUINT64_FORMAT ", \"hit\": {\"cpu\": 0, \"pid\": %d, \"cycle\": %" G_GUINT64_FORMAT
      ", \"expected_ns\": %" G_GUINT64_FORMAT ", \"observed_ns\": %" G_GUINT64_FORMAT "}, \"cycles\": [",
      recorded->capture, recorded->world->period_ns, recorded->threshold_ns, PID_MEASURED, recorded->hit_cycle,
      hit->expected_ns, hit->observed_ns);
  for (guint i = 0; i < recorded->observed->len; i++)
    {
      const Observed *cycle = &g_array_index (recorded->observed, Observed, i);

      g_string_append_printf (log, "%s[%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "]", i > 0 ? ", " : "",
                              cycle->expected_ns, cycle->observed_ns);
    }
  g_string_append (log, "], \"needed_kb\": 0, \"smi\": null, \"steal_ns\": null, \"delays\": null}\n");
  save (path, ".json", log->str, log->len);
}

void
recorded_write (const Recorded *recorded, const char *path)
{
  write_trace (recorded, path);
  if (!recorded->foreign)
    write_log (recorded, path);
}
