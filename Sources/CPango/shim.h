// Cairo, and the few parts of Pango that draw a line of text.
//
// Pango's own headers are found only by its pkg-config file, which asks for -pthread; the package manager refuses that
// flag with a warning at every build. These are declarations of its stable interface (1.0).
#include <cairo.h>

typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

enum {
  CP_WEIGHT_NORMAL = 400,
  CP_WEIGHT_BOLD = 700,
  CP_ALIGN_CENTER = 1,
  CP_ELLIPSIZE_END = 3,
  CP_SCALE = 1024,
};

PangoLayout *pango_cairo_create_layout(cairo_t *context);
void pango_cairo_show_layout(cairo_t *context, PangoLayout *layout);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *font);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_alignment(PangoLayout *layout, unsigned alignment);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int isSingle);
void pango_layout_set_ellipsize(PangoLayout *layout, unsigned mode);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_get_pixel_size(PangoLayout *layout, int *width, int *height);
PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *font);
void pango_font_description_set_family(PangoFontDescription *font, const char *family);
void pango_font_description_set_weight(PangoFontDescription *font, unsigned weight);
void pango_font_description_set_absolute_size(PangoFontDescription *font, double size);
void g_object_unref(void *object);
