"""Which font a text is set in. The family follows the language of the text: one list for all would draw Chinese with
Japanese shapes. Sizes are pixels at 100 %.
"""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

UI_PX = 13
SMALL_PX = 12
_READING_PX = {"en": 16, "ja": 17, "zh": 17}
_LINE = {"en": 1.62, "ja": 1.75, "zh": 1.75}
_JAPANESE = ("Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "Noto Sans JP", "VL Gothic", "IPAexGothic")
_CHINESE = ("PingFang SC", "Microsoft YaHei UI", "Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei")
# DejaVu is what a bare system falls back to: wide, and not meant for pages of prose.
_BETTER_THAN_DEJAVU = ("Noto Sans", "Inter", "Source Sans 3", "Open Sans", "Noto Sans CJK JP", "Noto Sans CJK SC")


@cache
def families(language: str) -> tuple[str, ...]:
    """The families for text in `language`, best first. Needs a running application."""
    known = set(QFontDatabase.families())
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    latin = [system]
    if not system or system.startswith(("DejaVu", "Sans", "Bitstream")):
        latin = [name for name in _BETTER_THAN_DEJAVU if name in known][:1] + latin
    japanese = [name for name in _JAPANESE if name in known]
    chinese = [name for name in _CHINESE if name in known]
    if language == "ja":
        return (*japanese, *chinese, *latin)
    if language == "zh":
        return (*chinese, *japanese, *latin)
    return (*latin, *japanese, *chinese)


def ui_font(language: str, pixels: int = UI_PX, *, bold: bool = False) -> QFont:
    """A font of the interface."""
    font = QFont()
    font.setFamilies(list(families(language)))
    font.setPixelSize(pixels)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def reading_px(language: str, scale: int) -> int:
    """Size of a conversation's text in pixels, at `scale` percent."""
    return round(_READING_PX.get(language, 16) * scale / 100)


def reading_font(language: str, scale: int) -> QFont:
    """The font of a conversation's text."""
    return ui_font(language, reading_px(language, scale))


def line_height(language: str, scale: int) -> int:
    """Distance of the lines of a conversation's text in pixels."""
    return round(reading_px(language, scale) * _LINE.get(language, 1.62))
