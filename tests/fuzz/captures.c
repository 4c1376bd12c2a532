/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of captures with files of its grammar: versions 6 and 7, both byte orders, packed or not, several
 * buffers, pages of records. A fuzzer's bytes decide what is in them, and which of their lengths lie. */
#include "check-capture.h"
#include "maker.h"

#include "../bench/truth-formats.h"

#define MOST_LIES 4
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

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
      put_over (maker, table[cpu][0], maker->out->len, 8);
      put_over (maker, table[cpu][1], put_cpu (maker), 8);
    }
}

static void
make_v6 (Maker *maker)
{
  guint cpus = 1 + choose (&maker->choices, 4);
  gboolean side = choose (&maker->choices, 4) == 3;
  gsize side_at = 0;

  for (guint part = 16; part <= 21; part++)
    put_part (maker, part);
  put_length (maker, cpus, 4);
  put_text (maker, "options  ");
  put_options (maker);
  if (side)
    {
      put_number (maker, 3, 2);
      put_length (maker, 8 + 5, 4);
      side_at = put_length (maker, 0, 8);
      put_text (maker, "side");
    }
  put_number (maker, 0, 2);
  put_buffer_v6 (maker, cpus);
  if (!side)
    return;
  put_over (maker, side_at, maker->out->len, 8);
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
  put_over (maker, length, maker->out->len - body, 8);
  return start;
}

static void
put_buffer_option (Maker *maker, const char *name, gsize start, guint cpus, gsize pages[][2])
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
      put_length (maker, pages[cpu][0], 8);
      put_length (maker, pages[cpu][1], 8);
    }
}

static void
make_v7 (Maker *maker)
{
  guint buffers = 1 + (choose (&maker->choices, 4) == 3);
  guint cpus = 1 + choose (&maker->choices, 4);
  gsize sections[6];
  gsize starts[2];
  gsize pages[2][4][2];
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
          pages[buffer][cpu][0] = maker->out->len;
          pages[buffer][cpu][1] = put_cpu (maker);
        }
    }
  put_over (maker, first, maker->out->len, 8);
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
    put_buffer_option (maker, buffer ? "side" : "", starts[buffer], cpus, pages[buffer]);
  put_number (maker, 0, 2);
  put_length (maker, 8, 4);
  put_length (maker, 0, 8);
  put_over (maker, length, maker->out->len - body, 8);
}

static void
tell_lies (Maker *maker)
{
  for (guint lies = choose (&maker->choices, 8); lies > 8 - MOST_LIES; lies--)
    {
      guint which = choose_number (&maker->choices, 2) % maker->lengths->len;
      gsize at = g_array_index (maker->lengths, gsize, which);
      guint bytes = 4 + 4 * choose (&maker->choices, 2);
      guint64 lie = choose (&maker->choices, 2) ? choose_odd (&maker->choices) : choose_number (&maker->choices, 2);

      if (at + bytes <= maker->out->len)
        put_over (maker, at, lie, bytes);
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
