internal import CPango

/// Draws a button into pixels.
struct ButtonDrawing {
  /// Pixels for one of a screen with 96 dots an inch.
  let scale: Double

  /// The window's ground, as 0xRRGGBB.
  static let background: UInt32 = 0xF6F5F4

  private struct Color {
    var red: Double, green: Double, blue: Double

    init(_ value: UInt32) {
      red = Double(value >> 16 & 0xFF) / 255
      green = Double(value >> 8 & 0xFF) / 255
      blue = Double(value & 0xFF) / 255
    }
  }

  /// Pixels that the button wants, so that all of its label shows.
  func size(for appearance: ButtonAppearance) -> (width: Int, height: Int) {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1) else {
      return (220, 84)
    }
    defer { cairo_surface_destroy(surface) }
    guard let context = cairo_create(surface) else { return (220, 84) }
    defer { cairo_destroy(context) }
    let label = measure(appearance.label, points: 13, isBold: true, on: context, width: nil)
    let detail = measure("Mj", points: 9, isBold: false, on: context, width: nil)
    let width = max(220 * scale, Double(label.width) + 56 * scale)
    let height = Double(label.height + detail.height) + 44 * scale
    return (Int(width.rounded(.up)), Int(height.rounded(.up)))
  }

  /// Draws the button over pixels of four bytes.
  ///
  /// - Returns: False where there is no memory for it.
  func draw(
    _ appearance: ButtonAppearance, into pixels: UnsafeMutableRawBufferPointer, width: Int,
    height: Int, stride: Int
  ) -> Bool {
    guard
      let surface = cairo_image_surface_create_for_data(
        pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(width),
        Int32(height), Int32(stride))
    else { return false }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = cairo_create(surface)
    else { return false }
    defer { cairo_destroy(context) }
    fill(context, Color(Self.background))
    cairo_paint(context)
    drawFrame(appearance, on: context, width: Double(width), height: Double(height))
    drawText(appearance, on: context, width: Double(width), height: Double(height))
    cairo_surface_flush(surface)
    return cairo_status(context) == CAIRO_STATUS_SUCCESS
  }

  /// Bytes of a row of pixels.
  static func stride(width: Int) -> Int {
    Int(cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, Int32(width)))
  }

  private func drawFrame(
    _ appearance: ButtonAppearance, on context: OpaquePointer, width: Double, height: Double
  ) {
    let margin = 8 * scale
    outline(context, inset: margin, width: width, height: height, radius: 8 * scale)
    let ground: Color =
      if !appearance.isEnabled {
        Color(0xECEBE9)
      } else if appearance.isPressed {
        Color(0x15539E)
      } else if appearance.hasPointer {
        Color(0x1A66C0)
      } else {
        Color(0x1C71D8)
      }
    fill(context, ground)
    cairo_fill_preserve(context)
    fill(context, Color(appearance.isEnabled ? 0x1A5FB4 : 0xC9C5C1))
    cairo_set_line_width(context, max(1, scale))
    // A dashed edge tells "not now" without colour.
    if !appearance.isEnabled {
      var dashes = [4 * scale, 3 * scale]
      cairo_set_dash(context, &dashes, 2, 0)
    }
    cairo_stroke(context)
    cairo_set_dash(context, nil, 0, 0)
    guard appearance.hasFocus else { return }
    outline(context, inset: margin - 4 * scale, width: width, height: height, radius: 11 * scale)
    fill(context, Color(0x62A0EA))
    cairo_set_line_width(context, 2 * scale)
    cairo_stroke(context)
  }

  private func drawText(
    _ appearance: ButtonAppearance, on context: OpaquePointer, width: Double, height: Double
  ) {
    let room = Int(width - 32 * scale)
    let label = measure(appearance.label, points: 13, isBold: true, on: context, width: room)
    let detail = measure(appearance.detail, points: 9, isBold: false, on: context, width: room)
    let gap = appearance.detail.isEmpty ? 0 : 3 * scale
    let detailHeight = appearance.detail.isEmpty ? 0 : Double(detail.height)
    let total = Double(label.height) + gap + detailHeight
    var top = (height - total) / 2 + (appearance.isPressed ? scale : 0)
    fill(context, Color(appearance.isEnabled ? 0xFFFFFF : 0x6E6A66))
    show(
      appearance.label, points: 13, isBold: true, on: context, room: room, x: 16 * scale, y: top)
    top += Double(label.height) + gap
    guard !appearance.detail.isEmpty else { return }
    fill(context, Color(appearance.isEnabled ? 0xFFFFFF : 0x6E6A66))
    show(
      appearance.detail, points: 9, isBold: false, on: context, room: room, x: 16 * scale, y: top)
  }

  private func outline(
    _ context: OpaquePointer, inset: Double, width: Double, height: Double, radius: Double
  ) {
    let (left, top, right, bottom) = (inset, inset, width - inset, height - inset)
    let quarter = Double.pi / 2
    cairo_new_path(context)
    cairo_arc(context, right - radius, top + radius, radius, -quarter, 0)
    cairo_arc(context, right - radius, bottom - radius, radius, 0, quarter)
    cairo_arc(context, left + radius, bottom - radius, radius, quarter, 2 * quarter)
    cairo_arc(context, left + radius, top + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(context)
  }

  private func fill(_ context: OpaquePointer, _ color: Color) {
    cairo_set_source_rgb(context, color.red, color.green, color.blue)
  }

  // MARK: Text

  private func layout(
    _ text: String, points: Double, isBold: Bool, on context: OpaquePointer, width: Int?
  ) -> OpaquePointer? {
    guard let layout = pango_cairo_create_layout(context) else { return nil }
    let font = pango_font_description_new()
    defer { pango_font_description_free(font) }
    pango_font_description_set_family(font, "sans-serif")
    pango_font_description_set_weight(font, UInt32(isBold ? CP_WEIGHT_BOLD : CP_WEIGHT_NORMAL))
    // A point is 1/72 of an inch; the scale already holds the dots.
    pango_font_description_set_absolute_size(
      font, points * scale * 96 / 72 * Double(CP_SCALE))
    pango_layout_set_font_description(layout, font)
    pango_layout_set_text(layout, text, -1)
    pango_layout_set_alignment(layout, UInt32(CP_ALIGN_CENTER))
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_ellipsize(layout, UInt32(CP_ELLIPSIZE_END))
    if let width {
      pango_layout_set_width(layout, Int32(clamping: max(1, width) * Int(CP_SCALE)))
    }
    return layout
  }

  private func measure(
    _ text: String, points: Double, isBold: Bool, on context: OpaquePointer, width: Int?
  ) -> (width: Int, height: Int) {
    guard
      let layout = layout(text, points: points, isBold: isBold, on: context, width: width)
    else { return (0, 0) }
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    var width: Int32 = 0
    var height: Int32 = 0
    pango_layout_get_pixel_size(layout, &width, &height)
    return (Int(width), Int(height))
  }

  private func show(
    _ text: String, points: Double, isBold: Bool, on context: OpaquePointer, room: Int, x: Double,
    y: Double
  ) {
    guard let layout = layout(text, points: points, isBold: isBold, on: context, width: room) else {
      return
    }
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    cairo_move_to(context, x, y)
    pango_cairo_show_layout(context, layout)
  }
}
