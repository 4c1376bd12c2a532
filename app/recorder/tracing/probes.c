/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where in a program's file a probe belongs: the kernel wants a distance from its beginning. The file is
 * anybody's. It is opened and read by a child with the rights of the requesting user, which hands over the open file;
 * the kernel is then told that one, not the path, under which there may be another by now.
 *
 * Read by hand, since a measured board has no library for it. */
#include "recorder-private.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_BYTES (256 << 20) /* of all tables: those of a small file may overlap */
#define MOST_PARTS 4096        /* segments, and the same of sections */
#define MOST_MATCHES 100       /* of the name: each is looked for in all segments */
#define PATIENCE_MS 20000
#define LOOK_MS 100
#define NOTE_NAME "stapsdt"
#define NOTE_TYPE 3
#define BASE_SECTION ".stapsdt.base"
#define EXCEPTIONS_SECTION ".gcc_except_table" /* of C++, Rust and others */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_HERE ELFDATA2LSB
#else
#define BYTE_ORDER_HERE ELFDATA2MSB
#endif

/* What the child says. */
typedef struct
{
  char problem[400]; /* empty: it was found */
  ProbePlace place;  /* without the file */
} Answer;

typedef struct
{
  uint32_t type;
  uint32_t flags;
  uint64_t address;
  uint64_t offset;
  uint64_t size;
  uint32_t name; /* of a section, as the next */
  uint32_t link;
} Part;

typedef struct
{
  const Probe *probe;
  Answer *answer;
  int fd;
  uid_t owner;
  uint64_t size;
  uint64_t left; /* of MOST_BYTES */
  int matches;
  bool wide; /* of 64 bits */
  bool arm;
  Part *segments;
  Part *sections;
  int n_segments;
  int n_sections;
  char *names; /* of sections, with an end; NULL: none */
  uint64_t names_size;
} Program;

/* Returns false. */
static bool __attribute__ ((format (printf, 2, 3))) refuse (Answer *answer, const char *text, ...)
{
  va_list arguments;

  va_start (arguments, text);
  vsnprintf (answer->problem, sizeof answer->problem, text, arguments);
  va_end (arguments);
  return false;
}

/* A field of what is at @at, by its name in elf.h. */
#define FIELD(program, kind, at, field)                                                                                \
  ((program)->wide ? ((const Elf64_##kind *) (at))->field : ((const Elf32_##kind *) (at))->field)
#define SIZE(program, kind) ((program)->wide ? sizeof (Elf64_##kind) : sizeof (Elf32_##kind))

/* The @size bytes at @offset of the file, with a zero behind them; NULL: it has not so many, or too much was loaded.
 * The caller frees them. */
static char *
load (Program *program, uint64_t offset, uint64_t size)
{
  bool there = size <= program->left && offset <= program->size && size <= program->size - offset;
  char *bytes = there ? malloc (size + 1) : NULL;
  uint64_t done = 0;

  program->left -= bytes ? size : 0;
  while (bytes && done < size)
    {
      ssize_t got = pread (program->fd, bytes + done, size - done, (off_t) (offset + done));

      if (got <= 0)
        break;
      done += got;
    }
  if (bytes && done == size)
    {
      bytes[size] = '\0';
      return bytes;
    }
  free (bytes);
  return NULL;
}

static bool
read_segments (Program *program, const char *header)
{
  int n = FIELD (program, Ehdr, header, e_phnum);
  size_t size = SIZE (program, Phdr);
  char *bytes = n <= MOST_PARTS && FIELD (program, Ehdr, header, e_phentsize) == size
                    ? load (program, FIELD (program, Ehdr, header, e_phoff), n * size)
                    : NULL;

  program->segments = bytes ? calloc (n + 1, sizeof (Part)) : NULL;
  for (int i = 0; program->segments && i < n; i++)
    {
      const char *at = bytes + i * size;

      program->segments[program->n_segments++] = (Part) { .type = FIELD (program, Phdr, at, p_type),
                                                          .flags = FIELD (program, Phdr, at, p_flags),
                                                          .address = FIELD (program, Phdr, at, p_vaddr),
                                                          .offset = FIELD (program, Phdr, at, p_offset),
                                                          .size = FIELD (program, Phdr, at, p_filesz) };
    }
  free (bytes);
  return program->segments;
}

static bool
read_sections (Program *program, const char *header)
{
  int n = FIELD (program, Ehdr, header, e_shnum);
  int names = FIELD (program, Ehdr, header, e_shstrndx);
  size_t size = SIZE (program, Shdr);
  char *bytes = n > 0 && n <= MOST_PARTS && FIELD (program, Ehdr, header, e_shentsize) == size
                    ? load (program, FIELD (program, Ehdr, header, e_shoff), n * size)
                    : NULL;

  program->sections = bytes ? calloc (n, sizeof (Part)) : NULL;
  for (int i = 0; program->sections && i < n; i++)
    {
      const char *at = bytes + i * size;

      program->sections[program->n_sections++] = (Part) { .type = FIELD (program, Shdr, at, sh_type),
                                                          .address = FIELD (program, Shdr, at, sh_addr),
                                                          .offset = FIELD (program, Shdr, at, sh_offset),
                                                          .size = FIELD (program, Shdr, at, sh_size),
                                                          .name = FIELD (program, Shdr, at, sh_name),
                                                          .link = FIELD (program, Shdr, at, sh_link) };
    }
  free (bytes);
  if (names < program->n_sections)
    {
      program->names_size = program->sections[names].size;
      program->names = load (program, program->sections[names].offset, program->names_size);
    }
  return program->sections;
}

/* NULL: there is none. */
static const Part *
find_section (const Program *program, const char *name)
{
  for (int i = 0; i < program->n_sections; i++)
    if (program->names && program->sections[i].name < program->names_size &&
        strcmp (program->names + program->sections[i].name, name) == 0)
      return &program->sections[i];
  return NULL;
}

static bool
read_program (Program *program)
{
  const char *binary = program->probe->binary;
  Elf64_Ehdr header;
  bool long_enough;

  memset (&header, 0, sizeof header);
  long_enough = pread (program->fd, &header, sizeof header, 0) >= (ssize_t) sizeof (Elf32_Ehdr);
  if (!long_enough || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0)
    return refuse (program->answer, "\"%s\" is no program or library: it is not in the format ELF", binary);
  program->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
  program->arm = header.e_machine == EM_ARM;
  if ((!program->wide && header.e_ident[EI_CLASS] != ELFCLASS32) || header.e_ident[EI_DATA] != BYTE_ORDER_HERE)
    return refuse (program->answer, "\"%s\" is for another kind of processor", binary);
  if (!read_segments (program, (const char *) &header))
    return refuse (program->answer, "\"%s\" is damaged: its segments cannot be read", binary);
  return read_sections (program, (const char *) &header) ||
         refuse (program->answer, "\"%s\" has no sections that could tell where its functions are", binary);
}

/* Where in the file the byte is that lies at @address in memory. False: nowhere, or not with those @flags. */
static bool
find_offset (const Program *program, uint64_t address, uint32_t flags, uint64_t *offset)
{
  for (int i = 0; i < program->n_segments; i++)
    {
      const Part *segment = &program->segments[i];

      if (segment->type != PT_LOAD || (segment->flags & flags) != flags || address < segment->address ||
          address - segment->address >= segment->size || segment->offset >= program->size ||
          address - segment->address >= program->size - segment->offset)
        continue;
      *offset = segment->offset + (address - segment->address);
      return true;
    }
  return false;
}

static bool
count_match (Program *program)
{
  return ++program->matches <= MOST_MATCHES || refuse (program->answer, "\"%s\" has %s too often: more than %d times",
                                                       program->probe->binary, program->probe->name, MOST_MATCHES);
}

/* Adds the site, unless it is there already. */
static bool
add_site (const Program *program, uint64_t offset, uint64_t semaphore)
{
  ProbePlace *place = &program->answer->place;

  for (int i = 0; i < place->n; i++)
    if (place->sites[i].offset == offset)
      return true;
  if (place->n == MOST_SITES)
    return refuse (program->answer, "\"%s\" has %s in more than %d places", program->probe->binary,
                   program->probe->name, MOST_SITES);
  place->sites[place->n++] = (ProbeSite) { offset, semaphore };
  return true;
}

/* Adds the functions of a table of symbols that have the name. */
static bool
add_functions (Program *program, const Part *table)
{
  const Part *of_names = table->link < (uint32_t) program->n_sections ? &program->sections[table->link] : NULL;
  size_t size = SIZE (program, Sym);
  char *names = of_names ? load (program, of_names->offset, of_names->size) : NULL;
  char *symbols = names ? load (program, table->offset, table->size) : NULL;
  bool good = true;

  for (uint64_t i = 0; symbols && good && i < table->size / size; i++)
    {
      const char *at = symbols + i * size;
      int type = ELF64_ST_TYPE (FIELD (program, Sym, at, st_info)); /* The same for 32 bits. */
      uint64_t address = FIELD (program, Sym, at, st_value);
      uint32_t name = FIELD (program, Sym, at, st_name);
      uint64_t offset;

      if (type != STT_FUNC || FIELD (program, Sym, at, st_shndx) == SHN_UNDEF || name >= of_names->size ||
          strcmp (names + name, program->probe->name) != 0)
        continue;
      if (!count_match (program))
        good = false;
      else if (program->arm && address & 1)
        good = refuse (program->answer, "%s of \"%s\" is Thumb code, in which the kernel makes no probes",
                       program->probe->name, program->probe->binary);
      else if (find_offset (program, address, PF_X, &offset))
        good = add_site (program, offset, 0);
    }
  free (symbols);
  free (names);
  return good;
}

/* Whether the return of the function may be probed. The kernel then has it return to a place of its own, on which a
 * program ends that leaves the function or moves its stack in other ways. */
static bool
may_probe_return (Program *program)
{
  static const char *const jumps[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "vfork" };
  const char *binary = program->probe->binary;
  const char *name = program->probe->name;

  if (getuid () != 0 && program->owner != getuid ())
    return refuse (program->answer,
                   "\"%s\" belongs to somebody else, whose program could end by a probe with %s; run and probe a copy",
                   binary, PROBE_RETURN);
  if (find_section (program, ".go.buildinfo") || find_section (program, ".note.go.buildid"))
    return refuse (program->answer, "\"%s\" is a Go program, which would end by a probe with %s", binary, PROBE_RETURN);
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
    if (strcmp (name, jumps[i]) == 0)
      return refuse (program->answer, "\"%s\" would end by a probe of %s%s", binary, name, PROBE_RETURN);
  program->answer->place.throws = find_section (program, EXCEPTIONS_SECTION);
  return true;
}

static bool
find_function (Program *program)
{
  const char *binary = program->probe->binary;
  const char *name = program->probe->name;
  bool stripped = true;

  if (program->probe->returns && !may_probe_return (program))
    return false;
  for (int i = 0; i < program->n_sections; i++)
    {
      stripped &= program->sections[i].type != SHT_SYMTAB;
      if ((program->sections[i].type == SHT_SYMTAB || program->sections[i].type == SHT_DYNSYM) &&
          !add_functions (program, &program->sections[i]))
        return false;
    }
  if (program->answer->place.n > 1)
    return refuse (program->answer, "\"%s\" has %d functions called %s", binary, program->answer->place.n, name);
  if (program->answer->place.n == 0 && stripped)
    return refuse (program->answer, "\"%s\" does not export a function %s, and is stripped of the names of others",
                   binary, name);
  return program->answer->place.n == 1 ||
         refuse (program->answer, "\"%s\" has no function %s; nm lists those it has; one that was inlined is none",
                 binary, name);
}

static uint64_t
read_address (const Program *program, const char *at)
{
  uint64_t wide;
  uint32_t narrow;

  memcpy (&wide, at, program->wide ? sizeof wide : 0);
  memcpy (&narrow, at, sizeof narrow);
  return program->wide ? wide : narrow;
}

/* How much further everything lies than when the notes were written, @base being then where BASE_SECTION was. */
static uint64_t
find_shift (const Program *program, uint64_t base)
{
  const Part *section = find_section (program, BASE_SECTION);

  return section ? section->address - base : 0;
}

/* Whether at @at, with @left bytes, there is @text with its end. */
static bool
is_text (const char *at, size_t left, const char *text)
{
  return strlen (text) < left && memcmp (at, text, strlen (text) + 1) == 0;
}

/* Adds the site that a note's @size bytes describe, if it is one of the probe: three addresses, then three texts. */
static bool
add_marked (Program *program, const char *note, size_t size)
{
  size_t width = program->wide ? 8 : 4;
  const char *provider = note + 3 * width;
  const char *name = provider + strlen (program->probe->provider) + 1;
  uint64_t shift;
  uint64_t offset;
  uint64_t semaphore;

  if (size < 3 * width || !is_text (provider, size - 3 * width, program->probe->provider) ||
      !is_text (name, size - (name - note), program->probe->name))
    return true;
  if (!count_match (program))
    return false;
  shift = find_shift (program, read_address (program, note + width));
  semaphore = read_address (program, note + 2 * width);
  if (!find_offset (program, read_address (program, note) + shift, PF_X, &offset) ||
      (semaphore != 0 && !find_offset (program, semaphore + shift, PF_W, &semaphore)))
    return refuse (program->answer, "\"%s\" is damaged: its probe %s:%s lies outside of it", program->probe->binary,
                   program->probe->provider, program->probe->name);
  return add_site (program, offset, semaphore);
}

static bool
add_notes (Program *program, const Part *section)
{
  char *notes = load (program, section->offset, section->size);
  uint64_t left = section->size;
  bool good = true;

  for (const char *at = notes; at && good && left >= sizeof (Elf32_Nhdr);)
    {
      Elf32_Nhdr header; /* It is the same for 64 bits. */
      uint64_t name;
      uint64_t length;

      memcpy (&header, at, sizeof header);
      name = ((uint64_t) header.n_namesz + 3) & ~3ull;
      length = sizeof header + name + (((uint64_t) header.n_descsz + 3) & ~3ull);
      if (length > left)
        break;
      if (header.n_type == NOTE_TYPE && header.n_namesz == sizeof NOTE_NAME &&
          memcmp (at + sizeof header, NOTE_NAME, sizeof NOTE_NAME) == 0)
        good = add_marked (program, at + sizeof header + name, header.n_descsz);
      at += length;
      left -= length;
    }
  free (notes);
  return good;
}

static bool
find_marked (Program *program)
{
  for (int i = 0; i < program->n_sections; i++)
    if (program->sections[i].type == SHT_NOTE && !add_notes (program, &program->sections[i]))
      return false;
  return program->answer->place.n > 0 ||
         refuse (program->answer, "\"%s\" has no probe %s:%s; readelf -n lists those it has", program->probe->binary,
                 program->probe->provider, program->probe->name);
}

/* Finds the file without opening it. Without a folder it is a program, where these are. */
static int
find_binary (const char *binary)
{
  char folders[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  char path[sizeof folders + sizeof ((Probe *) 0)->binary];
  int place = -1;

  if (strchr (binary, '/'))
    return open (binary, O_PATH | O_CLOEXEC);
  for (char *folder = strtok (folders, ":"); folder && place < 0; folder = strtok (NULL, ":"))
    {
      snprintf (path, sizeof path, "%s/%s", folder, binary);
      place = open (path, O_PATH | O_CLOEXEC);
    }
  return place;
}

/* Whether the file lies where only an administrator can keep the kernel waiting for it: neither in a file system of a
 * process, nor in a mount of another namespace, which may be above such a one. Asks no file system that tells its
 * mount. */
static bool
is_reliable (int place)
{
  struct statx information = { 0 };
  struct statfs system;
  FILE *mounts;
  char *line = NULL;
  size_t size = 0;
  bool reliable = false;

  if (statx (place, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &information) != 0)
    return false;
  if (!(information.stx_mask & STATX_MNT_ID)) /* as before Linux 5.8 */
    return fstatfs (place, &system) == 0 && system.f_type != FUSE_SUPER_MAGIC;
  mounts = fopen ("/proc/self/mountinfo", "re");
  while (mounts && getline (&line, &size, mounts) > 0)
    if (strtoull (line, NULL, 10) == information.stx_mnt_id)
      reliable = !strstr (line, " - fuse"); /* Spaces in paths are written as \040. */
  free (line);
  if (mounts)
    fclose (mounts);
  return reliable;
}

/* Opens the file at @place, if that may be and makes nobody wait; a device might act on it. */
static bool
open_program (Program *program, int place)
{
  const char *binary = program->probe->binary;
  struct stat information;
  char itself[40];

  if (!is_reliable (place))
    return refuse (program->answer,
                   "\"%s\" is in a file system that a process provides, or in another mount namespace; copy it",
                   binary);
  if (fstat (place, &information) != 0 || !S_ISREG (information.st_mode))
    return refuse (program->answer, "\"%s\" is no file", binary);
  program->owner = information.st_uid;
  program->size = information.st_size;
  snprintf (itself, sizeof itself, "/proc/self/fd/%d", place);
  program->fd = open (itself, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return program->fd >= 0 || refuse (program->answer, "\"%s\" cannot be read: %s", binary, strerror (errno));
}

static void
find (const Probe *probe, Answer *answer, int *fd)
{
  Program program = { .probe = probe, .answer = answer, .fd = -1, .left = MOST_BYTES };
  char folder[200] = "?";
  int place = find_binary (probe->binary);

  if (place < 0 && strchr (probe->binary, '/') && *probe->binary != '/')
    refuse (answer, "\"%s\" cannot be read in %s: %s", probe->binary, getcwd (folder, sizeof folder) ? folder : "?",
            strerror (errno));
  else if (place < 0)
    refuse (answer, "\"%s\" cannot be read: %s", probe->binary, strerror (errno));
  else if (open_program (&program, place) && read_program (&program) &&
           (*probe->provider ? find_marked (&program) : find_function (&program)))
    *answer->problem = '\0';
  *fd = program.fd;
}

/* Sends or receives the answer, and with it the file unless that is negative. */
static bool
pass (int talk, Answer *answer, int *fd, bool receives)
{
  union
  {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct iovec part = { answer, sizeof *answer };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = receives || *fd >= 0 ? sizeof control.bytes : 0 };

  control.header = (struct cmsghdr) { CMSG_LEN (sizeof (int)), SOL_SOCKET, SCM_RIGHTS };
  memcpy (CMSG_DATA (&control.header), fd, sizeof *fd);
  if (!receives)
    return sendmsg (talk, &message, MSG_NOSIGNAL) == (ssize_t) sizeof *answer;
  if (recvmsg (talk, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != (ssize_t) sizeof *answer)
    return false;
  *fd = -1;
  if (message.msg_controllen >= sizeof control.bytes)
    memcpy (fd, CMSG_DATA (&control.header), sizeof *fd);
  answer->problem[sizeof answer->problem - 1] = '\0';
  return answer->place.n >= 0 && answer->place.n <= MOST_SITES;
}

/* In the child: becomes the user, keeps nothing of ours, and answers. */
static void
serve (pid_t parent, int talk, const Probe *probe, Rescue *rescue)
{
  Answer answer = { .problem = "the requesting user is not known here" };
  bool returned;
  int fd = -1;

  munmap (rescue, sizeof *rescue);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    dup2 (talk, stream);
  talk = STDERR_FILENO;
  start_close_files_but_groups (); /* as in load_run() */
  lifeline_hold (parent, SIGKILL);
  returned = group_return ();
  start_close_files ();
  start_restore_inherited ();
  if (returned && caller_become ())
    {
      lifeline_hold (parent, SIGKILL);
      find (probe, &answer, &fd);
    }
  pass (talk, &answer, &fd, false);
  _exit (0);
}

bool
probe_find (const Probe *probe, Rescue *rescue, ProbePlace *place)
{
  pid_t parent = getpid ();
  Answer answer = { .problem = "" };
  int talk[2];
  pid_t child;
  bool heard = false;
  int fd = -1;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) != 0)
    return fail ("\"%s\" cannot be looked at: %s", probe->binary, strerror (errno));
  child = fork ();
  if (child == 0)
    serve (parent, talk[1], probe, rescue);
  close (talk[1]);
  for (int ms = 0; child > 0 && !heard && ms < PATIENCE_MS && !control_stopped (); ms += LOOK_MS)
    heard = control_wait (talk[0], LOOK_MS);
  heard = heard && pass (talk[0], &answer, &fd, true);
  close (talk[0]);
  if (child > 0)
    kill (child, SIGKILL); /* One that waits for a slow file is reaped at the end, if not now. */
  waitpid (child, NULL, heard ? 0 : WNOHANG);
  *place = answer.place;
  place->fd = fd;
  if (heard && !*answer.problem && fd >= 0)
    {
      if (place->throws)
        reply_note ("\"%s\" has exceptions: one that leaves %s ends the program while its return is probed",
                    probe->binary, probe->name);
      return true;
    }
  return heard ? fail ("%s", answer.problem)
               : fail ("\"%s\" cannot be looked at: reading it takes too long, or fails", probe->binary);
}
