/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers for each study what its recording form was set to. */
#pragma once

#include "record/record-form.h"

/* Sets @form to what it was for the study at @path, and remembers what it becomes. */
void form_memory_keep (RecordForm *form, const char *path);
