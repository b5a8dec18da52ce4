"""How often the message that answers a question is among the first five that a search for the question finds.

The search is the one a recollection comes from, on a real data file. Beside it stand two controls over the same texts
and the same question, without the speakers' names: SQLite's own ways to cut words. Found means: the message itself or
one beside it, for neighbours come along with a hit.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kotonia_desktop.domain.library import CharacterCard, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.evaluation.controls import CONTROLS, control_search
from kotonia_desktop.evaluation.dialogues import ADVERSARIAL, Dialogue, Question
from kotonia_desktop.evaluation.planting import plant
from kotonia_desktop.store.messages import NewMessage
from kotonia_desktop.store.store import Store

AT = 5
BESIDE = 1
OURS = "ours"
ARMS = (OURS, *CONTROLS)
Search = Callable[[str], Sequence[int]]
"""A question's hits as indexes of turns, best first."""


@dataclass
class Recall:
    """How many of the questions asked found their evidence, in each arm."""

    asked: int = 0
    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ARMS, 0))

    def share(self, arm: str) -> float:
        """Found over asked, 0 where nothing was asked."""
        return self.found[arm] / self.asked if self.asked else 0.0

    def add(self, other: "Recall") -> None:
        """Count another's questions in."""
        self.asked += other.asked
        for arm, number in other.found.items():
            self.found[arm] += number


def planted_recall(dialogue: Dialogue, seeds: Iterable[int]) -> Recall:
    """Recall of the facts that are planted in a dialogue, over some random seeds. Raises `ImportFailed`."""
    total = Recall()
    for seed in seeds:
        planted = plant(dialogue, seed)
        questions = [Question(q.text, q.kind, q.at) for q in planted.questions if q.kind == "fact"]
        total.add(_measured(planted.dialogue, questions))
    return total


def evidence_recall(dialogue: Dialogue, wrong: frozenset[str] = frozenset()) -> Recall:
    """Recall of a dialogue's own questions that have an answer in it, without those that are known to be `wrong`."""
    questions = [q for q in dialogue.questions if q.evidence and q.kind != ADVERSARIAL and q.text not in wrong]
    return _measured(dialogue, questions) if questions else Recall()


def _measured(dialogue: Dialogue, questions: Sequence[Question]) -> Recall:
    result = Recall()
    with searches(dialogue) as arms:
        for question in questions:
            result.asked += 1
            for arm, search in arms.items():
                hits = search(question.text)
                near = any(abs(hit - place) <= BESIDE for hit in hits for place in question.evidence)
                result.found[arm] += near
    return result


@contextmanager
def searches(dialogue: Dialogue) -> Iterator[Mapping[str, Search]]:
    """The dialogue as a conversation of a new data file, and ways to search it: ours, and the controls."""
    names = (dialogue.char, dialogue.user)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "kotonia.db") as store:
        conversation = _filled(store, dialogue)

        def ours(question: str) -> Sequence[int]:
            return [hit.ordinal for hit in store.ranked(conversation, question, names, limit=AT)]

        texts = [turn.text for turn in dialogue.turns]
        with control_search(texts, names, AT) as controls:
            yield {OURS: ours, **controls}


def _filled(store: Store, dialogue: Dialogue) -> int:
    character = store.add_character(CharacterCard(name=dialogue.char))
    persona = store.add_persona(dialogue.user, "")
    made = store.add_conversation(
        character.id, persona.id, dialogue.name, dialogue.language, ReplyFormat.PROSE, ProseMarkup()
    )
    store.append_many(
        made.id,
        [
            NewMessage(
                Role.USER if turn.speaker == dialogue.user else Role.CHARACTER, turn.speaker, NewRevision(turn.text)
            )
            for turn in dialogue.turns
        ],
    )
    return made.id
