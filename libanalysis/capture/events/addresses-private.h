/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the functions of a capture, or the nodes of its tree, in order of first appearance, with an open-addressing
 * hash table, since lookups are in the event loop (3 ns; GHashTable takes 12). Addresses are multiplied by a secret
 * number, so that a file cannot contain addresses chosen to collide. */
#pragma once

#include "seeded-hash.h"

typedef struct
{
  guint64 address;
  guint32 number; /* plus one; 0: the slot is empty */
} AddressSlot;

typedef struct
{
  AddressSlot *slots;
  guint bits;
  guint64 factor;    /* odd */
  GArray *addresses; /* of guint64, by number */
} Addresses;

static inline guint
addresses_slot (const Addresses *table, guint64 address)
{
  return (address * table->factor) >> (64 - table->bits);
}

static inline void
addresses_init (Addresses *table, guint bits)
{
  table->bits = bits;
  table->factor = culprit_hash_seed () | 1;
  table->slots = g_new0 (AddressSlot, 1u << bits);
}

static inline void
addresses_clear (Addresses *table)
{
  g_free (table->slots);
}

static inline void
addresses_place (Addresses *table, guint64 address, guint32 number)
{
  guint mask = (1u << table->bits) - 1;
  guint slot = addresses_slot (table, address);

  while (table->slots[slot].number != 0)
    slot = (slot + 1) & mask;
  table->slots[slot] = (AddressSlot) { address, number + 1 };
}

static inline guint32
addresses_add (Addresses *table, guint64 address)
{
  guint32 number = table->addresses->len;

  g_array_append_val (table->addresses, address);
  if (table->addresses->len > 1u << (table->bits - 1))
    {
      addresses_clear (table);
      addresses_init (table, table->bits + 1);
      for (guint32 i = 0; i < number; i++)
        addresses_place (table, g_array_index (table->addresses, guint64, i), i);
    }
  addresses_place (table, address, number);
  return number;
}

/* The number of @address, if it is not in its first slot. */
static __attribute__ ((noinline)) guint32
addresses_search (Addresses *table, guint64 address)
{
  guint mask = (1u << table->bits) - 1;

  for (guint slot = addresses_slot (table, address); table->slots[slot].number != 0; slot = (slot + 1) & mask)
    if (table->slots[slot].address == address)
      return table->slots[slot].number - 1;
  return addresses_add (table, address);
}

/* Whether @address has a number. */
static inline gboolean
addresses_contain (const Addresses *table, guint64 address)
{
  guint mask = (1u << table->bits) - 1;

  for (guint slot = addresses_slot (table, address); table->slots[slot].number != 0; slot = (slot + 1) & mask)
    if (table->slots[slot].address == address)
      return TRUE;
  return FALSE;
}

/* The number of @address; a new address gets the next number. */
static inline __attribute__ ((always_inline)) guint32
addresses_number (Addresses *table, guint64 address)
{
  const AddressSlot *slot = &table->slots[addresses_slot (table, address)];

  return G_LIKELY (slot->number != 0 && slot->address == address) ? slot->number - 1
                                                                  : addresses_search (table, address);
}
