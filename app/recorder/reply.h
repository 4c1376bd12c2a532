/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the lines of the protocol to standard output: one JSON object each, built member by member. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins an object with its type. */
void reply_begin (const char *type);

/* Members; @key is NULL inside lists. In invalid UTF-8, bytes are replaced. NULL is written as null. */
void reply_text (const char *key, const char *value);
void reply_int (const char *key, int64_t value);
void reply_bool (const char *key, bool value);
void reply_null (const char *key);

/* A number, or null if it is negative, i.e. not known. */
void reply_known (const char *key, int64_t value);

/* @size bytes in base64. */
void reply_bytes (const char *key, const uint8_t *bytes, size_t size);

/* Opens a member that is a list ('[') or an object ('{'), and closes the innermost one. */
void reply_open (const char *key, char bracket);
void reply_close (char bracket);

/* Writes the line. False if the reader is gone, or has not read for too long: then the recording ends. */
bool reply_end (void);

/* What can be done about the problem that the next line of type "error" or "note" tells: a key of PROTOCOL.md. */
void reply_remedy (const char *key);

/* The same with the key "longer-period": one of at least @shortest_period_ns. */
void reply_longer_period (int64_t shortest_period_ns);

/* A line of type "error" or "note" with its text. */
bool reply_error (const char *text, ...) __attribute__ ((format (printf, 1, 2)));
bool reply_note (const char *text, ...) __attribute__ ((format (printf, 1, 2)));
