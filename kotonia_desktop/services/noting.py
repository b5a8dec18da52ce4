"""Looks a folded range through once more: rows for the ledger, open matters, a line worth keeping.

Behind every chapter, in the background. Code finds the rows and says what they are; a model that is large enough says
which messages matter, what is settled and what contradicts what, by numbers and likelihoods alone. All of one range is
stored at once or not at all, so a crash repeats it and doubles nothing.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.errors import KotoniaError, MessageTooLong
from kotonia_desktop.domain.ledger import LedgerRow, LinkKind, NewLink, NewRow
from kotonia_desktop.domain.memory import NOTES, NewAttempt
from kotonia_desktop.domain.pins import NewPin, PinnedBy
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.domain.threads import NewThreadEvent, ThreadEventKind, ThreadState
from kotonia_desktop.memory.asking import Question, contradicts_asked, ids_asked, parse_ids, settled_asked
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.claims import candidates_for, contradiction, log_odds
from kotonia_desktop.memory.matters import closest, decide, matters_of, says_settled, state_of
from kotonia_desktop.memory.row_writing import code_links, most_rows, rows_of
from kotonia_desktop.memory.weighing import Candidate, candidates_of
from kotonia_desktop.memory.writing import TextWriter
from kotonia_desktop.services.head_lines import Remembered, read_remembered
from kotonia_desktop.services.questions import yes_no
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_MOST_PAIRS = 12
"""So many pairs of rows one range asks the model about."""
_MOST_MATTERS = 6
_CONTROLS = 2
_LOOKED_AT = 150
"""So many of the newest matters are looked at in one range: what came before is asleep."""
_TRUSTED = 3_000_000_000
"""Parameters from which on a model's word opens a matter: what one of 1.5 billion took for one was not (measured)."""
_REMEMBERED = 600
"""So many of the newest rows are looked at for what was said before."""
_LONGEST_PIN = 300
"""Characters of a line that is kept without being asked for."""


@dataclass(frozen=True, slots=True)
class Picks:
    """The ids of messages a model named: those that matter, those that open a matter, the one to keep."""

    mattering: tuple[int, ...] = ()
    opening: tuple[int, ...] = ()
    keeping: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking. `error` is a code where the engine could not answer ("cancelled" among them)."""

    picks: Picks = Picks()
    model: bool = True
    """False: the range is more than this model reads, so nothing else is asked either."""
    error: str = ""


class NoteTaker:
    """Takes notes of one range at a time. Blocks on the store and the engine."""

    def __init__(self, store: StoreThread, engine: ChatEngine) -> None:
        self._store = store
        self._engine = engine

    def take(
        self,
        conversation_id: int,
        fold_id: int,
        task: WritingTask,
        writer: TextWriter | None,
        attempted: Callable[[NewAttempt], None],
        stopped: threading.Event,
    ) -> str:
        """Take and store the notes of a fold's range; `writer` None: by code alone. The code of the error that ended
        it ("cancelled" once `stopped`), "" where it is done. Nothing is stored where it was ended."""
        remembered = self._store.run(lambda s: read_remembered(s, conversation_id, _REMEMBERED))
        asked = Asked(model=False) if writer is None else self._ask(task, writer, attempted)
        if asked.error:
            return asked.error
        picks = asked.picks
        judge = _Judge(self._engine, f"memory of {conversation_id}", task.language, stopped) if asked.model else None
        try:
            tokens = sum(self._engine.count_texts([line.text for line in task.lines]))
            rows = rows_of(task, remembered.rows, most_rows(tokens), picks.mattering)
            first_id = 1 + max((row.id for row in remembered.rows), default=0)
            new = as_stored(rows, first_id)
            links = _links(new, remembered, task.language, judge)
            openings = [
                (title, opening_event(candidate, fold_id))
                for candidate, title in matters_of(task, remembered.threads, picks.opening, trusted=self._is_trusted())
            ]
            notes = TakenNotes(
                rows=tuple(rows),
                openings=tuple(openings),
                events=tuple(_matters(task, remembered, fold_id, judge)),
                pin=pin_of(task, picks, fold_id),
            )
        except _Stopped:
            return "cancelled"
        except KotoniaError as error:
            return error.code
        self._store.run(lambda s: keep_notes(s, conversation_id, fold_id, notes, links, first_id))
        return ""

    def _is_trusted(self) -> bool:
        model = self._engine.model
        return model is not None and model.parameters >= _TRUSTED

    def _ask(self, task: WritingTask, writer: TextWriter, attempted: Callable[[NewAttempt], None]) -> Asked:
        """Have the model name the messages that matter. `attempted` is told of each answer."""
        found: dict[str, tuple[int, ...]] = {}
        for kind in ("mattering", "opening", "keeping"):
            written = writer.write(ids_asked(task, kind))
            if written.error == MessageTooLong.code:
                return Asked(model=False)  # no model of this window reads it: code alone takes the notes
            if written.error:
                return Asked(error=written.error)
            attempted(NewAttempt(f"{NOTES}, {kind}", written.text, written.finish, None, written.stats))
            found[kind] = tuple(parse_ids(written.text, task))
        return Asked(Picks(**found))


class _Stopped(Exception):
    """The work is to end; what was asked so far is given up."""


class _Judge:
    """Asks the model for likelihoods, until it is told to stop."""

    def __init__(self, engine: ChatEngine, owner: str, language: str, stopped: threading.Event) -> None:
        self._engine = engine
        self._owner = owner
        self._language = language
        self._stopped = stopped

    def odds(self, question: Question) -> float:
        """The log odds of yes, in nats."""
        if self._stopped.is_set():
            raise _Stopped
        return log_odds(yes_no(self._engine, question.items, self._language, self._owner))


def _links(new: Sequence[LedgerRow], remembered: Remembered, language: str, judge: _Judge | None) -> list[NewLink]:
    """What new rows say of earlier ones: what code can tell, and what the model is sure of (`judge`)."""
    earlier = (*remembered.rows, *new)
    links = code_links(new, earlier, language)
    if judge is None:
        return links
    linked = {(link.row_id, link.earlier_id) for link in links}
    pairs = [
        (row, old, kind) for row in new for old, kind in candidates_for(row, earlier) if (row.id, old.id) not in linked
    ]
    for row, old, kind in pairs[:_MOST_PAIRS]:
        same = kind is LinkKind.CHANGED_STORY
        others = [other for other in new if other.id != row.id and other.told_by != old.told_by][:_CONTROLS]
        if not others:
            continue
        asked, *controls = (
            judge.odds(contradicts_asked(old.text, other.text, language, same_speaker=same)) for other in (row, *others)
        )
        link = contradiction(row, old, kind, asked, controls)
        if link is not None:
            links.append(link)
    return links


def _matters(
    task: WritingTask, remembered: Remembered, fold_id: int, judge: _Judge | None
) -> list[tuple[int, NewThreadEvent]]:
    """What a range does to the matters that are not settled: events by the matter's id."""
    candidates = candidates_of(task)
    events: list[tuple[int, NewThreadEvent]] = []
    for thread in reversed(remembered.threads[-_LOOKED_AT:]):
        if len(events) == _MOST_MATTERS:
            break
        if state_of(thread, remembered.chapter_ends) is ThreadState.CLOSED:
            continue
        line = closest(thread.title, candidates, task.language)
        if line is None:
            continue
        kind, score = _decide(thread.title, line, candidates, task.language, judge)
        source = line.evidence.sources[0]
        event = NewThreadEvent(kind, source.message_id, source.revision_id, line.text, fold_id, score=round(score, 3))
        events.append((thread.id, event))
    return events


def _decide(
    title: str, line: Candidate, candidates: Sequence[Candidate], language: str, judge: _Judge | None
) -> tuple[ThreadEventKind, float]:
    """What a line does to a matter, and the nats that speak for its end."""
    hint = says_settled(line.evidence.text, language)
    if judge is None:
        return decide(None, (), hint), 0.0
    # The matter's own first line settles nothing, and neither does a line about something else.
    unrelated = [c.text for c in candidates if not c.about & line.about][:1]
    asked, *controls = (judge.odds(settled_asked(title, text, language)) for text in (line.text, title, *unrelated))
    return decide(asked, controls, hint), asked - sum(controls) / len(controls)


def pin_of(task: WritingTask, picks: Picks, fold_id: int) -> NewPin | None:
    """The line that the model wants kept, as a place in its message: all of what is said there, where short."""
    for line in task.lines:
        if line.message_id in picks.keeping and 0 < line.length <= _LONGEST_PIN:
            return NewPin(line.message_id, line.revision_id, 0, line.length, PinnedBy.MODEL, fold_id)
    return None


@dataclass(frozen=True, slots=True)
class TakenNotes:
    """The notes of one range, before they are stored."""

    rows: tuple[NewRow, ...]
    openings: tuple[tuple[str, NewThreadEvent], ...]
    events: tuple[tuple[int, NewThreadEvent], ...]
    pin: NewPin | None


def opening_event(candidate: Candidate, fold_id: int) -> NewThreadEvent:
    """The event that opens a matter with a sentence."""
    source = candidate.evidence.sources[0]
    return NewThreadEvent(
        ThreadEventKind.OPENED, source.message_id, source.revision_id, candidate.text, fold_id=fold_id
    )


def as_stored(rows: Sequence[NewRow], first_id: int) -> list[LedgerRow]:
    """Rows as they will be once they are stored behind each other, so that they can be asked about before."""
    return [
        replace(LedgerRow(**{name: getattr(row, name) for name in NewRow.__dataclass_fields__}), id=first_id + place)
        for place, row in enumerate(rows)
    ]


def keep_notes(
    store: Store, conversation_id: int, fold_id: int, notes: TakenNotes, links: Sequence[NewLink], first_id: int
) -> None:
    """Store the notes of a range, and that it was looked through, in the caller's transaction. `links` name new rows
    by the ids that they were given from `first_id` on."""
    ids = store.add_rows(conversation_id, notes.rows, fold_id)
    real = {first_id + place: row_id for place, row_id in enumerate(ids)}
    store.link_rows(
        [
            replace(
                link,
                row_id=real.get(link.row_id, link.row_id),
                earlier_id=real.get(link.earlier_id, link.earlier_id),
            )
            for link in links
        ]
    )
    for thread_id, event in notes.events:
        store.add_thread_event(thread_id, event)
    for title, event in notes.openings:
        store.open_thread(conversation_id, title, event)
    if notes.pin is not None:
        store.add_pin(conversation_id, notes.pin)
    store.set_noted(fold_id)
