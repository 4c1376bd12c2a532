/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input by the extension XTEST, of which only the library is there: the headers are in another package. */
#include "sample-input.h"

#include <gdk/x11/gdkx.h>
#include <gmodule.h>

typedef int (*Fake) (Display *display, unsigned int what, int down, unsigned long delay);
typedef int (*FakeMotion) (Display *display, int screen, int x, int y, unsigned long delay);

static gpointer
find (const char *name)
{
  static GModule *library;
  gpointer found;

  if (!library)
    library = g_module_open ("libXtst.so.6", G_MODULE_BIND_LAZY);
  g_assert_nonnull (library);
  g_assert_true (g_module_symbol (library, name, &found));
  return found;
}

static GdkSurface *
surface_of (SampleWindow *sample)
{
  return gtk_native_get_surface (GTK_NATIVE (sample->window));
}

static Display *
display_of (SampleWindow *sample)
{
  return gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface_of (sample)));
}

static void
press (SampleWindow *sample, guint key, gboolean down)
{
  Display *display = display_of (sample);
  Fake fake = (Fake) find ("XTestFakeKeyEvent");

  g_assert_cmpint (fake (display, XKeysymToKeycode (display, key), down, CurrentTime), !=, 0);
  XSync (display, False);
}

static void
focus (SampleWindow *sample)
{
  XSetInputFocus (display_of (sample), gdk_x11_surface_get_xid (surface_of (sample)), RevertToParent, CurrentTime);
}

static void
press_with (SampleWindow *sample, guint key, guint modifier)
{
  if (modifier)
    press (sample, modifier, TRUE);
  press (sample, key, TRUE);
  press (sample, key, FALSE);
  if (modifier)
    press (sample, modifier, FALSE);
}

void
sample_input_key (SampleWindow *sample, guint key, guint modifier)
{
  focus (sample);
  press_with (sample, key, modifier);
  sample_window_settle ();
}

void
sample_input_type (SampleWindow *sample, const char *keys)
{
  focus (sample);
  for (; *keys; keys++)
    {
      gboolean control = *keys == '^';

      keys += control;
      press_with (sample, *keys, control ? GDK_KEY_Control_L : 0);
    }
  sample_window_settle ();
}

void
sample_input_click (SampleWindow *sample, GtkWidget *widget, guint button)
{
  sample_input_click_at (sample, widget, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0,
                         button);
}

void
sample_input_click_at (SampleWindow *sample, GtkWidget *widget, double across, double down, guint button)
{
  Display *display = display_of (sample);
  Fake fake = (Fake) find ("XTestFakeButtonEvent");
  FakeMotion move = (FakeMotion) find ("XTestFakeMotionEvent");
  GtkNative *native = gtk_widget_get_native (widget);
  GdkSurface *surface = gtk_native_get_surface (native);
  graphene_rect_t bounds;
  double left;
  double top;
  int x;
  int y;
  Window child;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (native), &bounds));
  gtk_native_get_surface_transform (native, &left, &top);
  XTranslateCoordinates (display, gdk_x11_surface_get_xid (surface), DefaultRootWindow (display),
                         (int) (left + bounds.origin.x + across), (int) (top + bounds.origin.y + down), &x, &y, &child);
  move (display, -1, x, y, CurrentTime);
  XSync (display, False);
  sample_window_settle ();
  fake (display, button, True, CurrentTime);
  fake (display, button, False, CurrentTime);
  XSync (display, False);
  sample_window_settle ();
}
