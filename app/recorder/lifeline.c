/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lifeline.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

void
lifeline_hold (pid_t parent, int number)
{
  prctl (PR_SET_PDEATHSIG, number);
  if (getppid () != parent)
    _exit (EXIT_FAILURE);
}
