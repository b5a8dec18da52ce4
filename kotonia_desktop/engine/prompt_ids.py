"""Turns a prompt's items into token ids with the turn grammar, and counts them item by item.

Texts and marks are tokenised apart: a text's tokens never depend on its neighbours, so what was read stays valid, and
a mark's name typed by a user stays text.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kotonia_desktop.domain.models import ReasoningMode
from kotonia_desktop.domain.ports import PromptCount, PromptItem, PromptRole
from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.turn_grammar import TurnGrammar

_CACHED_TEXTS: Final = 4096
_CACHED_CHARACTERS: Final = 8_000_000
_JOINT = "\n\n"
_NAMES = {PromptRole.USER: "User", PromptRole.ASSISTANT: "Assistant"}


class Tokens:
    """A model's tokenizer with a memory: the same text is tokenised once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._known: OrderedDict[tuple[str, bool], tuple[int, ...]] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def ids(self, text: str, special: bool) -> tuple[int, ...]:
        """Ids of a text (`special` False) or of a mark (True). May be called from any thread."""
        key = (text, special)
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
                return found
        ids = tuple(self.model.tokenize(text, special))
        with self._lock:
            if key not in self._known:
                self._known[key] = ids
                self._characters += len(text)
            while len(self._known) > _CACHED_TEXTS or (self._characters > _CACHED_CHARACTERS and len(self._known) > 1):
                self._characters -= len(self._known.popitem(last=False)[0][0])
        return ids


@dataclass(slots=True)
class EncodedPrompt:
    """A prompt's ids. `counts[i]` is what item `i` adds, with the marks in front of it; `opener` opens the reply.

    `lead` is a space that the template writes in front of a reply: the model writes it itself. `system` is how many of
    the ids are the system part's.
    """

    ids: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    opener: int = 0
    lead: str = ""
    system: int = 0

    def count(self) -> PromptCount:
        """The counts alone."""
        return PromptCount(items=tuple(self.counts), opener=self.opener, total=len(self.ids))


@dataclass(slots=True)
class _Turn:
    role: PromptRole
    items: list[PromptItem]


def _turns(items: Sequence[PromptItem]) -> list[_Turn]:
    """Items of one role in a row are one turn. A system item behind the head of the prompt speaks as the user."""
    turns: list[_Turn] = []
    for item in items:
        role = item.role
        if role is PromptRole.SYSTEM and any(turn.role is not PromptRole.SYSTEM for turn in turns):
            role = PromptRole.USER
        if turns and turns[-1].role is role:
            turns[-1].items.append(item)
        else:
            turns.append(_Turn(role, [item]))
    return turns


class PromptEncoder:
    """Encodes prompts for one model. `thinking` is the grammar of replies that may think, None where none do."""

    def __init__(self, model: Model, plain: TurnGrammar | None, thinking: TurnGrammar | None) -> None:
        """`plain` None: plain text completion."""
        self._tokens = Tokens(model)
        self._model = model
        self._plain = plain
        self._thinking = thinking

    @property
    def is_completion(self) -> bool:
        """True where prompts are plain text with names."""
        return self._plain is None

    def grammar(self, mode: ReasoningMode) -> TurnGrammar | None:
        """The grammar in use for a mode; None for plain text completion."""
        return self._thinking if mode is not ReasoningMode.OFF and self._thinking is not None else self._plain

    def may_think(self, mode: ReasoningMode) -> bool:
        """True where a reply's opener lets the model think."""
        grammar = self.grammar(mode)
        return mode is not ReasoningMode.OFF and grammar is not None and bool(grammar.think_opener)

    def text_ids(self, text: str) -> tuple[int, ...]:
        """Ids of a text of the conversation."""
        return self._tokens.ids(text, False)

    def mark_ids(self, mark: str) -> tuple[int, ...]:
        """Ids of a mark."""
        return self._tokens.ids(mark, True)

    def ends(self, mode: ReasoningMode) -> tuple[frozenset[int], tuple[str, ...]]:
        """Tokens and strings by which a model that missed its end token begins the user's turn itself."""
        grammar = self.grammar(mode)
        mark = grammar.reply_user.strip() if grammar is not None else ""
        ids = self.mark_ids(mark) if mark else ()
        if ids and self._model.is_control(ids[0]):
            return frozenset(ids[:1]), ()
        line = mark.split("\n")[0].strip()
        return frozenset(), (line,) if len(line) >= 3 else ()

    def encode(self, items: Sequence[PromptItem], mode: ReasoningMode, continued: bool = False) -> EncodedPrompt:
        """Ids of a prompt with the opener of its reply. The opener of one that is `continued` lets nobody think."""
        grammar = self.grammar(mode)
        if grammar is None:
            return self._encode_plain_text(items)
        return self._encode_turns(items, grammar, self.may_think(mode) and not continued)

    def _add_mark(self, prompt: EncodedPrompt, mark: str) -> str:
        """Add a mark; a space at its end is given back: it belongs to the first word behind it."""
        lead = " " if mark.endswith(" ") else ""
        prompt.ids += self._tokens.ids(mark.removesuffix(lead), True) if mark else ()
        return lead

    def _encode_turns(self, items: Sequence[PromptItem], grammar: TurnGrammar, thinks: bool) -> EncodedPrompt:
        prompt = EncodedPrompt()
        turns = _turns(items)
        with_system = bool(turns) and turns[0].role is PromptRole.SYSTEM
        # The mark in front of a turn, by what stands before it.
        before: PromptRole | None = None
        mark = grammar.start_system if with_system else grammar.start_user
        if self._model.adds_bos and self._tokens.ids(mark, True)[:1] != (self._model.bos,):
            prompt.ids.append(self._model.bos)
        for turn in turns:
            start = len(prompt.ids)
            if before is not None or turn.role is PromptRole.ASSISTANT:
                mark = self._mark_between(grammar, before, turn.role, mark if before is None else "")
            if not prompt.counts:
                start = 0  # the first item pays for the prompt's very beginning
            lead = self._add_mark(prompt, mark)
            if before is PromptRole.SYSTEM:
                prompt.system = start
            for number, item in enumerate(turn.items):
                if number:
                    start = len(prompt.ids)
                    prompt.ids += self._tokens.ids(_JOINT, False)
                    lead = ""
                prompt.ids += self._item_ids(item, lead)
                prompt.counts.append(len(prompt.ids) - start)
            before = turn.role
        start = len(prompt.ids)
        opener = self._mark_between(grammar, before, PromptRole.ASSISTANT, mark if before is None else "")
        if thinks:
            opener = opener.removesuffix(grammar.user_reply) + grammar.think_opener
        prompt.lead = self._add_mark(prompt, opener)
        prompt.opener = len(prompt.ids) - start
        return prompt

    @staticmethod
    def _mark_between(grammar: TurnGrammar, before: PromptRole | None, role: PromptRole, start: str) -> str:
        """The mark between two turns. Where the grammar knows none an empty user's turn stands between them."""
        if role is PromptRole.USER:
            return grammar.system_user if before is PromptRole.SYSTEM else grammar.reply_user
        if before is PromptRole.USER:
            return grammar.user_reply
        into_user = {None: start, PromptRole.SYSTEM: grammar.system_user}.get(before, grammar.reply_user)
        return into_user + grammar.user_reply

    def _item_ids(self, item: PromptItem, lead: str) -> tuple[int, ...]:
        return item.ids if item.ids is not None else self._tokens.ids(lead + item.text, False)

    def _encode_plain_text(self, items: Sequence[PromptItem]) -> EncodedPrompt:
        prompt = EncodedPrompt(lead=" ")
        if self._model.adds_bos:
            prompt.ids.append(self._model.bos)
        speaker = _NAMES[PromptRole.ASSISTANT]
        for number, item in enumerate(items):
            start = len(prompt.ids) if number else 0
            joint = "\n" if number else ""
            if item.role is PromptRole.SYSTEM:
                prompt.ids += self._tokens.ids(joint + item.text + "\n", False)
            else:
                name = item.name or _NAMES[item.role]
                if item.role is PromptRole.ASSISTANT:
                    speaker = name
                prompt.ids += self._tokens.ids(f"{joint}{name}:", False)
                prompt.ids += self._item_ids(item, " ")
            prompt.counts.append(len(prompt.ids) - start)
        start = len(prompt.ids)
        prompt.ids += self._tokens.ids(f"\n{speaker}:" if items else f"{speaker}:", False)
        prompt.opener = len(prompt.ids) - start
        return prompt


def completion_stops(items: Sequence[PromptItem]) -> tuple[str, ...]:
    """What ends a reply in plain text completion: a line that begins as another's turn."""
    names = {item.name or _NAMES[item.role] for item in items if item.role is PromptRole.USER}
    return tuple(f"\n{name}:" for name in sorted(names or {_NAMES[PromptRole.USER]}))
