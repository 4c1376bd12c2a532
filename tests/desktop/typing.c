/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys by the display's own way of making them up. */
#include "typing.h"

#include <gdk/x11/gdkx.h>
#include <gmodule.h>

static void
press (Display *display, KeySym key, gboolean down)
{
  static int (*fake) (Display * display, unsigned int code, int down, unsigned long delay);

  if (!fake)
    {
      /* The headers are in another package than the library. */
      GModule *library = g_module_open ("libXtst.so.6", G_MODULE_BIND_LAZY);

      g_assert_nonnull (library);
      g_assert_true (g_module_symbol (library, "XTestFakeKeyEvent", (gpointer *) &fake));
    }
  g_assert_cmpint (fake (display, XKeysymToKeycode (display, key), down, CurrentTime), !=, 0);
  XSync (display, False);
}

/* The display, whose keyboard the window has. */
static Display *
focus (SampleWindow *sample)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (sample->window));
  Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));

  XSetInputFocus (display, gdk_x11_surface_get_xid (surface), RevertToParent, CurrentTime);
  return display;
}

void
typing_press (SampleWindow *sample, guint key)
{
  Display *display = focus (sample);

  press (display, key, TRUE);
  press (display, key, FALSE);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
}

void
typing_hold (SampleWindow *sample, guint modifier, guint key)
{
  Display *display = focus (sample);

  press (display, modifier, TRUE);
  press (display, key, TRUE);
  press (display, key, FALSE);
  press (display, modifier, FALSE);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
}

void
typing_type (SampleWindow *sample, const char *keys)
{
  Display *display = focus (sample);

  for (; *keys; keys++)
    {
      gboolean control = *keys == '^';

      if (control)
        press (display, GDK_KEY_Control_L, TRUE);
      keys += control;
      press (display, *keys, TRUE);
      press (display, *keys, FALSE);
      if (control)
        press (display, GDK_KEY_Control_L, FALSE);
    }
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
}
