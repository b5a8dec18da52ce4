"""Plants facts, lies and open matters at known places in a dialogue, and says what to ask about them.

No model writes, answers or grades: the same random seed and dialogue give the same lines. The places of each kind are
spread evenly over the dialogue, and which item stands where turns by one with each random seed, so that over as many
seeds as there are items each has been as old as every other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from kotonia_desktop.domain.errors import ImportFailed
from kotonia_desktop.evaluation.dialogues import NARRATOR_ROLE, Dialogue, Turn
from kotonia_desktop.evaluation.planted_facts import FACTS
from kotonia_desktop.evaluation.planted_stories import LIES, NARRATOR, THREADS

_FIRST, _LAST = 0.02, 0.98
"""Between these shares of the dialogue things are planted."""
_LEAST_OPTIONS = 4
_SHOWN_AFTER = (2, 6, 20, 60)
"""Turns of the dialogue between a lie and what shows it."""
_SHOWN_SHARE = 0.75
"""So many lies are ever shown; of the others the claim is all there is."""
_CLOSED_AFTER = (10, 40, 120)


@dataclass(frozen=True, slots=True)
class PlantedQuestion:
    """A question about a planted item. `kind` is `fact`, `lie` (shown later), `claim` (never shown), `thread_closed` or
    `thread_open`; `answer` is the index of the right option, None where the story never says. `gap` is the number of
    turns between an item's two lines."""

    item: str
    kind: str
    text: str
    options: tuple[str, ...]
    answer: int | None
    at: tuple[int, ...] = ()
    """Indexes of the last turn of each planting."""
    cloze: str = ""
    gap: int = 0


@dataclass(frozen=True, slots=True)
class Planted:
    """A dialogue with what was planted in it; the evidence of its own questions no longer holds."""

    dialogue: Dialogue
    questions: tuple[PlantedQuestion, ...]


@dataclass(frozen=True, slots=True)
class _Planting:
    """Lines that go in before the turn `place` of the dialogue."""

    place: int
    item: str
    lines: tuple[Turn, ...]


def plant(dialogue: Dialogue, seed: int) -> Planted:
    """Plant all there is into `dialogue`. Raises `ImportFailed` where its language is none of ours."""
    language = dialogue.language
    if language not in NARRATOR:
        raise ImportFailed(name=dialogue.name, detail=f"nothing can be planted in the language {language!r}")
    chance = Random(seed)
    plantings: list[_Planting] = []
    questions: list[PlantedQuestion] = []
    for part in (_facts, _lies, _threads):
        lines, asked = part(dialogue, seed, chance)
        plantings += lines
        questions += asked
    turns, found = _woven(dialogue.turns, plantings)
    return Planted(
        replace(dialogue, turns=turns, questions=()),
        tuple(replace(question, at=tuple(found[question.item])) for question in questions),
    )


_Part = tuple[list[_Planting], list[PlantedQuestion]]


def _facts(dialogue: Dialogue, seed: int, chance: Random) -> _Part:
    whole = "\n".join(turn.text for turn in dialogue.turns).lower()
    plantings, questions = [], []
    for place, key in _spread(dialogue, FACTS, seed):
        words = FACTS[key][dialogue.language]
        # What the dialogue itself speaks of would be found without the planting.
        values = tuple(value for value in words.values if value.lower() not in whole)
        if len(values) < _LEAST_OPTIONS:
            continue
        value = chance.choice(values)
        item = f"fact:{key}"
        told = _line(dialogue.user, "user", words.told.format(v=value))
        plantings.append(_Planting(place, item, (told, _line(dialogue.char, "char", words.answered))))
        questions.append(PlantedQuestion(item, "fact", words.question, values, values.index(value), cloze=words.cloze))
    return plantings, questions


def _lies(dialogue: Dialogue, seed: int, chance: Random) -> _Part:
    plantings, questions = [], []
    for place, key in _spread(dialogue, LIES, seed):
        words = LIES[key][dialogue.language]
        item = f"lie:{key}"
        gap = chance.choice(_SHOWN_AFTER)
        shown = chance.random() < _SHOWN_SHARE
        plantings.append(_Planting(place, item, (_line(dialogue.char, "char", words.first),)))
        if shown:
            told = Turn(NARRATOR[dialogue.language], NARRATOR_ROLE, "narr", words.second, planted=True)
            plantings.append(_Planting(_later(dialogue, place + gap), item, (told,)))
        kind, answer = ("lie", 0) if shown else ("claim", None)
        questions.append(PlantedQuestion(item, kind, words.question, words.options, answer, gap=gap))
    return plantings, questions


def _threads(dialogue: Dialogue, seed: int, chance: Random) -> _Part:
    plantings, questions = [], []
    for number, (place, key) in enumerate(_spread(dialogue, THREADS, seed)):
        words = THREADS[key][dialogue.language]
        item = f"thread:{key}"
        closed = number % 2 == 0
        gap = chance.choice(_CLOSED_AFTER)
        plantings.append(_Planting(place, item, (_line(dialogue.user, "user", words.first),)))
        if closed:
            second = (_line(dialogue.user, "user", words.second),)
            plantings.append(_Planting(_later(dialogue, place + gap), item, second))
        kind, answer = ("thread_closed", 0) if closed else ("thread_open", 1)
        questions.append(PlantedQuestion(item, kind, words.question, words.options, answer, gap=gap))
    return plantings, questions


def _spread(dialogue: Dialogue, table: Iterable[str], seed: int) -> list[tuple[int, str]]:
    """The keys of a table in the turn of `seed`, each with its place."""
    keys = sorted(table)
    first = seed % len(keys)
    turned = keys[first:] + keys[:first]
    return [
        (int(len(dialogue.turns) * (_FIRST + (_LAST - _FIRST) * (number + 0.5) / len(keys))), key)
        for number, key in enumerate(turned)
    ]


def _later(dialogue: Dialogue, place: int) -> int:
    return min(len(dialogue.turns) - 1, place)


def _line(speaker: str, role: str, text: str) -> Turn:
    return Turn(speaker, role, "say", text, planted=True)


def _woven(turns: Sequence[Turn], plantings: Iterable[_Planting]) -> tuple[tuple[Turn, ...], dict[str, list[int]]]:
    """The turns with the plantings before their places, and where each item's plantings end."""
    waiting = sorted(plantings, key=lambda planting: planting.place)  # of one place: in the order they were planted
    woven: list[Turn] = []
    found: dict[str, list[int]] = {}
    for index, turn in enumerate(turns):
        while waiting and waiting[0].place <= index:
            planting = waiting.pop(0)
            woven += (replace(line, session=turn.session) for line in planting.lines)
            found.setdefault(planting.item, []).append(len(woven) - 1)
        woven.append(turn)
    return tuple(woven), found
