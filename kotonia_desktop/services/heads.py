"""The prompt's beginning: when written chapters move into the memory head, and what the fold policy looks at.

Only this module changes the head. It does so between two turns, or at the beginning of a turn that would otherwise
reach the ceiling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kotonia_desktop.domain.hand import Target
from kotonia_desktop.domain.memory import Chapter, FoldState, HeadLine, HeadState, Item, LineKind
from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.lines import LabelledLine, labelled_lines
from kotonia_desktop.memory.merging import fit_texts
from kotonia_desktop.memory.plan import Line, Pending, Situation, boundary_to_apply
from kotonia_desktop.memory.policy import FoldPolicy
from kotonia_desktop.memory.scenes import break_before
from kotonia_desktop.prompt.head import HeadText, head_parts
from kotonia_desktop.services.head_lines import head_lines, living_items, read_remembered
from kotonia_desktop.services.prompting import LEAST_REPLY, CountedPrompt, Prompter, Scene, read_scene
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_HEAD_FRAME = 64
"""Tokens that the marks around the head's sentences take, about: they are joined otherwise than they were counted."""
_TURN_MARKS = 8
"""Tokens by which the marks between two turns may differ, by what stands before them."""
_QUEUE_PAGE = 300
"""How many messages out of sight are looked at in one go: more than one chapter ever stands for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A conversation as the policy sees it, with the values behind it."""

    scene: Scene
    prompt: CountedPrompt
    situation: Situation
    texts: tuple[Chapter, ...]
    """The texts no part was made of, oldest first."""
    text_tokens: dict[int, int]
    """Tokens of each of them."""
    messages: tuple[Message, ...]
    """The messages behind `situation.lines`, in their order."""
    children: dict[int, tuple[Chapter, ...]] = field(default_factory=dict)
    """What parts were made of that do not stand in the head yet."""

    def up_to(self, until: int) -> list[Chapter]:
        """The texts that stand for the messages up to ordinal `until` and no others: a part that reaches further is
        taken apart again."""

        def apart(text: Chapter) -> Iterator[Chapter]:
            if text.last_ordinal <= until:
                yield text
            else:
                for child in self.children.get(text.id, ()):
                    yield from apart(child)

        return [text for root in self.texts for text in apart(root)]

    @property
    def written(self) -> list[Chapter]:
        """Every text that does not stand in the head yet, those that a part was made of since among them."""
        found = [*self.texts, *(child for group in self.children.values() for child in group)]
        return sorted((t for t in found if t.state is FoldState.WRITTEN), key=lambda t: (t.first_ordinal, t.level))


@dataclass(frozen=True, slots=True)
class NextHead:
    """What the memory head becomes: the items in it, the messages it stands for (up to ordinal `until`), and the folds
    that are done with it."""

    until: int | None
    item_ids: tuple[int, ...]
    fold_ids: tuple[int, ...]
    lines: tuple[HeadLine, ...] = ()
    hand_seen: int = 0

    @property
    def state(self) -> HeadState:
        """What the store will say of it."""
        reason = "fold" if self.fold_ids else "hand"
        return HeadState(self.until, self.item_ids, reason, 0.0, self.lines, self.hand_seen)


class HeadKeeper:
    """Reads the situation and applies what is written. Blocks on the store and the engine."""

    def __init__(self, store: StoreThread, engine: ChatEngine, prompter: Prompter) -> None:
        self._store = store
        self._engine = engine
        self._prompter = prompter

    def prompt(self, conversation_id: int, model: LoadedModel) -> tuple[Scene, CountedPrompt]:
        """The prompt as it stands, nothing left out at the ceiling: what it would be is what the policy decides on."""
        scene = self._store.run(lambda s: read_scene(s, conversation_id, room=model.chat_cells))
        return scene, self._prompter.prompt(scene, model, cut=False)

    def read(
        self, conversation_id: int, model: LoadedModel, known: tuple[Scene, CountedPrompt] | None = None
    ) -> Reading:
        """What the policy looks at. `known` is the prompt where it has just been made."""
        scene, prompt = known or self.prompt(conversation_id, model)
        texts, behind = self._store.run(lambda s: (tuple(s.unmerged(conversation_id)), _behind(s, scene, prompt)))
        children = self._children(conversation_id, texts)
        counts = self.count_items(texts)
        in_prompt = _tokens_by_ordinal(prompt)
        until = prompt.out_until if prompt.out_until is not None else -1
        lines = self._lines(scene, behind, {k: n for k, n in in_prompt.items() if k > until})
        situation = Situation(prompt.fixed, prompt.head, prompt.out_until, (), lines)
        reading = Reading(scene, prompt, situation, texts, counts, behind, children)
        pending = tuple(
            Pending(
                text.first_ordinal,
                text.last_ordinal,
                sum(n for ordinal, n in in_prompt.items() if text.first_ordinal <= ordinal <= text.last_ordinal),
                _text_tokens(text, reading),
            )
            for text in reading.written
            if text.level == 0
        )
        return replace(reading, situation=replace(situation, pending=pending))

    def _children(self, conversation_id: int, texts: Sequence[Chapter]) -> dict[int, tuple[Chapter, ...]]:
        """What the parts among `texts` that wait for the head were made of, down to the chapters."""
        waiting = [text for text in texts if text.level > 0 and text.state is FoldState.WRITTEN]
        if not waiting:
            return {}
        known = {text.id: text for text in self._store.run(lambda s: s.chapters(conversation_id))}
        found: dict[int, tuple[Chapter, ...]] = {}
        while waiting:
            part = waiting.pop()
            found[part.id] = tuple(known[number] for number in part.parts if number in known)
            waiting += [child for child in found[part.id] if child.level > 0]
        return found

    def is_at_rest(self, scene: Scene, prompt: CountedPrompt) -> bool:
        """True where a look at the prompt says that nothing can be due: under the trigger, with nothing queued,
        nothing written ahead or to be looked through, no mark and no act of the user's. Most turns end here, and the
        rest need not be read."""
        covered = -1 if scene.covered_until is None else scene.covered_until
        marked = any(message.ends_chapter and message.ordinal > covered for message in scene.messages)
        written_ahead = scene.covered_until != prompt.out_until
        if prompt.total > prompt.policy.trigger or marked or written_ahead:
            return False
        conversation_id = scene.conversation.id
        to_note, last_act = self._store.run(lambda s: (s.next_to_note(conversation_id), s.last_act(conversation_id)))
        return to_note is None and last_act <= scene.recorded.hand_seen

    def count_items(self, texts: Sequence[Chapter]) -> dict[int, int]:
        """Tokens of each text's items that are still true."""
        counts = self._engine.count_texts([item.text for text in texts for item in text.items])
        found = iter(counts)
        return {text.id: sum(next(found) for _ in text.items) for text in texts}

    def _lines(self, scene: Scene, messages: Sequence[Message], in_prompt: dict[int, int]) -> tuple[Line, ...]:
        labelled = {line.ordinal: line for line in read_lines(scene, messages)}
        order = list(labelled.values())
        counts = dict(zip(labelled, self._engine.count_texts([line.text for line in order]), strict=True))
        lines: list[Line] = []
        before: Message | None = None
        for message in messages:
            lines.append(
                Line(
                    ordinal=message.ordinal,
                    tokens=in_prompt.get(message.ordinal, 0),
                    labelled=counts.get(message.ordinal, 0),
                    begins_turn=message.role is Role.USER,
                    break_before=0.0 if before is None else break_before(before, message),
                    ends_chapter=message.ends_chapter,
                )
            )
            before = message
        return tuple(lines)

    def for_turn(self, scene: Scene, before: int, model: LoadedModel) -> tuple[Scene, CountedPrompt]:
        """The prompt that is sent for the reply at ordinal `before`. Where it reaches the ceiling, what is written
        moves into the head first; what still does not fit leaves without a chapter, which is recorded."""
        conversation_id = scene.conversation.id
        prompt = self._prompter.prompt(scene, model)
        if prompt.out_until in (None, scene.recorded.until) and prompt.total <= model.chat_cells - LEAST_REPLY:
            return scene, prompt
        if self.apply_due(conversation_id, model, finished=False):
            scene = self._store.run(lambda s: read_scene(s, conversation_id, before, model.chat_cells))
            prompt = self._prompter.prompt(scene, model)
        until = prompt.out_until
        over = prompt.total - (model.chat_cells - LEAST_REPLY)
        recorded = scene.recorded
        items, lines = self._yielding(scene, over) if over > 0 else (recorded.item_ids, recorded.lines)
        if until is not None and (until, items, lines) != (recorded.until, recorded.item_ids, recorded.lines):
            self._store.run(lambda s: s.set_head(conversation_id, until, items, "ceiling", lines, recorded.hand_seen))
        if over > 0 and (items, lines) != (recorded.item_ids, recorded.lines):
            scene = self._store.run(lambda s: read_scene(s, conversation_id, before, model.chat_cells))
            prompt = self._prompter.prompt(scene, model)
        return scene, prompt

    def _yielding(self, scene: Scene, over: int) -> tuple[tuple[int, ...], tuple[HeadLine, ...]]:
        """The head's items and lines, less so many that the newest message has room beside them: it is `over` tokens
        too long. The lines go first."""
        freed = sum(self._engine.count_texts([line.text for line in scene.lines]))
        over = max(0, over - freed)
        if not over:
            return scene.recorded.item_ids, ()
        sentences = [text.sentences for text in scene.head]
        found = iter(self._engine.count_texts([sentence for text in sentences for sentence in text]))
        sizes = [[next(found) for _ in text] for text in sentences]
        kept = fit_texts(sizes, max(0, sum(map(sum, sizes)) - over - _HEAD_FRAME))
        ids = iter(scene.recorded.item_ids)
        numbered = [[next(ids) for _ in text] for text in sentences]
        return tuple(text[index] for text, indexes in zip(numbered, kept, strict=True) for index in indexes), ()

    def is_due(self, reading: Reading, *, finished: bool, forced: bool = False) -> bool:
        """Whether the head should change now: written texts move into it, or the user changed what stands there.
        `finished`: nothing more is to be written first."""
        due = _boundary(reading, finished=finished, forced=forced) is not None
        return due or (finished and self._is_touched(reading.scene))

    def _is_touched(self, scene: Scene) -> bool:
        """The user did something to the memory since the head was made."""
        conversation_id = scene.conversation.id
        return self._store.run(lambda s: s.last_act(conversation_id)) > scene.recorded.hand_seen

    def apply_due(self, conversation_id: int, model: LoadedModel, *, finished: bool, forced: bool = False) -> bool:
        """Move written texts into the head where the policy asks for it (or the user: `forced`). True where it
        changed."""
        head = self.next_head(self.read(conversation_id, model), finished=finished, forced=forced)
        if head is None:
            return False
        self.apply(conversation_id, head)
        return True

    def next_head(self, reading: Reading, *, finished: bool, forced: bool = False) -> NextHead | None:
        """What the head becomes, where the policy asks for another (or the user: `forced`); nothing is stored."""
        scene = reading.scene
        until = _boundary(reading, finished=finished, forced=forced)
        if until is None:
            if not (finished and self._is_touched(scene)):
                return None
            until = scene.recorded.until
        conversation_id, language = scene.conversation.id, scene.conversation.language
        remembered = self._store.run(lambda s: read_remembered(s, conversation_id))
        texts: list[Chapter] = []
        for text in reading.up_to(-1 if until is None else until):
            items = living_items(text, remembered, language)
            if items:
                texts.append(replace(text, items=tuple(items)))
        found = iter(self._engine.count_texts([item.text for text in texts for item in text.items]))
        sizes = [[next(found) for _ in text.items] for text in texts]
        budgets = reading.prompt.policy
        lines = head_lines(remembered, scene, until, budgets, self._engine.count_texts)
        shown = self._fitting(scene, texts, sizes, budgets, lines)
        item_ids = tuple(item.id for item in shown)
        own = tuple(
            HeadLine(LineKind.ITEM, item.id, item.text) for item in shown if remembered.hand(Target.ITEM, item.id).acts
        )
        done = -1 if until is None else until
        fold_ids = tuple(text.fold_id for text in reading.written if text.last_ordinal <= done)
        return NextHead(until, item_ids, fold_ids, own + lines, remembered.hand_seen)

    def apply(self, conversation_id: int, head: NextHead) -> None:
        """Store what the head becomes: the next prompt begins with it."""
        state = head.state

        def write(store: Store) -> None:
            store.set_head(conversation_id, state.until, state.item_ids, state.reason, state.lines, state.hand_seen)
            store.apply_folds(list(head.fold_ids))

        self._store.run(write)

    def prompt_with(self, conversation_id: int, model: LoadedModel, head: NextHead) -> CountedPrompt:
        """The prompt as it will be with another head, nothing left out at the ceiling."""
        scene = self._store.run(lambda s: read_scene(s, conversation_id, room=model.chat_cells, head=head.state))
        return self._prompter.prompt(scene, model, cut=False)

    def _fitting(
        self,
        scene: Scene,
        texts: Sequence[Chapter],
        sizes: list[list[int]],
        budgets: FoldPolicy,
        lines: Sequence[HeadLine],
    ) -> list[Item]:
        """The items that fit into the texts' share, and with the words around them and `lines` into the head."""
        share = budgets.texts
        while True:
            kept = fit_texts(sizes, share)
            chosen = [[text.items[i] for i in indexes] for text, indexes in zip(texts, kept, strict=True)]
            shown = [HeadText(t.level, tuple(i.text for i in items)) for t, items in zip(texts, chosen, strict=True)]
            language, char, user = scene.conversation.language, scene.card.name, scene.persona.name
            parts = head_parts(shown, language, char, user, lines)
            over = sum(self._engine.count_items([part.item for part in parts]).items) + _TURN_MARKS - budgets.head
            if over <= 0 or not any(chosen):
                return [item for items in chosen for item in items]
            share = min(share, sum(size for row, at in zip(sizes, kept, strict=True) for size in (row[i] for i in at)))
            share -= over


def _boundary(reading: Reading, *, finished: bool, forced: bool) -> int | None:
    """Up to where the messages leave the prompt now; None: the head stays as it is. A part that was made of texts in
    the head takes their place there too, once nothing else is to be written."""
    situation = reading.situation
    until = boundary_to_apply(situation, reading.prompt.policy, finished=finished, forced=forced)
    if until is None and finished and situation.until is not None:
        waits = (
            t.level > 0 and t.state is FoldState.WRITTEN for t in reading.texts if t.last_ordinal <= situation.until
        )
        until = situation.until if any(waits) else None
    return until


def _text_tokens(text: Chapter, reading: Reading) -> int:
    """What a written chapter will take in the head; of one that a part was made of since, its share of that."""
    if text.id in reading.text_tokens:
        return reading.text_tokens[text.id]
    root = next(
        t for t in reading.texts if t.first_ordinal <= text.first_ordinal and text.last_ordinal <= t.last_ordinal
    )
    inside = sum(t.level == 0 and root.first_ordinal <= t.first_ordinal <= root.last_ordinal for t in reading.written)
    return reading.text_tokens[root.id] // max(1, inside)


def read_lines(scene: Scene, messages: Sequence[Message]) -> tuple[LabelledLine, ...]:
    """Messages as the chronicler reads them."""
    return labelled_lines(messages, char=scene.card.name, user=scene.persona.name, language=scene.conversation.language)


def _behind(store: Store, scene: Scene, prompt: CountedPrompt) -> tuple[Message, ...]:
    """The messages no written chapter stands for: out of sight (the oldest of them), then those shown verbatim."""
    covered = -1 if scene.covered_until is None else scene.covered_until
    until = -1 if prompt.out_until is None else prompt.out_until
    queued: list[Message] = []
    if until > covered:
        page = store.page_after(scene.conversation.id, covered, _QUEUE_PAGE)
        queued = [message for message in page if message.ordinal <= until and not message.is_draft]
    shown = [m for m in scene.messages if m.ordinal > max(covered, until) and not m.is_draft]
    return (*queued, *shown)


def _tokens_by_ordinal(prompt: CountedPrompt) -> dict[int, int]:
    """Tokens that each message takes in the prompt, with the note in front of it."""
    found: dict[int, int] = {}
    for part, count in zip(prompt.parts, prompt.tokens, strict=True):
        if part.ordinal is not None:
            found[part.ordinal] = found.get(part.ordinal, 0) + count
    return found
