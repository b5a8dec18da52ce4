"""Dialogues to measure with, as JSON files: `{id, lang, cast, user, turns: [{spk, role, kind, text, sess}], qa}`.

`qa` are questions with the places (`ev`) of the turns that answer them; `cat` is a question's kind. Unlike an import it
keeps every turn, so that a place in the file is a place in the dialogue.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kotonia_desktop.domain.errors import ImportFailed

ADVERSARIAL = "adversarial"
"""Questions of this kind have no answer in the dialogue."""
NARRATOR_ROLE = "narr"


@dataclass(frozen=True, slots=True)
class Turn:
    """One line. `role` is `user`, `char` or `narr`; `kind` is `say`, `act`, `think` or `narr`."""

    speaker: str
    role: str
    kind: str
    text: str
    session: int = 0
    planted: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the indexes of the turns that answer it."""

    text: str
    kind: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue. `user` is the one who plays the persona, `char` who answers first."""

    name: str
    language: str
    user: str
    char: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...] = field(default=())


def read_measured(path: Path) -> Dialogue:
    """The dialogue in a file. Raises `ImportFailed`."""
    root = _load(path)
    if not isinstance(root, dict) or not isinstance(root.get("turns"), list) or not root["turns"]:
        raise ImportFailed(name=path.name, detail="there is no dialogue in it")
    turns = tuple(_turn(given) for given in root["turns"] if isinstance(given, dict))
    user = root["user"] if isinstance(root.get("user"), str) else turns[0].speaker
    others = (turn.speaker for turn in turns if turn.speaker != user and turn.role != NARRATOR_ROLE)
    given = root.get("qa")
    questions = tuple(
        _question(asked, len(turns))
        for asked in (given if isinstance(given, list) else ())
        if isinstance(asked, dict) and isinstance(asked.get("q"), str)
    )
    return Dialogue(path.stem, str(root.get("lang", "")), user, next(others, "?"), turns, questions)


def read_wrong_questions(path: Path) -> frozenset[str]:
    """The questions that a list of errors in a key names (`[{question}]`). Raises `ImportFailed`."""
    root = _load(path)
    if not isinstance(root, list):
        raise ImportFailed(name=path.name, detail="it is no list of questions")
    return frozenset(str(row["question"]) for row in root if isinstance(row, dict) and "question" in row)


def _load(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ImportFailed(name=path.name, detail=error.strerror or "it cannot be read") from error
    except ValueError as error:
        raise ImportFailed(name=path.name, detail="it is no JSON") from error


def _turn(given: Mapping[str, object]) -> Turn:
    session = given.get("sess")
    return Turn(
        speaker=str(given.get("spk", "")),
        role=str(given.get("role", "")),
        kind=str(given.get("kind", "")),
        text=str(given.get("text", "")),
        session=session if isinstance(session, int) else 0,
    )


def _question(given: Mapping[str, object], turns: int) -> Question:
    found = given.get("ev")
    evidence = tuple(
        place for place in (found if isinstance(found, list) else ()) if isinstance(place, int) and 0 <= place < turns
    )
    return Question(str(given["q"]), str(given.get("cat", "")), evidence)
