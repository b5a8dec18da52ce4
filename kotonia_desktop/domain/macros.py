"""The macros of cards and personas: names put in, comments taken out.

One pass: a name that is itself a macro is not expanded again. Unknown macros stay as they are. The names of the macros
are those of the character card specifications (V1 `<BOT>`/`<USER>`, V3 `{{// }}`, `{{comment:}}`, `{{hidden_key:}}`).
"""

import re

MAX_GROWTH = 64 * 1024
"""How many characters all expansions of one text may add up to; macros beyond that stay as they are."""

# No brace inside: an unclosed macro ends at the next one, so that the search is linear whatever the text holds.
_MACRO = re.compile(r"\{\{([^{}]*)\}\}|<(bot|char|user)>", re.IGNORECASE)
_SILENT = ("//", "comment:", "hidden_key:")


def expand(text: str, char: str, user: str) -> str:
    """`text` with the character's and the persona's name in place of their macros and without comments.

    Case and spaces inside the braces do not matter. Linear in the length of the text; adds `MAX_GROWTH` at most.
    """
    added = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal added
        word = (match[1] if match[1] is not None else match[2]).strip().lower()
        if word.startswith(_SILENT):
            return ""
        value = {"char": char, "bot": char, "user": user}.get(word)
        if value is None or added + len(value) > MAX_GROWTH:
            return match[0]
        added += len(value)
        return value

    return _MACRO.sub(replace, text)
