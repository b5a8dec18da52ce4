"""The errata slip: what stands in the memory head and is no longer so, said in the note of the newest message.

The head itself changes only when its new beginning was read in the background; the next reply must not wait for that.
"""

from collections.abc import Callable, Sequence

from kotonia_desktop.domain.hand import Hand, Target, hands
from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.ledger import RowOrigin
from kotonia_desktop.domain.memory import LineKind, Truth
from kotonia_desktop.domain.threads import ThreadState
from kotonia_desktop.memory.matters import state_of
from kotonia_desktop.services.prompting import Scene
from kotonia_desktop.store.store import Store

MOST_TOKENS = 160
_LONGEST = 240
"""Characters of one quoted line."""
_ROWS = (LineKind.KNOWN, LineKind.OWN_WORD, LineKind.TOLD, LineKind.SIDES, LineKind.CHANGED, LineKind.CARRIED)
_WORDS = {
    "false": {"en": "It is not true: {old}", "ja": "本当ではない：{old}", "zh": "不是真的：{old}"},
    "edited": {
        "en": "Not “{old}” but: {new}",
        "ja": "「{old}」ではなく：{new}",
        "zh": "不是“{old}”，而是：{new}",
    },
    "claim": {"en": "Only said, not known: {old}", "ja": "話に聞いただけ：{old}", "zh": "只是说说：{old}"},
    "fact": {"en": "It is so: {old}", "ja": "事実：{old}", "zh": "属实：{old}"},
    "message": {
        "en": "Message #{number} now reads: {new}",
        "ja": "メッセージ#{number}は今はこう：{new}",
        "zh": "消息#{number}现在是：{new}",
    },
    "settled": {"en": "Settled: {old}", "ja": "片づいたこと：{old}", "zh": "已经了结：{old}"},
    "open": {"en": "Not settled yet: {old}", "ja": "まだ片づいていないこと：{old}", "zh": "尚未了结：{old}"},
}
_HEADING = {
    "en": "Correction of the memory: {text}",
    "ja": "記憶の訂正：{text}",
    "zh": "对记忆的更正：{text}",
}


def errata_lines(store: Store, scene: Scene) -> list[str]:
    """What the user changed since the head was made and what stands there, newest first. What a note in view says
    already is not said again."""
    conversation_id = scene.conversation.id
    acts = store.acts(conversation_id, scene.recorded.hand_seen)
    if not acts:
        return []
    known = hands(store.acts(conversation_id))
    touched = list(dict.fromkeys((act.target, act.target_id) for act in acts))
    said = [message.note for message in scene.messages if message.note]
    lines = (
        _line(store, scene, target, number, known[target, number], scene.conversation.language)
        for target, number in reversed(touched)
    )
    return [line for line in lines if line and not any(line in note for note in said)]


def errata_text(lines: Sequence[str], language: str, count: Callable[[str], int]) -> str:
    """As many lines (newest first) as `MOST_TOKENS` hold, as one slip; "" for none. `count` gives a text's tokens."""
    kept: list[str] = []
    left = MOST_TOKENS
    for line in lines:
        cost = count(line)
        if cost <= left:
            left -= cost
            kept.append(line)
    return pick(_HEADING, language).format(text=" ".join(reversed(kept))) if kept else ""


def _line(store: Store, scene: Scene, target: Target, number: int, hand: Hand, language: str) -> str:
    if target is Target.MESSAGE:
        message = store.message(number)
        words = pick(_WORDS["message"], language)
        return words.format(number=message.ordinal + 1, new=_short(message.text))
    if target is Target.THREAD:
        return _thread_line(store, scene, number, language)
    if target is Target.TEXT:
        return ""
    old = _shown(store, scene, target, number)
    if target is Target.ROW and not old:
        return _new_fact(store, number, hand, language)
    if not old:
        return ""
    if hand.false:
        return pick(_WORDS["false"], language).format(old=_short(old))
    if hand.text is not None and hand.text != old:
        return pick(_WORDS["edited"], language).format(old=_short(old), new=_short(hand.text))
    if hand.truth is not None:
        kind = "claim" if hand.truth is Truth.CLAIM else "fact"
        return pick(_WORDS[kind], language).format(old=_short(old))
    return ""


def _shown(store: Store, scene: Scene, target: Target, number: int) -> str:
    """The words of an item as they stand in the head, "" where it does not."""
    if target is Target.ITEM:
        if number not in scene.recorded.item_ids:
            return ""
        own = [line.text for line in scene.recorded.lines if (line.kind, line.id) == (LineKind.ITEM, number)]
        return own[0] if own else next((entry.item.text for entry in store.items([number])), "")
    kinds = _ROWS if target is Target.ROW else (LineKind.PIN,)
    return next((line.text for line in scene.lines if line.kind in kinds and line.id == number), "")


def _new_fact(store: Store, number: int, hand: Hand, language: str) -> str:
    """A fact that the user typed, before it stands in the head."""
    rows = [row for row in store.ledger_rows([number]) if row.origin is RowOrigin.USER]
    if not rows or hand.leaves:
        return ""
    return pick(_WORDS["fact"], language).format(old=_short(rows[0].text if hand.text is None else hand.text))


def _thread_line(store: Store, scene: Scene, number: int, language: str) -> str:
    shown = next((line for line in scene.lines if (line.kind, line.id) == (LineKind.THREAD, number)), None)
    thread = next((t for t in store.threads(scene.conversation.id) if t.id == number), None)
    if thread is None:
        return ""
    closed = state_of(thread, ()) is ThreadState.CLOSED
    if closed and shown is not None:
        return pick(_WORDS["settled"], language).format(old=_short(shown.text))
    if closed or shown is not None or not any(event.by_user for event in thread.events):
        return ""
    return pick(_WORDS["open"], language).format(old=_short(thread.title))


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
