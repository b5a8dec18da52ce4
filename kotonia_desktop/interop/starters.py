"""The three characters that come with the app, one in each language, with the pictures drawn for them."""

import json
from dataclasses import dataclass

from kotonia_desktop.domain.library import CharacterCard
from kotonia_desktop.interop.card_fields import card_from
from kotonia_desktop.interop.imported import Notes
from kotonia_desktop.paths import resource

LANGUAGES = ("en", "ja", "zh")


@dataclass(frozen=True, slots=True)
class StarterCharacter:
    """A starter: its language, its card, its picture (PNG)."""

    language: str
    card: CharacterCard
    picture: bytes


def starters() -> list[StarterCharacter]:
    """The starters, in the order of `LANGUAGES`. They are our own files, read without the worker process."""
    return [_starter(language) for language in LANGUAGES]


def _starter(language: str) -> StarterCharacter:
    name = f"starters/{language}.json"
    root = json.loads(resource(name).read_text(encoding="utf-8"))
    return StarterCharacter(language, card_from(root, Notes(), name), resource(f"starters/{language}.png").read_bytes())
