/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that compares runs with a baseline, above all tracing on with tracing off. */
#pragma once

#include "compare/rules-button.h"
#include "page.h"

#define COMPARE_TYPE_PAGE (compare_page_get_type ())

G_DECLARE_FINAL_TYPE (ComparePage, compare_page, COMPARE, PAGE, CulpritPage)

CulpritRulesButton *compare_page_rules (ComparePage *page);
