/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes numbers and times as text. */
#pragma once

#include <glib.h>

/* To be called first by every program that uses the library; one that starts GTK calls gtk_disable_setlocale() as well.
 * The program then has the user's locale, except that numbers are written and read with a point: reports, options and
 * times that are read again are the same everywhere. A GSL function that cannot compute its result gives NaN, which is
 * shown as not known; by default it would abort the program. */
void culprit_numbers_init (void);

/* @value / @divisor, which is positive, rounded down also below 0. */
static inline gint64
culprit_floor_divide (gint64 value, gint64 divisor)
{
  return value / divisor - (value % divisor < 0);
}

/* Which times to show. */
typedef enum
{
  CULPRIT_TIMES_UNTRACED, /* without the tracer's part */
  CULPRIT_TIMES_TRACED,   /* including it, as measured */
} CulpritTimes;

/* A unit of time, and how many decimals times have in it. */
typedef struct
{
  const char *name;
  double ns;
  double common_from_ns;   /* It suits times of which the largest has at least this size. */
  int decimals;            /* of a time */
  int difference_decimals; /* of a difference of times: more, since intervals may be narrow */
  int all_decimals;        /* down to the nanosecond */
} CulpritUnit;

/* The unit that suits all times of an axis or a column, of which @largest_ns is the largest: it changes later, since
 * there are shorter ones beside it. */
const CulpritUnit *culprit_unit_of_all (double largest_ns);

/* Reads a time with its unit: "250us", "5 ms", "1.5s", "2m", "800ns". FALSE if @text is not a time, or not positive. */
gboolean culprit_time_parse (const char *text, guint64 *time_ns);

/* Writes a time with the unit that suits it: "850 ns", "231.1 us", "2.790 ms", "1.250 s". The caller owns it. */
char *culprit_time_format (gint64 time_ns);

/* The same for a time somewhere in a range: "10.0 us to 20.0 us"; only one of them if both ends are the same. The
 * caller owns it. */
char *culprit_time_format_range (gint64 from_ns, gint64 to_ns);

/* Writes a time as culprit_time_parse() reads it, to the nanosecond: "5ms", "61.234us". The caller owns it. */
char *culprit_time_format_exact (gint64 time_ns);

/* Writes about how long something takes: "276 ms", "1.5 s", from two minutes on in whole "min", "h", "days" or "years".
 * The caller owns it. */
char *culprit_long_time_format (double ns);

/* Writes a stretch without any event: "nothing traced for 1.501 ms". The caller owns it. */
char *culprit_silence_format (guint64 length_ns);

/* Writes a share of a whole in per cent: "98.8 %". One that rounds to more than 100 % is "all": the whole is a sum that
 * is smaller because other parts were faster than usual. The caller owns it. */
char *culprit_share_format (double share);

/* The same with two decimals, for shares that may be small: "0.41 %". The caller owns it. */
char *culprit_small_part_format (double part);

/* @value as shown with so many @decimals: 0, without a sign, if all its digits are zero. */
double culprit_shown_number (double value, int decimals);

/* Whether @share is written "all". */
gboolean culprit_share_is_all (double share);

/* Writes a difference of times with its sign: "+850 ns", "-2.31 us", "+2.790 ms". The caller owns it. */
char *culprit_difference_format (double ns);

/* Writes a probability: "0.023", "7.2e-06", "-" if it is NaN, "< 1e-9" for anything smaller. The caller owns it. */
char *culprit_p_format (double p);

/* The same in a sentence: "p = 0.023", "p < 1e-9". The caller owns it. */
char *culprit_p_in_words (double p);

/* Writes a number of things with its thousands apart: "3,000". The caller owns it. */
char *culprit_count_format (guint64 count);

/* The ending of a noun after the number @n: "" or "s". */
const char *culprit_plural (guint64 n);
