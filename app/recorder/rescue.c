/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restores everything. The journal is removed last, so that a rescue that is killed can be repeated. */
#include "rescue.h"

#include "journal.h"
#include "load.h"

const char *
rescue_all (Rescue *rescue)
{
  bool changed = atomic_load (&rescue->tracing.changed);
  const char *failed = tracing_restore (&rescue->tracing);

  load_end (rescue->load);
  rescue->load = 0;
  capture_remove_folder (rescue->folder);
  if (changed)
    journal_remove ();
  return failed;
}
