/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up GSL and the locale. */
#include "numbers.h"

#include <gsl/gsl_errno.h>
#include <locale.h>

void
culprit_numbers_init (void)
{
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  gsl_set_error_handler_off ();
}
