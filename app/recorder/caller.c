/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who asked. su tells nobody; the login that it was typed in is remembered by the audit system, and by logind in
 * the name of the control group. */
#include "caller.h"

#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define NOBODY UINT32_MAX /* as the kernel writes a login that never was */

/* The number that @text is; NOBODY where it is something else. */
static uint32_t
parse_uid (const char *text)
{
  char *end;
  unsigned long long uid = strtoull (text, &end, 10);

  return *text >= '0' && *text <= '9' && *end == '\0' && uid < NOBODY ? uid : NOBODY;
}

static uint32_t
find_login (void)
{
  FILE *file = fopen ("/proc/self/loginuid", "re");
  char text[256] = "";
  const char *slice = NULL;
  uint32_t uid = NOBODY;

  if (file && fgets (text, sizeof text, file))
    uid = parse_uid (text);
  if (file)
    fclose (file);
  file = uid == NOBODY ? fopen ("/proc/self/cgroup", "re") : NULL;
  while (file && !slice && fgets (text, sizeof text, file))
    slice = strstr (text, "/user-");
  if (slice && sscanf (slice, "/user-%u.slice", &uid) != 1)
    uid = NOBODY;
  if (file)
    fclose (file);
  return uid;
}

/* The user who asked; NULL if there is none of that number or name. */
static const struct passwd *
find_caller (void)
{
  static const struct passwd nameless = { .pw_name = "root", .pw_dir = "/" }; /* A board need not have /etc/passwd. */
  const char *number = getenv ("PKEXEC_UID") ? getenv ("PKEXEC_UID") : getenv ("SUDO_UID");
  const struct passwd *user;
  uint32_t uid;

  if (!number && getenv ("DOAS_USER"))
    return getpwnam (getenv ("DOAS_USER"));
  uid = number ? parse_uid (number) : find_login ();
  if (!number && uid == NOBODY)
    uid = getuid ();
  user = uid != NOBODY ? getpwuid (uid) : NULL;
  return !user && uid == 0 ? &nameless : user;
}

bool
caller_become (void)
{
  const struct passwd *user = find_caller ();

  if (!user)
    return false;
  if (user->pw_uid != getuid () &&
      (initgroups (user->pw_name, user->pw_gid) != 0 || setgid (user->pw_gid) != 0 || setuid (user->pw_uid) != 0))
    return false;
  if (access (".", X_OK) != 0 && chdir (user->pw_dir) != 0 && chdir ("/") != 0)
    return false;
  clearenv ();
  return setenv ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0 &&
         setenv ("HOME", user->pw_dir, 1) == 0 && setenv ("USER", user->pw_name, 1) == 0 &&
         setenv ("LOGNAME", user->pw_name, 1) == 0 && setenv ("SHELL", "/bin/sh", 1) == 0;
}
