/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What most files of a part include, read once for all of them with -Dprecompiled=true. */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#if __has_include(<adwaita.h>)
#include <adwaita.h>
#endif
