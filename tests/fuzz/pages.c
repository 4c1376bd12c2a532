/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of a ring buffer: records of all kinds, containing calls, switches and markers. */
#include "maker.h"

#define PAGE_HEAD 16

static void
put_record (Maker *maker, guint type, guint32 delta)
{
  put_number (maker, maker->big ? type << 27 | delta : type | delta << 5, 4);
}

static void
put_event_head (Maker *maker, guint id)
{
  static const guint8 flags[] = { 0, 0, 0, 0x08, 0x10, 0x18, 0x40, 0x01 };
  static const guint32 pids[] = { 7, 7, 0, 9, 0xffffffff };

  put_number (maker, id, 2);
  put_number (maker, flags[choose (&maker->choices, G_N_ELEMENTS (flags))], 1);
  put_number (maker, 0, 1);
  put_number (maker, pids[choose (&maker->choices, G_N_ELEMENTS (pids))], 4);
}

static void
put_address (Maker *maker)
{
  static const guint64 addresses[] = { 0x1000, 0x2000, 0x3000, 0x3010, 0x10, 0xffffffff81000000 };

  put_number (maker, addresses[choose (&maker->choices, G_N_ELEMENTS (addresses))], 8);
}

/* The depth of a call: that of the stack, except now and then. */
static guint64
choose_depth (Maker *maker)
{
  return choose (&maker->choices, 16) == 15 ? choose_odd (&maker->choices) : maker->depth;
}

static void
put_entry (Maker *maker)
{
  put_event_head (maker, 11);
  put_address (maker);
  put_number (maker, choose_depth (maker), 4);
  maker->depth = MIN (maker->depth + 1, 600);
}

static void
put_exit (Maker *maker)
{
  maker->depth -= maker->depth > 0;
  put_event_head (maker, 10);
  put_address (maker);
  put_number (maker, choose_depth (maker), 4);
  put_number (maker, 0, 4);
  put_number (maker, choose (&maker->choices, 8) ? 100 : choose_odd (&maker->choices), 8);
  put_number (maker, choose (&maker->choices, 8) ? 900 : choose_odd (&maker->choices), 8);
}

static void
put_marker (Maker *maker)
{
  g_autofree char *text = g_strdup_printf ("hit latency threshold (%u > %u)\n", choose_byte (&maker->choices),
                                           choose_byte (&maker->choices) * 16);

  put_event_head (maker, 5);
  put_address (maker);
  put_text (maker, text);
}

static void
put_switch (Maker *maker)
{
  static const char comm[16] = "task";

  put_event_head (maker, 372);
  put (maker, comm, sizeof comm);
  put_number (maker, 7, 4);
  put_number (maker, choose_byte (&maker->choices), 4);
  put_number (maker, 0, 8);
  put (maker, comm, sizeof comm);
  put_number (maker, 9, 4);
  put_number (maker, choose_byte (&maker->choices), 4);
}

/* An event as a record: its length is in its head, or in a word after it. */
static void
put_event (Maker *maker, void (*put_body) (Maker *maker))
{
  gboolean word = choose (&maker->choices, 8) == 0;
  gsize head = maker->out->len;
  guint32 delta = choose_number (&maker->choices, choose (&maker->choices, 4)) & 0x7ffffff;
  gsize words;

  put_record (maker, 0, delta);
  if (word)
    put_number (maker, 0, 4);
  put_body (maker);
  while ((maker->out->len - head) % 4)
    put_number (maker, 0, 1);
  words = (maker->out->len - head) / 4 - 1;
  if (word)
    put_over (maker, head + 4, words * 4, 4);
  else
    put_over (maker, head, maker->big ? words << 27 | delta : words | delta << 5, 4);
  if (choose (&maker->choices, 32) == 31)
    put_over (maker, head + 4 * word, choose_number (&maker->choices, 4), 4);
  maker->now_ns += delta;
}

static void
put_any (Maker *maker)
{
  switch (choose (&maker->choices, 12))
    {
    case 0:
    case 1:
    case 2:
      put_event (maker, put_entry);
      break;
    case 3:
    case 4:
    case 5:
      put_event (maker, put_exit);
      break;
    case 6:
      put_event (maker, put_marker);
      break;
    case 7:
      put_event (maker, put_switch);
      break;
    case 8:
      put_record (maker, 30, choose_number (&maker->choices, 3));
      put_number (maker, choose (&maker->choices, 4), 4);
      break;
    case 9:
      put_record (maker, 31, maker->now_ns & 0x7ffffff);
      put_number (maker, choose (&maker->choices, 4) ? maker->now_ns >> 27 : choose_odd (&maker->choices), 4);
      break;
    case 10:
      put_record (maker, 29, choose (&maker->choices, 2));
      put_number (maker, 4 * choose (&maker->choices, 8), 4);
      break;
    default:
      for (guint i = choose (&maker->choices, 4); i > 0; i--)
        put_number (maker, choose_number (&maker->choices, 4), 4);
    }
}

static void
put_page (Maker *maker)
{
  gsize start = maker->out->len;
  gsize end = start + maker->page_size;
  guint64 commit;

  put_number (maker, maker->now_ns, 8);
  put_number (maker, 0, 8);
  for (guint i = 1 + choose (&maker->choices, 40); i > 0; i--)
    {
      gsize before = maker->out->len;

      put_any (maker);
      if (maker->out->len > end)
        {
          g_byte_array_set_size (maker->out, before);
          break;
        }
    }
  commit = maker->out->len - start - PAGE_HEAD;
  switch (choose (&maker->choices, 16))
    {
    case 13:
      commit = choose_odd (&maker->choices);
      break;
    case 14:
      commit |= 1u << 31;
      break;
    case 15:
      commit |= 3u << 30;
      break;
    default:
      break;
    }
  put_over (maker, start + 8, commit, 8);
  while (maker->out->len < end)
    put_number (maker, 0, 1);
  maker->now_ns += choose_number (&maker->choices, 2);
}

gsize
put_cpu (Maker *maker)
{
  gsize start = maker->out->len;
  guint chunks = 1 + choose (&maker->choices, 2);

  maker->now_ns = 1000000 + choose_number (&maker->choices, 2);
  maker->depth = 0;
  if (maker->packed)
    put_length (maker, chunks, 4);
  for (guint chunk = 0; chunk < chunks; chunk++)
    {
      gsize from = maker->out->len;

      for (guint pages = choose (&maker->choices, 4); pages > 0; pages--)
        put_page (maker);
      if (maker->packed)
        pack_last (maker, maker->out->len - from);
    }
  return maker->out->len - start;
}
