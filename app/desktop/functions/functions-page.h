/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of functions across all captures, sorted by how strongly their cost varies with the latency. */
#pragma once

#include "page.h"

#define FUNCTIONS_TYPE_PAGE (functions_page_get_type ())

G_DECLARE_FINAL_TYPE (FunctionsPage, functions_page, FUNCTIONS, PAGE, CulpritPage)
