/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of captures with files of its grammar: versions 6 and 7, both byte orders, packed or not, several
 * buffers, pages of records. A fuzzer's bytes decide what is in them, and which of their lengths lie. */
#include "check-capture.h"
#include "choices.h"

#include "../bench/truth-formats.h"

#include <zstd.h>

#define MOST_LIES 4
#define PAGE_HEAD 16

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

typedef struct
{
  Choices choices;
  GByteArray *out;
  GArray *lengths; /* of gsize: where what may lie stands */
  gboolean big;    /* the byte order */
  guint version;
  gboolean packed;
  guint page_size;
  guint64 now_ns;
  guint depth;
} Maker;

static void
put (Maker *maker, const void *data, gsize size)
{
  g_byte_array_append (maker->out, data, size);
}

static void
put_text (Maker *maker, const char *text)
{
  put (maker, text, strlen (text) + 1);
}

static void
write_number (const Maker *maker, guint8 *to, guint64 value, guint bytes)
{
  for (guint i = 0; i < bytes; i++)
    to[maker->big ? bytes - 1 - i : i] = value >> 8 * i;
}

static void
put_number (Maker *maker, guint64 value, guint bytes)
{
  guint8 number[8];

  write_number (maker, number, value, bytes);
  put (maker, number, bytes);
}

/* A number that may lie; gives where it stands. */
static gsize
put_length (Maker *maker, guint64 value, guint bytes)
{
  gsize place = maker->out->len;

  g_array_append_val (maker->lengths, place);
  put_number (maker, value, bytes);
  return place;
}

static void
fill (Maker *maker, gsize place, guint64 value)
{
  write_number (maker, maker->out->data + place, value, 8);
}

static void
put_sized (Maker *maker, const char *text, guint bytes)
{
  put_length (maker, strlen (text), bytes);
  put (maker, text, strlen (text));
}

/* The parts of the headers, by their number in version 7. */
static void
put_part (Maker *maker, guint part)
{
  switch (part)
    {
    case 16:
      put_text (maker, "header_page");
      put_sized (maker, header_page, 8);
      put_text (maker, "header_event");
      put_sized (maker, header_event, 8);
      break;
    case 17:
      put_length (maker, G_N_ELEMENTS (ftrace_formats), 4);
      for (guint i = 0; i < G_N_ELEMENTS (ftrace_formats); i++)
        put_sized (maker, ftrace_formats[i], 8);
      break;
    case 18:
      put_length (maker, 1, 4);
      put_text (maker, "sched");
      put_length (maker, 1, 4);
      put_sized (maker, switch_format, 8);
      break;
    case 19:
      put_sized (maker, "0000000000001000 T f\n0000000000002000 t g\t[m]\n0000000000003000 T do_nanosleep\n", 4);
      break;
    case 20:
      put_sized (maker, "", 4);
      break;
    default:
      put_sized (maker, "7 cyclictest\n9 other\n", 8);
    }
}

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

/* What the depth of a call is: that of the stack but now and then. */
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

/* An event in the form of a record: its head tells its length, or a word behind it does. */
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
    write_number (maker, maker->out->data + head + 4, words * 4, 4);
  else
    write_number (maker, maker->out->data + head, maker->big ? words << 27 | delta : words | delta << 5, 4);
  if (choose (&maker->choices, 32) == 31)
    write_number (maker, maker->out->data + head + 4 * word, choose_number (&maker->choices, 4), 4);
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
  fill (maker, start + 8, commit);
  while (maker->out->len < end)
    put_number (maker, 0, 1);
  maker->now_ns += choose_number (&maker->choices, 2);
}

/* The last @size bytes packed, with both lengths before them. */
static void
pack_last (Maker *maker, gsize size)
{
  gsize bound = ZSTD_compressBound (size);
  g_autofree guint8 *packed = g_malloc (bound);
  gsize length = ZSTD_compress (packed, bound, maker->out->data + maker->out->len - size, size, 1);

  g_byte_array_set_size (maker->out, maker->out->len - size);
  put_length (maker, length, 4);
  put_length (maker, size, 4);
  put (maker, packed, length);
}

/* A CPU's pages; gives their size. */
static gsize
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

static void
put_options (Maker *maker)
{
  static const struct
  {
    guint id;
    const char *text;
  } texts[] = {
    { 2, "CPU: 0\nentries: 0\noverrun: 5\ncommit overrun: 0\n" },
    { 2, "\nBuffer: side\n\n" },
    { 4, "local [mono] boot\n" },
    { 4, "[x86-tsc]\n" },
    { 5, "Linux host 6.1.0 #1 SMP x86_64" },
    { 7, "-1000000" },
    { 7, "0x7fffffffffffffff" },
  };

  for (guint i = choose (&maker->choices, 5); i > 0; i--)
    {
      guint which = choose (&maker->choices, G_N_ELEMENTS (texts) + 1);

      if (which < G_N_ELEMENTS (texts))
        {
          put_number (maker, texts[which].id, 2);
          put_sized (maker, texts[which].text, 4);
          continue;
        }
      put_number (maker, 14, 2);
      put_length (maker, 16, 4);
      put_number (maker, choose_odd (&maker->choices), 4);
      put_number (maker, choose (&maker->choices, 40), 4);
      put_number (maker, 0, 8);
    }
}

/* The table of a buffer's CPUs and their pages. */
static void
put_buffer_v6 (Maker *maker, guint cpus)
{
  gsize table[4][2];

  put_text (maker, "flyrecord");
  for (guint cpu = 0; cpu < cpus; cpu++)
    for (guint i = 0; i < 2; i++)
      table[cpu][i] = put_length (maker, 0, 8);
  for (guint cpu = 0; cpu < cpus; cpu++)
    {
      fill (maker, table[cpu][0], maker->out->len);
      fill (maker, table[cpu][1], put_cpu (maker));
    }
}

static void
make_v6 (Maker *maker)
{
  guint cpus = 1 + choose (&maker->choices, 4);
  gboolean side = choose (&maker->choices, 4) == 3;
  gsize place = 0;

  for (guint part = 16; part <= 21; part++)
    put_part (maker, part);
  put_length (maker, cpus, 4);
  put_text (maker, "options  ");
  put_options (maker);
  if (side)
    {
      put_number (maker, 3, 2);
      put_length (maker, 8 + 5, 4);
      place = put_length (maker, 0, 8);
      put_text (maker, "side");
    }
  put_number (maker, 0, 2);
  put_buffer_v6 (maker, cpus);
  if (!side)
    return;
  fill (maker, place, maker->out->len);
  put_buffer_v6 (maker, cpus);
}

/* A section of version 7 with what @put_body puts into it; gives where it stands. */
static gsize
put_section (Maker *maker, guint id)
{
  gsize start = maker->out->len;
  gsize length;
  gsize body;

  put_number (maker, id, 2);
  put_number (maker, maker->packed, 2);
  put_number (maker, 0, 4);
  length = put_length (maker, 0, 8);
  body = maker->out->len;
  put_part (maker, id);
  if (maker->packed)
    pack_last (maker, maker->out->len - body);
  fill (maker, length, maker->out->len - body);
  return start;
}

static void
put_buffer_option (Maker *maker, const char *name, gsize start, guint cpus, gsize places[][2])
{
  put_number (maker, 3, 2);
  put_length (maker, 8 + strlen (name) + 1 + 5 + 8 + 20 * cpus, 4);
  put_length (maker, start, 8);
  put_text (maker, name);
  put_text (maker, "mono");
  put_length (maker, maker->page_size, 4);
  put_length (maker, cpus, 4);
  for (guint cpu = 0; cpu < cpus; cpu++)
    {
      put_length (maker, cpu, 4);
      put_length (maker, places[cpu][0], 8);
      put_length (maker, places[cpu][1], 8);
    }
}

static void
make_v7 (Maker *maker)
{
  guint buffers = 1 + (choose (&maker->choices, 4) == 3);
  guint cpus = 1 + choose (&maker->choices, 4);
  gsize sections[6];
  gsize starts[2];
  gsize places[2][4][2];
  gsize first;
  gsize length;
  gsize body;

  put_text (maker, maker->packed ? "zstd" : "none");
  put_text (maker, "1");
  first = put_length (maker, 0, 8);
  for (guint part = 0; part < 6; part++)
    sections[part] = put_section (maker, 16 + part);
  for (guint buffer = 0; buffer < buffers; buffer++)
    {
      starts[buffer] = maker->out->len;
      put_number (maker, 3, 2);
      put_number (maker, maker->packed, 2);
      put_number (maker, 0, 4);
      put_length (maker, 0, 8);
      for (guint cpu = 0; cpu < cpus; cpu++)
        {
          places[buffer][cpu][0] = maker->out->len;
          places[buffer][cpu][1] = put_cpu (maker);
        }
    }
  fill (maker, first, maker->out->len);
  put_number (maker, 0, 2);
  put_number (maker, 0, 2);
  put_number (maker, 0, 4);
  length = put_length (maker, 0, 8);
  body = maker->out->len;
  for (guint part = 0; part < 6; part++)
    {
      put_number (maker, 16 + part, 2);
      put_length (maker, 8, 4);
      put_length (maker, sections[part], 8);
    }
  put_options (maker);
  for (guint buffer = 0; buffer < buffers; buffer++)
    put_buffer_option (maker, buffer ? "side" : "", starts[buffer], cpus, places[buffer]);
  put_number (maker, 0, 2);
  put_length (maker, 8, 4);
  put_length (maker, 0, 8);
  fill (maker, length, maker->out->len - body);
}

static void
tell_lies (Maker *maker)
{
  for (guint lies = choose (&maker->choices, 8); lies > 8 - MOST_LIES; lies--)
    {
      guint which = choose_number (&maker->choices, 2) % maker->lengths->len;
      gsize place = g_array_index (maker->lengths, gsize, which);
      guint bytes = 4 + 4 * choose (&maker->choices, 2);
      guint64 lie = choose (&maker->choices, 2) ? choose_odd (&maker->choices) : choose_number (&maker->choices, 2);

      if (place + bytes <= maker->out->len)
        write_number (maker, maker->out->data + place, lie, bytes);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const guint page_sizes[] = { 512, 4096, 256, 64 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  Maker maker = { .choices = { data, size }, .out = out, .lengths = lengths };
  guint form = choose (&maker.choices, 6);

  maker.version = form % 3 == 0 ? 6 : 7;
  maker.packed = form % 3 == 2;
  maker.big = form >= 3;
  maker.page_size = page_sizes[choose (&maker.choices, G_N_ELEMENTS (page_sizes))];
  put (&maker, "\x17\x08\x44tracing", 10);
  put_text (&maker, maker.version == 6 ? "6" : "7");
  put_number (&maker, maker.big, 1);
  put_number (&maker, 8, 1);
  put_length (&maker, maker.page_size, 4);
  if (maker.version == 6)
    make_v6 (&maker);
  else
    make_v7 (&maker);
  tell_lies (&maker);
  check_capture (out->data, out->len);
  return 0;
}
