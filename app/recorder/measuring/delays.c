/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gets a thread's taskstats from the kernel, over generic netlink: two requests, the first for the family's number. */
#include "recorder-private.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ANSWER_SIZE 4096
#define PATIENCE_S 1

/* In Linux 6.14: it has members in the middle that version 16 moved to the end. */
#define VERSION_OUT_OF_ORDER 15

/* A request or a reply. */
typedef struct
{
  struct nlmsghdr header;
  struct genlmsghdr generic;
  char attributes[ANSWER_SIZE];
} Message;

/* Sends @command of @family with one attribute, and receives the reply. Returns the size of its attributes; -1: there
 * is none. */
static ssize_t
ask (int fd, uint16_t family, uint8_t command, uint16_t type, const void *value, size_t size, Message *answer)
{
  Message question = { .header = { .nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST },
                       .generic = { .cmd = command, .version = 1 } };
  struct nlattr attribute = { .nla_len = NLA_HDRLEN + size, .nla_type = type };
  ssize_t got;

  memcpy (question.attributes, &attribute, sizeof attribute);
  memcpy (question.attributes + NLA_HDRLEN, value, size);
  question.header.nlmsg_len = NLMSG_LENGTH (GENL_HDRLEN) + NLA_ALIGN (attribute.nla_len);
  if (send (fd, &question, question.header.nlmsg_len, 0) < 0)
    return -1;
  got = recv (fd, answer, sizeof *answer, 0);
  if (got < (ssize_t) offsetof (Message, attributes) || answer->header.nlmsg_type == NLMSG_ERROR ||
      answer->header.nlmsg_len > got)
    return -1;
  return answer->header.nlmsg_len - offsetof (Message, attributes);
}

/* The value of the attribute @type in @size bytes of attributes; NULL if there is none. */
static const char *
find_attribute (const char *attributes, ssize_t size, uint16_t type, size_t *value_size)
{
  while (size >= NLA_HDRLEN)
    {
      struct nlattr attribute;
      ssize_t whole;

      memcpy (&attribute, attributes, sizeof attribute);
      if (attribute.nla_len < NLA_HDRLEN || attribute.nla_len > size)
        return NULL;
      *value_size = attribute.nla_len - NLA_HDRLEN;
      if ((attribute.nla_type & NLA_TYPE_MASK) == type)
        return attributes + NLA_HDRLEN;
      whole = NLA_ALIGN (attribute.nla_len);
      attributes += whole;
      size -= whole;
    }
  return NULL;
}

/* The number of the family taskstats; 0 if the kernel has none. */
static uint16_t
find_family (int fd)
{
  Message answer;
  size_t size;
  ssize_t all = ask (fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME,
                     sizeof TASKSTATS_GENL_NAME, &answer);
  const char *value = find_attribute (answer.attributes, all, CTRL_ATTR_FAMILY_ID, &size);
  uint16_t family = 0;

  if (value && size >= sizeof family)
    memcpy (&family, value, sizeof family);
  return family;
}

/* Fills in the structure as far as received; that of an older kernel is shorter, and the rest stays 0. False if the
 * members have another layout. */
static bool
read_stats (int fd, uint16_t family, pid_t tid, struct taskstats *stats)
{
  uint32_t wanted = tid;
  Message answer;
  size_t size;
  ssize_t all = ask (fd, family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &wanted, sizeof wanted, &answer);
  const char *value = find_attribute (answer.attributes, all, TASKSTATS_TYPE_AGGR_PID, &size);

  value = value ? find_attribute (value, size, TASKSTATS_TYPE_STATS, &size) : NULL;
  if (!value)
    return false;
  memcpy (stats, value, size < sizeof *stats ? size : sizeof *stats);
  return stats->version != VERSION_OUT_OF_ORDER;
}

Delays
delays_of_thread (pid_t tid)
{
  const struct timeval patience = { .tv_sec = PATIENCE_S };
  struct taskstats stats = { 0 };
  Delays delays = { 0 };
  uint16_t family;
  int fd = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

  if (fd < 0)
    return delays;
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  family = find_family (fd);
  if (family != 0 && read_stats (fd, family, tid, &stats))
    delays = (Delays) { .known = true,
                        .of = { { stats.cpu_count, stats.cpu_delay_total },
                                { stats.blkio_count, stats.blkio_delay_total },
                                { stats.swapin_count, stats.swapin_delay_total },
                                { stats.freepages_count, stats.freepages_delay_total },
                                { stats.thrashing_count, stats.thrashing_delay_total } } };
  close (fd);
  return delays;
}

void
delays_add (Delays *sum, const Delays *more)
{
  sum->known = sum->known && more->known;
  for (int i = 0; i < DELAY_KINDS; i++)
    {
      sum->of[i].count += more->of[i].count;
      sum->of[i].ns += more->of[i].ns;
    }
}

void
delays_reply (const Delays *delays)
{
  static const char *const names[DELAY_KINDS] = { "cpu", "block_io", "swap_in", "reclaim", "thrashing" };

  if (!delays->known)
    {
      reply_text ("delays", NULL);
      return;
    }
  reply_open ("delays", '{');
  for (int i = 0; i < DELAY_KINDS; i++)
    {
      reply_open (names[i], '{');
      reply_int ("count", delays->of[i].count);
      reply_int ("ns", delays->of[i].ns);
      reply_close ('{');
    }
  reply_close ('{');
}
