/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page about many machines: causes by host, when they were seen, what is new. Its property "filled": the study has
 * results of a fleet. */
#pragma once

#include "page.h"

#define FLEET_TYPE_PAGE (fleet_page_get_type ())
G_DECLARE_FINAL_TYPE (FleetPage, fleet_page, FLEET, PAGE, CulpritPage)
