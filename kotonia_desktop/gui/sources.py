"""Marks a text for the translation tools where it is declared and translated later."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """`text` as it is. The tools look for this very name; Qt's own version has no types."""
    return text
