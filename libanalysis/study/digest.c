/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes a file in large pieces. */
#include "digest-private.h"
#include "study.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#define PIECE (128 * 1024)

static gboolean
digest_pieces (int fd, EVP_MD_CTX *context, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE);

  for (;;)
    {
      gssize got = read (fd, piece, PIECE);

      if (got < 0 && errno == EINTR)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (got < 0)
        g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      if (got <= 0)
        return got == 0;
      EVP_DigestUpdate (context, piece, got);
    }
}

char *
digest_file (const char *path, GCancellable *cancellable, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  EVP_MD_CTX *context;
  guint8 digest[EVP_MAX_MD_SIZE];
  guint size = 0;
  gboolean good;
  GString *text;

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: cannot be opened: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  context = EVP_MD_CTX_new ();
  EVP_DigestInit_ex (context, EVP_sha256 (), NULL);
  good = digest_pieces (fd, context, cancellable, error);
  EVP_DigestFinal_ex (context, digest, &size);
  EVP_MD_CTX_free (context);
  close (fd);
  if (!good)
    {
      g_prefix_error (error, "%s: cannot be read: ", path);
      return NULL;
    }
  text = g_string_sized_new (size * 2);
  for (guint i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (text, FALSE);
}
