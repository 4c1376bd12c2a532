/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that holds runs against a base: above all tracing on against tracing off. */
#pragma once

#include "page.h"

GtkWidget *compare_page_new (CulpritDocument *document);

/* Its CulpritRulesButton. */
GtkWidget *compare_page_rules (GtkWidget *page);
