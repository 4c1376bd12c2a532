/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as people write and read them. */
#pragma once

#include <glib.h>

/* Which times are shown. */
typedef enum
{
  CULPRIT_TIMES_UNTRACED, /* without the tracer's part */
  CULPRIT_TIMES_TRACED,   /* with it, as they were measured */
} CulpritTimes;

/* Reads a time with its unit: "250us", "5ms", "1.5s", "2m", "800ns". FALSE where @text is none, or is not positive. */
gboolean culprit_time_parse (const char *text, guint64 *time_ns);

/* Writes a time with the unit that suits it: "850 ns", "231.1 us", "2.790 ms", "1.250 s". The caller owns it. */
char *culprit_time_format (gint64 time_ns);

/* Likewise of a time that is somewhere in a range: "10.0 us to 20.0 us"; where both ends are the same, one of them. The
 * caller owns it. */
char *culprit_time_format_range (gint64 from_ns, gint64 to_ns);

/* Writes a part of a whole in per cent: "98.8 %". One that rounds to more than 100 % is "all": what it is a part of is
 * a sum that others, which were faster than usual, made smaller. The caller owns it. */
char *culprit_share_format (double share);

/* @value as it is to be shown with so many @decimals: 0, without a sign, where no other digit is left of it. */
double culprit_shown_number (double value, int decimals);

/* The same of one of which a hundredth of a per cent counts, as it may be small: "0.41 %". The caller owns it. */
char *culprit_small_part_format (double part);

/* Whether @share is written "all". */
gboolean culprit_share_is_all (double share);

/* Writes a difference of times with its sign, with a digit more than of other times since an interval may be narrow:
 * "+850 ns", "-2.31 us", "+2.790 ms". The caller owns it. */
char *culprit_difference_format (double ns);

/* Writes a probability: "0.023", "7.2e-06", "-" where it is NaN; smaller ones are all "< 1e-9". The caller owns it. */
char *culprit_p_format (double p);

/* The same in a sentence: "p = 0.023", "p < 1e-9". The caller owns it. */
char *culprit_p_in_words (double p);

/* What follows a noun of which there are @n: "" or "s". */
const char *culprit_plural (guint64 n);
