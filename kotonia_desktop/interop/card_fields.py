"""A card's JSON (V1, V2, V3, and the cousins of V1) made into a `CharacterCard`. Repairs and notes, rarely refuses.

Sources: the character card specifications V1, V2 (malfoyslastname) and V3 (kwaroran), and what SillyTavern writes.
"""

from typing import Any

from kotonia_desktop.domain.errors import ImportFailed
from kotonia_desktop.domain.language import language_of
from kotonia_desktop.domain.library import CharacterCard, ProseMarkup
from kotonia_desktop.domain.markup import default_markup, guess_markup
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.cleaning import clean_name, name_of_file
from kotonia_desktop.interop.imported import Notes
from kotonia_desktop.interop.lore_fields import book_from

_V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
# Pygmalion's and older web interfaces' names for the same fields.
_COUSINS = {
    "char_name": "name",
    "char_persona": "description",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
    "world_scenario": "scenario",
}
_PAIRS = frozenset(("", '""', "“”", "「」", "『』", "**", "（）", "()", "__"))


def card_from(root: object, notes: Notes, name: str) -> CharacterCard:
    """The card that the JSON value `root` holds. `name` is the file's name, for errors and for a card without one.

    Raises `ImportFailed` where `root` is no character card.
    """
    data = _data_of(root, notes, name)
    reader = _Fields(data, notes)
    shown = clean_name(reader.text("name"))
    if not shown:
        shown = name_of_file(name)
        notes.add("empty_name", name=shown)
    elif len(" ".join(str(data.get("name")).split())) > limits.NAME:
        notes.add("name_shortened", limit=limits.NAME)
    extensions = _object(data, "extensions")
    greetings = _greetings(reader)
    examples = reader.text("mes_example")
    ours = _object(extensions, "kotonia")
    language = _language(ours, greetings, reader.text("description"))
    _note_unused(data, extensions, notes)
    book = data.get("character_book")
    if book is None and isinstance(root, dict) and data is not root and root.get("character_book"):
        book = root["character_book"]
        notes.add("book_at_top")
    return CharacterCard(
        name=shown,
        description=reader.text("description"),
        personality=reader.text("personality"),
        scenario=reader.text("scenario"),
        greetings=greetings,
        examples=examples,
        system_prompt=reader.text("system_prompt"),
        post_history=reader.text("post_history_instructions"),
        creator_notes=reader.text("creator_notes") or reader.text("creatorcomment"),
        tags=_tags(data.get("tags"), notes),
        creator=clean_name(reader.text("creator")),
        version=clean_name(reader.text("character_version")),
        nickname=clean_name(reader.text("nickname")),
        lorebook=book_from(book, notes),
        language=language,
        markup=_markup(ours, language) or guess_markup([*greetings, examples], language),
        spoiler_heading=clean_name(str(ours.get("spoiler_heading") or "")),
        original=root if isinstance(root, dict) else {},
    )


def _data_of(root: object, notes: Notes, name: str) -> dict[str, Any]:
    """The object that holds the fields; notes what version it is where that needs saying."""
    if not isinstance(root, dict):
        raise ImportFailed(name=name, detail="its data is no character card")
    spec = root.get("spec")
    if spec == "lorebook_v3" or (isinstance(root.get("entries"), dict | list) and "data" not in root):
        raise ImportFailed(name=name, detail="it is a lorebook without a character; those cannot be imported yet")
    data = root.get("data")
    if isinstance(data, dict):
        if spec is None:
            notes.add("missing_spec")
        elif _newer(root.get("spec_version")):
            notes.add("newer_spec", version=clean_name(str(root.get("spec_version"))))
    else:
        data = root
        if isinstance(spec, str):
            notes.add("no_data_block")
    cousin = {ours: data[theirs] for theirs, ours in _COUSINS.items() if theirs in data and ours not in data}
    if cousin:
        data = {**data, **cousin}
    if not any(field in data for field in _V1_FIELDS):
        raise ImportFailed(name=name, detail="there is no character in it")
    if data.get("gamestarted") is not None:
        raise ImportFailed(name=name, detail="it is a saved story, no character card")
    return data


def _newer(version: object) -> bool:
    try:
        return isinstance(version, str | int | float) and float(version) > 3.0
    except ValueError:
        return False


def _object(data: dict[str, Any], field: str) -> dict[str, Any]:
    found = data.get(field)
    return found if isinstance(found, dict) else {}


class _Fields:
    """Reads fields of an object as text, whatever type they have."""

    def __init__(self, data: dict[str, Any], notes: Notes) -> None:
        self.data, self.notes = data, notes

    def text(self, field: str) -> str:
        """A field's text; "" where it is missing or of a type that has no text (noted)."""
        return as_text(self.data.get(field), field, self.notes)


def as_text(value: object, field: str, notes: Notes) -> str:
    """A value as text; lists of strings become paragraphs. Other types are noted and give ""."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    notes.add("wrong_type", field=field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "\n\n".join(value)
    return ""


def _greetings(reader: _Fields) -> tuple[str, ...]:
    first = reader.text("first_mes")
    others = reader.data.get("alternate_greetings")
    if isinstance(others, str):
        reader.notes.add("alternate_greetings_string")
        others = [others]
    elif isinstance(others, dict):
        others = list(others.values())
        reader.notes.add("wrong_type", field="alternate_greetings")
    elif not isinstance(others, list):
        if others is not None:
            reader.notes.add("wrong_type", field="alternate_greetings")
        others = []
    found = [as_text(item, "alternate_greetings", reader.notes) for item in others[: limits.GREETINGS]]
    if len(others) > limits.GREETINGS:
        reader.notes.add("greetings_dropped", count=len(others) - limits.GREETINGS)
    return tuple(text for text in (first, *found) if text.strip())


def _tags(value: object, notes: Notes) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    tags = [clean_name(item)[: limits.TAG] for item in value if isinstance(item, str)]
    if len(value) > limits.TAGS:
        notes.add("tags_dropped", count=len(value) - limits.TAGS)
    return tuple(tag for tag in tags[: limits.TAGS] if tag)


def _language(ours: dict[str, Any], greetings: tuple[str, ...], description: str) -> str:
    said = str(ours.get("language") or "")[:2].lower()
    return said if said in ("en", "ja", "zh") else language_of("\n".join((*greetings, description)))


def _markup(ours: dict[str, Any], language: str) -> ProseMarkup | None:
    """The convention that a card of ours names (`extensions.kotonia.prose`), or None."""
    prose = ours.get("prose")
    if not isinstance(prose, dict):
        return None
    default = default_markup(language)

    def pair(field: str, fallback: str) -> str:
        value = prose.get(field, fallback)
        value = "" if value == "plain" else value
        return value if value in _PAIRS else fallback

    return ProseMarkup(
        pair("narration", default.narration), pair("speech", default.speech), pair("thought", default.thought)
    )


def _note_unused(data: dict[str, Any], extensions: dict[str, Any], notes: Notes) -> None:
    """What other apps use and this one does not yet: said, because nothing may get lost in silence."""
    depth = extensions.get("depth_prompt")
    if isinstance(depth, dict) and isinstance(depth.get("prompt"), str) and depth["prompt"].strip():
        notes.add("depth_prompt_not_used", characters=len(depth["prompt"]))
    scripts = extensions.get("regex_scripts")
    if isinstance(scripts, list) and scripts:
        notes.add("scripts_not_used", count=len(scripts))
    assets = data.get("assets")
    if isinstance(assets, list):
        extra = [a for a in assets if not (isinstance(a, dict) and a.get("type") == "icon" and a.get("name") == "main")]
        if extra:
            notes.add("assets_not_used", count=len(extra))
    group = data.get("group_only_greetings")
    if isinstance(group, list) and group:
        notes.add("group_greetings_not_used", count=len(group))
