/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the lines of the protocol. A line is built in memory that is reused, and written in one piece. */
#include "recorder-private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct
{
  char *text;
  size_t length;
  size_t capacity;
  bool first; /* No comma before the next member. */
  bool lost;  /* Nobody is reading. */
} line;

static struct
{
  const char *key; /* NULL: none */
  int64_t shortest_period_ns;
} remedy;

static char failure[512];

static void
add (const char *text, size_t length)
{
  if (line.length + length > line.capacity)
    {
      line.capacity = (line.length + length) * 2;
      line.text = realloc (line.text, line.capacity);
      if (!line.text)
        abort ();
    }
  memcpy (line.text + line.length, text, length);
  line.length += length;
}

static void
add_string (const char *text)
{
  add (text, strlen (text));
}

/* The number of bytes of the UTF-8 character at @text; 0 if it is invalid. Any user chooses names that come here: the
 * session would refuse all of the line. */
static size_t
character_size (const unsigned char *text)
{
  static const uint32_t firsts[] = { 0, 0, 0x80, 0x800, 0x10000, 0x110000 }; /* of so many bytes */
  size_t size = text[0] < 0x80   ? 1
                : text[0] < 0xc0 ? 0
                : text[0] < 0xe0 ? 2
                : text[0] < 0xf0 ? 3
                : text[0] < 0xf8 ? 4
                                 : 0;
  uint32_t character = size > 1 ? text[0] & 0x7f >> size : text[0];

  for (size_t i = 1; i < size; i++)
    {
      if ((text[i] & 0xc0) != 0x80)
        return 0;
      character = character << 6 | (text[i] & 0x3f);
    }
  return character >= firsts[size] && character < firsts[size + 1] && character >> 11 != 0x1b ? size : 0; /* no half */
}

static void
add_quoted (const char *text)
{
  add ("\"", 1);
  while (*text)
    {
      size_t size = character_size ((const unsigned char *) text);
      char escaped[8];

      if (size == 0)
        add ("?", 1);
      else if (*text == '"' || *text == '\\')
        {
          add ("\\", 1);
          add (text, 1);
        }
      else if ((unsigned char) *text < 0x20)
        {
          snprintf (escaped, sizeof escaped, "\\u%04x", *text);
          add_string (escaped);
        }
      else
        add (text, size);
      text += size ? size : 1;
    }
  add ("\"", 1);
}

static void
add_key (const char *key)
{
  if (!line.first)
    add (",", 1);
  line.first = false;
  if (!key)
    return;
  add_quoted (key);
  add (":", 1);
}

void
reply_begin (const char *type)
{
  line.length = 0;
  line.first = true;
  add ("{", 1);
  reply_text ("type", type);
}

void
reply_text (const char *key, const char *value)
{
  add_key (key);
  if (value)
    add_quoted (value);
  else
    add_string ("null");
}

void
reply_int (const char *key, int64_t value)
{
  char text[24];

  add_key (key);
  snprintf (text, sizeof text, "%lld", (long long) value);
  add_string (text);
}

void
reply_bool (const char *key, bool value)
{
  add_key (key);
  add_string (value ? "true" : "false");
}

void
reply_known (const char *key, int64_t value)
{
  if (value < 0)
    reply_text (key, NULL);
  else
    reply_int (key, value);
}

void
reply_bytes (const char *key, const uint8_t *bytes, size_t size)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  add_key (key);
  add ("\"", 1);
  for (size_t i = 0; i < size; i += 3)
    {
      uint32_t three = bytes[i] << 16 | (i + 1 < size ? bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
      char four[4] = { digits[three >> 18], digits[three >> 12 & 63], i + 1 < size ? digits[three >> 6 & 63] : '=',
                       i + 2 < size ? digits[three & 63] : '=' };

      add (four, sizeof four);
    }
  add ("\"", 1);
}

void
reply_open (const char *key, char bracket)
{
  add_key (key);
  add (&bracket, 1);
  line.first = true;
}

void
reply_close (char bracket)
{
  add (bracket == '{' || bracket == '}' ? "}" : "]", 1);
  line.first = false;
}

bool
reply_end (void)
{
  int64_t since_ns = now_ns ();

  add ("}\n", 2);
  for (size_t done = 0; done < line.length && !line.lost;)
    {
      ssize_t wrote = write (STDOUT_FILENO, line.text + done, line.length - done);

      if (wrote < 0 && errno == EAGAIN)
        line.lost = !control_wait_output (since_ns);
      else if (wrote < 0 && errno != EINTR)
        line.lost = true;
      done += wrote > 0 ? wrote : 0;
    }
  if (line.lost)
    control_stop ();
  return !line.lost;
}

void
reply_remedy (const char *key)
{
  remedy.key = key;
  remedy.shortest_period_ns = 0;
}

void
reply_longer_period (int64_t shortest_period_ns)
{
  remedy.key = "longer-period";
  remedy.shortest_period_ns = shortest_period_ns;
}

bool
fail (const char *text, ...)
{
  va_list arguments;

  va_start (arguments, text);
  vsnprintf (failure, sizeof failure, text, arguments);
  va_end (arguments);
  return false;
}

const char *
problem (void)
{
  return failure;
}

static void
begin_formatted (const char *type, const char *text, va_list arguments)
{
  char message[1024];

  vsnprintf (message, sizeof message, text, arguments);
  reply_begin (type);
  reply_text ("text", message);
}

static bool
end_with_remedy (void)
{
  if (remedy.key)
    reply_text ("remedy", remedy.key);
  if (remedy.shortest_period_ns > 0)
    reply_int ("shortest_period_ns", remedy.shortest_period_ns);
  reply_remedy (NULL);
  return reply_end ();
}

bool
reply_error (const char *text, ...)
{
  va_list arguments;

  va_start (arguments, text);
  begin_formatted ("error", text, arguments);
  va_end (arguments);
  return end_with_remedy ();
}

bool
reply_note (const char *text, ...)
{
  va_list arguments;

  va_start (arguments, text);
  begin_formatted ("note", text, arguments);
  va_end (arguments);
  return reply_end ();
}

bool
reply_problem (void)
{
  reply_begin ("note");
  reply_text ("text", failure);
  return end_with_remedy ();
}
