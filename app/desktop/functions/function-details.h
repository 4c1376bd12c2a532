/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The captures in which the selected function ran, and its cost there compared with ordinary wake-ups. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_FUNCTION_DETAILS (culprit_function_details_get_type ())
G_DECLARE_FINAL_TYPE (CulpritFunctionDetails, culprit_function_details, CULPRIT, FUNCTION_DETAILS, CulpritDocumentView)
