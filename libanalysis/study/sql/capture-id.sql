-- SPDX-License-Identifier: GPL-3.0-or-later
-- Finds a capture by its number, its file's path or name, or the beginning of its digest.
SELECT capture_id
FROM capture
WHERE CAST (capture_id AS TEXT) = :name
   OR file = :name
   OR substr (file, -length (:name) - 1) = '/' || :name
   OR (length (:name) >= 8 AND substr (sha256, 1, length (:name)) = :name)
ORDER BY capture_id
