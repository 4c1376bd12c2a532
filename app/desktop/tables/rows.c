/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as a list model. All rows are created at once: a study has thousands of functions, not millions. */
#include "tables/rows.h"

#include "names.h"
#include "seeded-hash.h"
#include "tables/column.h"
#include "widgets.h"

#include <math.h>

#define UNKNOWN "–"

struct _CulpritRow
{
  GObject parent;
  CulpritRows *rows; /* not owned; NULL: the rows are gone */
  guint place;
};

struct _CulpritRows
{
  GObject parent;
  CulpritTable *table;
  GPtrArray *all;    /* of CulpritRow */
  GHashTable *found; /* gint64: the row whose cell in found_by it is; NULL: nothing was looked for since an edit */
  const char *found_by;
  double scale;
};

G_DEFINE_FINAL_TYPE (CulpritRow, culprit_row, G_TYPE_OBJECT)

static guint row_changed;
static guint rows_edited;

static GType
rows_item_type (GListModel *model)
{
  return CULPRIT_TYPE_ROW;
}

static guint
rows_n_items (GListModel *model)
{
  return CULPRIT_ROWS (model)->all->len;
}

static gpointer
rows_item (GListModel *model, guint place)
{
  CulpritRows *rows = CULPRIT_ROWS (model);

  return place < rows->all->len ? g_object_ref (g_ptr_array_index (rows->all, place)) : NULL;
}

static void
implement_list (GListModelInterface *interface)
{
  interface->get_item_type = rows_item_type;
  interface->get_n_items = rows_n_items;
  interface->get_item = rows_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CulpritRows,
                               culprit_rows,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, implement_list))

static void
culprit_row_class_init (CulpritRowClass *class)
{
  row_changed = signal_new (CULPRIT_TYPE_ROW, "changed", 0);
}

static void
culprit_row_init (CulpritRow *row)
{
}

static void
rows_finalize (GObject *object)
{
  CulpritRows *rows = CULPRIT_ROWS (object);

  for (guint i = 0; i < rows->all->len; i++)
    CULPRIT_ROW (g_ptr_array_index (rows->all, i))->rows = NULL;
  g_ptr_array_unref (rows->all);
  g_clear_pointer (&rows->found, g_hash_table_unref);
  culprit_table_free (rows->table);
  G_OBJECT_CLASS (culprit_rows_parent_class)->finalize (object);
}

static void
culprit_rows_class_init (CulpritRowsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = rows_finalize;
  rows_edited = signal_new (CULPRIT_TYPE_ROWS, "edited", 0);
}

static void
culprit_rows_init (CulpritRows *rows)
{
  rows->all = g_ptr_array_new_with_free_func (g_object_unref);
}

CulpritRows *
culprit_rows_new (CulpritTable *table)
{
  CulpritRows *rows = g_object_new (CULPRIT_TYPE_ROWS, NULL);

  rows->table = table;
  for (guint i = 0; i < culprit_table_rows (table); i++)
    {
      CulpritRow *row = g_object_new (CULPRIT_TYPE_ROW, NULL);

      row->rows = rows;
      row->place = i;
      g_ptr_array_add (rows->all, row);
    }
  return rows;
}

const CulpritTable *
culprit_rows_table (CulpritRows *rows)
{
  return rows->table;
}

CulpritTable *
culprit_rows_edit (CulpritRows *rows)
{
  g_clear_pointer (&rows->found, g_hash_table_unref);
  return rows->table;
}

void
culprit_rows_changed (CulpritRows *rows)
{
  for (guint i = 0; i < rows->all->len; i++)
    g_signal_emit (g_ptr_array_index (rows->all, i), row_changed, 0);
}

/* As all late wake-ups may be looked for at once, e.g. to be marked. */
static void
index_rows (CulpritRows *rows, const char *key)
{
  g_clear_pointer (&rows->found, g_hash_table_unref);
  rows->found = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  rows->found_by = g_intern_string (key);
  for (guint i = rows->all->len; i-- > 0;) /* The first of several is found. */
    {
      const gint64 value = culprit_table_integer (rows->table, i, key);

      g_hash_table_insert (rows->found, g_memdup2 (&value, sizeof value), g_ptr_array_index (rows->all, i));
    }
}

CulpritRow *
culprit_rows_find (CulpritRows *rows, const char *key, gint64 value)
{
  if (!rows->found || !g_str_equal (rows->found_by, key))
    index_rows (rows, key);
  return g_hash_table_lookup (rows->found, &value);
}

double
culprit_rows_greatest (CulpritRows *rows, const char *key)
{
  rows->scale = 0;
  for (guint i = 0; i < rows->all->len; i++)
    rows->scale = fmax (rows->scale, culprit_row_real (g_ptr_array_index (rows->all, i), key));
  return rows->scale;
}

double
culprit_row_scale (CulpritRow *row)
{
  return row->rows ? row->rows->scale : 0;
}

void
culprit_rows_attach (CulpritRows *rows, const char *what, gpointer data, GDestroyNotify destroy)
{
  g_object_set_data_full (G_OBJECT (rows), what, data, destroy);
}

gconstpointer
culprit_row_attached (CulpritRow *row, const char *what)
{
  return row->rows ? g_object_get_data (G_OBJECT (row->rows), what) : NULL;
}

guint
culprit_row_place (CulpritRow *row)
{
  return row->place;
}

CulpritValue
culprit_row_value (CulpritRow *row, const char *key)
{
  if (!row->rows)
    return (CulpritValue) { .type = CULPRIT_VALUE_NULL };
  return culprit_table_value (row->rows->table, row->place, key);
}

gint64
culprit_row_integer (CulpritRow *row, const char *key)
{
  CulpritValue value = culprit_row_value (row, key);

  return value.type == CULPRIT_VALUE_INTEGER ? value.integer : 0;
}

double
culprit_row_real (CulpritRow *row, const char *key)
{
  return culprit_value_number (culprit_row_value (row, key));
}

const char *
culprit_row_text (CulpritRow *row, const char *key)
{
  CulpritValue value = culprit_row_value (row, key);

  return value.type == CULPRIT_VALUE_TEXT ? value.text : "";
}

char *
culprit_row_cell (CulpritRow *row, const CulpritColumn *column)
{
  char *text = row->rows ? culprit_cell_text (row->rows->table, row->place, column) : NULL;

  return text ? text : g_strdup (UNKNOWN);
}

char *
culprit_row_function (CulpritRow *row)
{
  return culprit_function_key (culprit_row_text (row, "function"), culprit_row_text (row, "module"),
                               culprit_row_integer (row, "ordinal"));
}

void
culprit_row_set_text (CulpritRow *row, const char *key, const char *text)
{
  if (!row->rows)
    return;
  culprit_table_set_text (row->rows->table, row->place, key, text);
  g_signal_emit (row, row_changed, 0);
  g_signal_emit (row->rows, rows_edited, 0);
}
