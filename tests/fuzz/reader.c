/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of captures with arbitrary bytes. */
#include "check-capture.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  check_capture (data, size);
  return 0;
}
