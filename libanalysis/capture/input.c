/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file, hashes it block by block, and tells which file it is and whether it stayed the same meanwhile. Each
 * block is hashed by the first thread that has it. */
#include "input-private.h"

#include "budgets.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

G_DEFINE_QUARK (culprit - capture - error, culprit_capture_error)

gboolean
capture_damaged (const char *path, GError **error, const char *what, ...)
{
  g_autofree char *detail = NULL;
  va_list arguments;

  va_start (arguments, what);
  detail = g_strdup_vprintf (what, arguments);
  va_end (arguments);
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DAMAGED,
               "%s: damaged or cut short (%s); copy or extract the capture again", path, detail);
  return FALSE;
}

/* Reads the @size bytes at @offset of the file @fd, or as many as there are. Returns how many; -1: see errno. */
static gssize
read_at (int fd, guint8 *data, gsize size, guint64 offset)
{
  gsize have = 0;

  while (have < size)
    {
      gssize got = pread (fd, data + have, size - have, offset + have);

      if (got < 0 && errno != EINTR)
        return -1;
      if (got == 0)
        break;
      have += MAX (got, 0);
    }
  return have;
}

#define SETTLED_US 2000000 /* A later write is sure to change the modification time, on every file system. */

static gsize
block_size (const Input *input, guint64 block)
{
  return MIN (DIGEST_BLOCK, input->size - block * DIGEST_BLOCK);
}

/* Hashes the blocks that lie completely in the @size bytes at @offset, which were read as @data. */
static void
hash_blocks (const Input *input, const guint8 *data, guint64 offset, guint64 size)
{
  guint64 block = (offset + DIGEST_BLOCK - 1) / DIGEST_BLOCK;

  for (; block < input->n_blocks; block++)
    {
      guint64 skipped = block * DIGEST_BLOCK - offset;

      if (skipped + block_size (input, block) > size)
        return;
      if (g_atomic_int_compare_and_exchange (&input->hashed[block], 0, 1))
        XXH128_canonicalFromHash (&input->hashes[block], XXH3_128bits (data + skipped, block_size (input, block)));
    }
}

/* How many of the file's bytes are holes, which take no room on the disk. A file system that compresses has none of
 * them for data; one that cannot tell says that all is data. */
static guint64
count_holes (const Input *input)
{
  guint64 holes = 0;
  off_t hole = 0;
  off_t data;

  while ((guint64) (hole = lseek (input->fd, hole, SEEK_HOLE)) < input->size)
    {
      data = lseek (input->fd, hole, SEEK_DATA);
      if (data < 0 || (guint64) data > input->size) /* None follows, or the file has grown since. */
        data = input->size;
      holes += data - hole;
      hole = data;
    }
  return holes;
}

static gboolean
check_holes (const Input *input, GError **error)
{
  guint64 holes = count_holes (input);

  if (holes <= (input->size - holes) * HOLES_PER_BYTE + HOLES_ALLOWANCE)
    return TRUE;
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DAMAGED,
               "%s: sparse (%" G_GUINT64_FORMAT " MB of it are holes); copy the capture whole, e.g. with "
               "cp --sparse=never",
               input->path, holes >> 20);
  return FALSE;
}

Input *
input_open (const char *path, GError **error)
{
  g_autoptr (Input) input = g_new0 (Input, 1);

  input->path = g_strdup (path);
  input->fd = culprit_open_regular (path, &input->status);
  if (input->fd < 0)
    {
      if (errno == EINVAL)
        g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                     "%s: not a regular file; expected a capture saved by trace-cmd or culprit", path);
      else
        g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: cannot be opened: %s", path,
                     g_strerror (errno));
      return NULL;
    }
  input->size = input->status.st_size;
  return check_holes (input, error) ? g_steal_pointer (&input) : NULL;
}

void
input_free (Input *input)
{
  if (input->fd >= 0)
    close (input->fd);
  g_free (input->path);
  g_free (input->hashes);
  g_free (input->hashed);
  g_free (input);
}

gboolean
input_has (const Input *input, guint64 offset, guint64 size, GError **error)
{
  if (offset <= input->size && size <= input->size - offset)
    return TRUE;
  return capture_damaged (input->path, error, "%" G_GUINT64_FORMAT " bytes are needed at %" G_GUINT64_FORMAT, size,
                          offset);
}

gboolean
input_read_into (const Input *input, guint8 *data, guint64 offset, guint64 size, GError **error)
{
  gssize got;

  if (!input_has (input, offset, size, error))
    return FALSE;
  got = read_at (input->fd, data, size, offset);
  if (got < 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: cannot be read: %s", input->path,
                   g_strerror (errno));
      return FALSE;
    }
  if ((guint64) got < size)
    return capture_damaged (input->path, error, "it became shorter while being read");
  hash_blocks (input, data, offset, size);
  return TRUE;
}

/* Whether @allocated is there; an error if not. */
static gboolean
has_memory (const Input *input, gconstpointer allocated, GError **error)
{
  if (!allocated)
    g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: not enough memory", input->path);
  return allocated != NULL;
}

guint8 *
input_read_at (const Input *input, guint64 offset, guint64 size, GError **error)
{
  g_autofree guint8 *data = NULL;

  if (!input_has (input, offset, size, error))
    return NULL;
  data = g_try_malloc (size + 1);
  if (!has_memory (input, data, error) || !input_read_into (input, data, offset, size, error))
    return NULL;
  data[size] = 0;
  return g_steal_pointer (&data);
}

gboolean
input_begin_digest (Input *input, GError **error)
{
  input->n_blocks = (input->size + DIGEST_BLOCK - 1) / DIGEST_BLOCK;
  input->hashes = g_try_new0 (XXH128_canonical_t, input->n_blocks + 1);
  input->hashed = g_try_new0 (gint, input->n_blocks + 1);
  return has_memory (input, input->hashes, error) && has_memory (input, input->hashed, error);
}

static char *
hexadecimal (const guint8 *bytes, gsize size, const char *kind)
{
  GString *text = g_string_sized_new (64);

  for (gsize i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  g_string_append (text, kind);
  return g_string_free (text, FALSE);
}

/* The digest, for which it reads the blocks that were not read yet. The caller owns the text. NULL with an error. */
static char *
finish_digest (const Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *data = g_malloc (DIGEST_BLOCK);
  XXH128_canonical_t whole;

  for (guint64 block = 0; block < input->n_blocks; block++)
    if (!g_atomic_int_get (&input->hashed[block]) &&
        (g_cancellable_set_error_if_cancelled (cancellable, error) ||
         !input_read_into (input, data, block * DIGEST_BLOCK, block_size (input, block), error)))
      return NULL;
  XXH128_canonicalFromHash (&whole, XXH3_128bits (input->hashes, input->n_blocks * sizeof *input->hashes));
  return hexadecimal (whole.digest, sizeof whole.digest, CULPRIT_DIGEST_KIND);
}

/* The SHA-256, likewise. Uses libcrypto, which uses the processor's own instructions: 1.7 GB/s, instead of 0.2 with
 * GChecksum. */
static char *
digest_sha256 (const Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *data = g_malloc (DIGEST_BLOCK);
  EVP_MD_CTX *context = EVP_MD_CTX_new ();
  guint8 digest[EVP_MAX_MD_SIZE];
  guint size = 0;
  gboolean good = TRUE;

  EVP_DigestInit_ex (context, EVP_sha256 (), NULL);
  for (guint64 offset = 0; good && offset < input->size; offset += DIGEST_BLOCK)
    {
      gsize n = MIN (DIGEST_BLOCK, input->size - offset);

      good =
          !g_cancellable_set_error_if_cancelled (cancellable, error) && input_read_into (input, data, offset, n, error);
      EVP_DigestUpdate (context, data, good ? n : 0);
    }
  EVP_DigestFinal_ex (context, digest, &size);
  EVP_MD_CTX_free (context);
  return good ? hexadecimal (digest, size, "") : NULL;
}

static gint64
time_ns (struct timespec time)
{
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

CulpritFileIdentity
input_identity (const Input *input)
{
  CulpritFileIdentity identity = { input->status.st_dev, input->status.st_ino, input->size, 0 };
  gint64 changed_ns = time_ns (input->status.st_ctim);
  struct stat now;

  if (fstat (input->fd, &now) == 0 && time_ns (now.st_ctim) == changed_ns &&
      changed_ns / 1000 < g_get_real_time () - SETTLED_US)
    identity.changed_ns = changed_ns;
  return identity;
}

/* Whether the file is unchanged since it was opened, as far as the system can tell. */
static gboolean
check_unchanged (const Input *input, GError **error)
{
  struct stat status;

  if (fstat (input->fd, &status) == 0 && (guint64) status.st_size == input->size &&
      time_ns (status.st_mtim) == time_ns (input->status.st_mtim))
    return TRUE;
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN,
               "%s: it was changed while being read; try again when it is complete", input->path);
  return FALSE;
}

gboolean
input_digest (const Input *input,
              GHashTable *sha256_sizes,
              GCancellable *cancellable,
              char **digest,
              char **sha256,
              GError **error)
{
  gboolean known_otherwise = sha256_sizes && g_hash_table_contains (sha256_sizes, GSIZE_TO_POINTER (input->size));

  *digest = finish_digest (input, cancellable, error);
  *sha256 = *digest && known_otherwise ? digest_sha256 (input, cancellable, error) : NULL;
  return *digest && (*sha256 || !known_otherwise) && check_unchanged (input, error);
}

char *
culprit_digest_like (const char *digest, const char *path, GError **error)
{
  g_autoptr (Input) input = input_open (path, error);

  if (!input)
    return NULL;
  if (!g_str_has_suffix (digest, CULPRIT_DIGEST_KIND))
    return digest_sha256 (input, NULL, error);
  return input_begin_digest (input, error) ? finish_digest (input, NULL, error) : NULL;
}
