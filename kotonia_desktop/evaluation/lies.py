"""What memory makes of planted lies and open matters: a dialogue is imported with them and folded as production folds,
and what is stored is looked at. No judge: a claim is found by its message, a matter by the message that opened it.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path

from kotonia_desktop.domain.ledger import Note
from kotonia_desktop.domain.memory import Item, Truth
from kotonia_desktop.domain.threads import ThreadEventKind, ThreadState
from kotonia_desktop.evaluation.dialogues import Dialogue
from kotonia_desktop.evaluation.planting import Planted, PlantedQuestion, plant
from kotonia_desktop.memory.phrases import reports
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import RememberedView


@dataclass
class LieCounts:
    """Counts over planted items whose lines were folded.

    `claims` are lies (and claims never shown to be false); `rows_as_claims`, `rows_as_facts` are ledger rows made from
    their lines, by what code made of them; `two_sides` those that were linked with what shows them false, of
    `shown_false`; `wrong_sides` links of anything else. `prose` are sentences of chapters made from a claim's line,
    `prose_as_facts` those that stand as a fact, `prose_bare` those that name no speaker and no saying. Of matters:
    `matters` planted, `opened`, `closed_right` of `to_close`, `asked_right` (the user was asked), `closed_wrong`;
    `other_matters` were opened by other lines, `others_closed` of them closed.
    """

    claims: int = 0
    rows_as_claims: int = 0
    rows_as_facts: int = 0
    shown_false: int = 0
    two_sides: int = 0
    wrong_sides: int = 0
    prose: int = 0
    prose_as_facts: int = 0
    prose_bare: int = 0
    matters: int = 0
    opened: int = 0
    to_close: int = 0
    closed_right: int = 0
    asked_right: int = 0
    closed_wrong: int = 0
    other_matters: int = 0
    others_closed: int = 0
    chapters: dict[str, int] = field(default_factory=dict)
    """By who wrote them."""
    rejected: int = 0

    def add(self, other: "LieCounts") -> None:
        """Count another's items in."""
        for name in (f.name for f in fields(self) if f.name != "chapters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for kind, number in other.chapters.items():
            self.chapters[kind] = self.chapters.get(kind, 0) + number


def measure_lies(dialogue: Dialogue, seed: int, model: Path, writer: WriterKind, window: int) -> LieCounts:
    """Plant with a random seed, import, fold all that production would fold, and count. Raises `KotoniaError`."""
    planted = plant(dialogue, seed)
    with _folded(planted, model, writer, window) as (kotonia, conversation_id):
        story = kotonia.folding.view(conversation_id)
        texts = [text.chapter for text in (*story.story, *story.merged)]
        until = max((text.last_ordinal for text in texts), default=-1)
        counts = LieCounts()
        for text in texts:
            counts.chapters[text.written_by.value] = counts.chapters.get(text.written_by.value, 0) + 1
        log = kotonia.folding.log(conversation_id)
        counts.rejected = sum(attempt.rejected is not None for fold in log.folds for attempt in fold.attempts)
        remembered = kotonia.memory.view(conversation_id)
        items = [item for text in texts for item in text.items]
        questions = planted.questions
        _count_claims(counts, questions, until, remembered, items, dialogue.language)
        _count_matters(counts, questions, until, remembered)
        return counts


@contextmanager
def _folded(planted: Planted, model: Path, writer: WriterKind, window: int) -> Iterator[tuple[Kotonia, int]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{planted.dialogue.name}.json"
        file.write_text(_as_json(planted.dialogue), encoding="utf-8")
        with Kotonia(Path(folder) / "data") as kotonia:
            kotonia.models.load(model, window=window, vocabulary_only=writer is not WriterKind.MODEL)
            kotonia.folding.writer = writer
            kotonia.folding.reads_ahead = kotonia.folding.reads_now = False
            report = kotonia.importing.import_file(file)
            if report.conversation_id is None:
                raise AssertionError("a dialogue makes a conversation")
            kotonia.folding.work(report.conversation_id, lambda _status: None)
            yield kotonia, report.conversation_id


def _as_json(dialogue: Dialogue) -> str:
    turns = [
        {"spk": turn.speaker, "role": turn.role, "kind": turn.kind, "text": turn.text, "sess": turn.session}
        for turn in dialogue.turns
    ]
    return json.dumps({"id": dialogue.name, "lang": dialogue.language, "user": dialogue.user, "turns": turns})


def _count_claims(
    counts: LieCounts,
    questions: tuple[PlantedQuestion, ...],
    until: int,
    remembered: RememberedView,
    items: list[Item],
    language: str,
) -> None:
    shown: set[tuple[int, int]] = set()
    for question in questions:
        if question.kind not in ("lie", "claim") or question.at[0] > until:
            continue
        counts.claims += 1
        line = question.at[0]
        for note in remembered.notes:
            if line in note.row.ordinals:
                counts.rows_as_facts += note.row.truth is Truth.FACT
                counts.rows_as_claims += note.row.truth is Truth.CLAIM
        for item in items:
            if line in item.ordinals:
                counts.prose += 1
                counts.prose_as_facts += item.truth is Truth.FACT
                named = bool(item.speaker) and item.speaker in item.text
                counts.prose_bare += not named and not reports(item.text, language)
        if question.kind == "lie" and question.at[-1] <= until:
            counts.shown_false += 1
            shown.add((line, question.at[-1]))
    for note in remembered.notes:
        pair = _pair(note)
        if pair is not None:
            counts.two_sides += pair in shown
            counts.wrong_sides += pair not in shown


def _pair(note: Note) -> tuple[int, int] | None:
    """The lines of a claim and of the fact against it."""
    if note.standing.value != "sides" or note.other is None:
        return None
    return note.row.ordinals[0], note.other.ordinals[0]


def _count_matters(
    counts: LieCounts, questions: tuple[PlantedQuestion, ...], until: int, remembered: RememberedView
) -> None:
    opened = {
        event.ordinal: view
        for view in remembered.threads
        for event in view.thread.events
        if event.kind is ThreadEventKind.OPENED
    }
    planted: set[int] = set()
    for question in questions:
        if not question.kind.startswith("thread") or question.at[0] > until:
            continue
        counts.matters += 1
        planted.add(question.at[0])
        closes = question.kind == "thread_closed" and question.at[-1] <= until
        counts.to_close += closes
        view = opened.get(question.at[0])
        if view is None:
            continue
        counts.opened += 1
        closed = view.state is ThreadState.CLOSED
        counts.closed_right += closed and closes
        counts.closed_wrong += closed and not closes
        counts.asked_right += closes and not closed and view.doubt is not None
    others = [view for ordinal, view in opened.items() if ordinal not in planted]
    counts.other_matters = len(others)
    counts.others_closed = sum(view.state is ThreadState.CLOSED for view in others)
