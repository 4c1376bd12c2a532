/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up GSL. */
#include "numbers.h"

#include <gsl/gsl_errno.h>

void
culprit_numbers_init (void)
{
  gsl_set_error_handler_off ();
}
