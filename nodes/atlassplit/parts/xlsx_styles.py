"""The looks of xlsx cells by style index: number formats and header styles, from xl/styles.xml."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from mindatlas.nodes.atlassplit.parts.workbook_model import HeaderStyle

GENERAL = "General"
# ECMA-376 part 1, 18.8.30; other built-in ids depend on the language and are left out.
BUILTIN_FORMATS = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;[Red](#,##0.00)",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
# SpreadsheetML swaps each dark and light pair of the theme's own order.
_THEME_ORDER = ("lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6")


@dataclass(frozen=True, kw_only=True)
class CellStyle:
    """What one style index stands for."""

    number_format: str = GENERAL
    look: HeaderStyle = field(default_factory=HeaderStyle)


def read_styles(styles: Element | None, theme: Element | None) -> tuple[CellStyle, ...]:
    """Return the style of each index; a part that is absent or odd gives defaults, never an error."""
    if styles is None:
        return ()
    palette = _palette(theme)
    formats = {
        _number(entry.get("numFmtId")): entry.get("formatCode", GENERAL)
        for entry in styles.iterfind("{*}numFmts/{*}numFmt")
    }
    fonts = styles.findall("{*}fonts/{*}font")
    fills = styles.findall("{*}fills/{*}fill")
    return tuple(
        CellStyle(
            number_format=_number_format(_number(entry.get("numFmtId")), formats),
            look=_look(entry, _at(fonts, entry.get("fontId")), _at(fills, entry.get("fillId")), palette),
        )
        for entry in styles.iterfind("{*}cellXfs/{*}xf")
    )


def _number_format(number: int | None, formats: dict[int | None, str]) -> str:
    return formats.get(number) or BUILTIN_FORMATS.get(number or 0, GENERAL)


def _look(style: Element, font: Element | None, fill: Element | None, palette: Sequence[str]) -> HeaderStyle:
    alignment = style.find("{*}alignment")
    pattern = fill.find("{*}patternFill") if fill is not None else None
    solid = pattern is not None and pattern.get("patternType") == "solid"
    size = _value(font, "sz")
    return HeaderStyle(
        bold=font is not None and _is_on(font.find("{*}b")),
        font=_value(font, "name"),
        size=float(size) if size and size.replace(".", "", 1).isdigit() else None,
        color=_color(font.find("{*}color") if font is not None else None, palette),
        fill=_color(pattern.find("{*}fgColor") if pattern is not None and solid else None, palette),
        horizontal=alignment.get("horizontal") if alignment is not None else None,
    )


def _is_on(flag: Element | None) -> bool:
    return flag is not None and flag.get("val", "1") not in ("0", "false")


def _value(font: Element | None, tag: str) -> str | None:
    child = font.find(f"{{*}}{tag}") if font is not None else None
    return child.get("val") if child is not None else None


def _color(color: Element | None, palette: Sequence[str]) -> str | None:
    if color is None:
        return None
    rgb = color.get("rgb", "")[-6:].upper()
    if len(rgb) == 6 and all(digit in "0123456789ABCDEF" for digit in rgb):
        return rgb
    theme = _number(color.get("theme"))
    if theme is None or theme >= len(palette):
        return None
    return _tinted(palette[theme], color.get("tint", "0"))


def _tinted(rgb: str, tint: str) -> str:
    """Return `rgb` made lighter (tint over 0) or darker, by the rule of ECMA-376 part 1, 18.8.19."""
    try:
        amount = max(-1.0, min(1.0, float(tint)))
    except ValueError:
        return rgb
    red, green, blue = (int(rgb[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + amount) if amount < 0 else light * (1 - amount) + amount
    return "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, light, saturation))


def _palette(theme: Element | None) -> list[str]:
    scheme = theme.find("{*}themeElements/{*}clrScheme") if theme is not None else None
    if scheme is None:
        return []
    colors = [scheme.find(f"{{*}}{name}") for name in _THEME_ORDER]
    return [_theme_color(color) for color in colors]


def _theme_color(color: Element | None) -> str:
    child = color[0] if color is not None and len(color) else None
    value = (child.get("lastClr") or child.get("val") or "") if child is not None else ""
    return value.upper() if len(value) == 6 else "000000"


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _at(items: Sequence[Element], index: str | None) -> Element | None:
    number = _number(index)
    return items[number] if number is not None and number < len(items) else None
