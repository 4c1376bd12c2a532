/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a recording, most recent entry last. Activating a capture shows it on the Outliers page. */
#pragma once

#include "record/message.h"

#include <gtk/gtk.h>

typedef enum
{
  LOG_PLAIN,
  LOG_WARNING,
  LOG_ERROR,
} LogKind;

/* An empty log, which scrolls. */
GtkWidget *live_log_new (void);

void live_log_clear (GtkWidget *log);

/* Tells @text. */
void live_log_say (GtkWidget *log, LogKind kind, const char *text);

/* Tells what a message of the recorder means, where it means something to people. */
void live_log_take (GtkWidget *log, const CulpritMessage *message);
