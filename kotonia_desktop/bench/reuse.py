"""How much of each turn's prompt is still in the model's cache, over the turns of a real dialogue.

The user's lines of a dialogue file are sent one by one through the same services as the window's; the model writes
its own short replies. Outside stated exceptions `reuse` is 1.0: reused tokens over prompt tokens less what is new.
`--break-prefix` is the control: it edits the greeting before every turn, which must be noticed.
"""

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.messages import GenerationStats, Message, Role
from kotonia_desktop.services.chat import Send
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import TurnEvent, TurnFailed, TurnFinished


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn: the prompt's tokens, those in the cache, those read again, and what was stated about it."""

    turn: int
    prompt: int
    reused: int
    reread: int
    reply: int
    exception: str
    """Why the turn could not reuse everything, or "" (`first`, `cut`: old turns left the window, `retokenised`)."""

    @property
    def reuse(self) -> float:
        """Reused over what could have been reused."""
        could = self.reused + self.reread
        return self.reused / could if could else 1.0


class _Catch:
    """Keeps how a turn ended."""

    def __init__(self) -> None:
        self.message: Message | None = None
        self.out_of_sight: tuple[int, int] | None = None
        self.error: KotoniaError | None = None

    def __call__(self, event: TurnEvent) -> None:
        if isinstance(event, TurnFinished):
            self.message, self.out_of_sight = event.message, event.out_of_sight
        elif isinstance(event, TurnFailed):
            self.error = event.error


def measure(
    dialogues: list[Path],
    model: Path,
    turns: int,
    *,
    window: int = 8192,
    reply_tokens: int = 16,
    language: str = "en",
    break_prefix: bool = False,
    tell: Callable[[TurnRow], None],
) -> list[TurnRow]:
    """Send `turns` of the dialogues' user lines to the starter character of `language`; one row each.

    Works in a data folder of its own that is removed afterwards. Raises `KotoniaError`.
    """
    rows: list[TurnRow] = []
    with tempfile.TemporaryDirectory() as folder, Kotonia(Path(folder)) as kotonia:
        lines: list[str] = []
        for file in dialogues:
            report = kotonia.importing.import_file(file)
            source = kotonia.chat.page(report.conversation_id or 0, limit=100_000).messages
            lines += [message.text for message in source if message.role is Role.USER]
        kotonia.models.load(model, window=window)
        kotonia.settings.set("reply.max_tokens", reply_tokens)
        kotonia.settings.set("reply.soft_landing", False)
        kotonia.settings.set("chat.persona_guard", False)
        kotonia.library.ensure_starters()
        character = next(c for c in kotonia.library.characters() if c.starter == language)
        persona, _ = kotonia.library.save_persona("Haru", "")
        conversation, _ = kotonia.library.create_conversation(character.id, persona.id)
        greeting = kotonia.chat.page(conversation.id).messages[0]
        out_before: tuple[int, int] | None = None
        whole_ids = True
        for turn, line in enumerate(lines[:turns], 1):
            if break_prefix and turn > 1:
                kotonia.chat.edit(greeting.id, f"{turn}. {greeting.text}")
            caught = _Catch()
            kotonia.chat.run(Send(conversation.id, line), caught)
            if caught.error is not None:
                raise caught.error
            if caught.message is None:
                continue
            stats = caught.message.revision.stats or GenerationStats()
            exception = "first" if turn == 1 else ""
            if caught.out_of_sight != out_before:
                exception = "cut"
            elif not whole_ids:
                exception = "retokenised"
            out_before = caught.out_of_sight
            whole_ids = caught.message.revision.token_ids is not None
            row = TurnRow(
                turn, stats.prompt_tokens, stats.reused_tokens, stats.reread_tokens, stats.reply_tokens, exception
            )
            rows.append(row)
            tell(row)
    return rows


def summary(rows: list[TurnRow]) -> dict[str, float | int]:
    """Least and middle reuse over the turns without a stated exception, and how many of each exception there were."""
    plain = [row for row in rows if not row.exception]
    counted = {
        f"exception_{name}": sum(row.exception == name for row in rows) for name in ("first", "cut", "retokenised")
    }
    return {
        "turns": len(rows),
        "reuse_min": min((row.reuse for row in plain), default=1.0),
        "reuse_median": statistics.median([row.reuse for row in plain]) if plain else 1.0,
        "reread_max": max((row.reread for row in plain), default=0),
        "reread_sum": sum(row.reread for row in plain),
        "prompt_last": rows[-1].prompt if rows else 0,
        **counted,
    }
