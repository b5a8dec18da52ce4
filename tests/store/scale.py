"""Measures how the store's costs grow with a conversation: `python tests/store/scale.py [MESSAGES] [BRANCHES]`.

Compares a conversation of 500 messages on one branch with one of 50,000 messages and 500 branches, side branches and
branches that grow out of each other; prints medians in milliseconds and their ratios. Not a test: nothing is asserted.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kotonia_desktop.domain.library import CharacterCard, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import GenerationStats, NewRevision, Role, Segment, SegmentKind
from kotonia_desktop.store.store import Store

WORDS = ("lantern", "harbour", "river", "window", "letter", "winter", "garden", "answer", "morning", "silver")
KANJI = "灯港川窓手紙冬庭答朝銀月雨海山風花雪星空夜声影道森"
ROUNDS = 60


def new_revision(chance: random.Random, model: bool) -> NewRevision:
    """A message of 100 to 400 characters, half Latin, half Japanese; a model's reply with its token ids."""
    latin = " ".join(chance.choices(WORDS, k=chance.randrange(8, 30)))
    kanji = "".join(chance.choices(KANJI, k=chance.randrange(30, 120)))
    text = f'"{latin}." 彼女は{kanji}と言った。'
    segments = (
        Segment(SegmentKind.SPEECH, 0, len(latin) + 3, "Mira"),
        Segment(SegmentKind.NARRATION, len(latin) + 3, len(text)),
    )
    if not model:
        return NewRevision(text, segments)
    return NewRevision(text, segments, tokenizer="t", token_ids=tuple(range(150)), stats=GenerationStats(model="m"))


def fill(store: Store, messages: int, branches: int, nested: bool, seed: int) -> int:
    """A conversation of `messages` messages in all and `branches` branches; its id."""
    chance = random.Random(seed)
    character = store.add_character(CharacterCard(name="Mira"))
    persona = store.add_persona("You", "")
    conversation = store.add_conversation(character.id, persona.id, "scale", "en", ReplyFormat.PROSE, ProseMarkup())

    def rows(count: int) -> list[tuple[Role, str, NewRevision, bool, float]]:
        return [
            (Role.CHARACTER, "Mira", new_revision(chance, True), False, 0.0)
            if index % 2
            else (Role.USER, "You", new_revision(chance, False), False, 0.0)
            for index in range(count)
        ]

    each = messages // (2 * branches)
    main = messages - each * (branches - 1)
    ids = store.append_many(conversation.id, rows(main))
    for _ in range(branches - 1):
        fork = ids[-each // 2 - 1] if nested else ids[chance.randrange(len(ids))]
        store.add_branch(conversation.id, fork, "")
        made = store.append_many(conversation.id, rows(each))
        if nested:
            ids = made
    return conversation.id


def median_ms(act: Callable[[], object]) -> float:
    """Median of the wall time of `act`, in milliseconds."""
    act()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def measure(store: Store, conversation: int) -> dict[str, float]:
    """Medians of what a user does, in milliseconds."""
    chance = random.Random(1)
    last = store.last_message(conversation)
    assert last is not None

    def turn() -> None:
        store.atomically(
            lambda: (
                store.append_message(conversation, Role.USER, "You", new_revision(chance, False)),
                store.begin_reply(conversation, "Mira"),
            )
        )
        reply = store.last_message(conversation)
        assert reply is not None
        store.finish_reply(reply.id, new_revision(chance, True))

    def regenerate() -> None:
        shown = store.last_message(conversation)
        assert shown is not None
        made = store.begin_reply(conversation, "Mira", alternate_of=shown.id)
        store.finish_reply(made.id, new_revision(chance, True))

    def switch() -> None:
        branches = store.branches(conversation)
        store.set_active_branch(conversation, chance.choice(branches).id)
        store.set_active_branch(conversation, active)

    active = store.conversation(conversation).active_branch_id
    figures = {
        "open: newest page of 60": median_ms(lambda: store.page(conversation)),
        "jump: page around a place": median_ms(lambda: store.around(conversation, chance.randrange(last.ordinal))),
        "search: a word in every second message": median_ms(lambda: store.search("lantern", conversation)),
        "search: two characters": median_ms(lambda: store.search("灯港", conversation)),
        "search: one character": median_ms(lambda: store.search("灯", conversation)),
        "search: nothing found": median_ms(lambda: store.search("absent", conversation)),
        "search: everywhere": median_ms(lambda: store.search("灯港")),
        "turn: send, begin, finish (2 commits)": median_ms(turn),
        "regenerate at the tip (2 commits)": median_ms(regenerate),
        "edit, undo (2 commits)": median_ms(
            lambda: (store.add_revision(last.id, new_revision(chance, False)), store.undo(conversation))
        ),
        "delete, undo (2 commits)": median_ms(lambda: (store.delete_messages([last.id]), store.undo(conversation))),
    }
    if len(store.branches(conversation)) > 1:
        figures["switch branch, twice (2 commits)"] = median_ms(switch)
    return figures


def main() -> None:
    """Build the three files, measure, print."""
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    branches = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    shapes = {
        "500 messages": (500, 1, False),
        f"{messages} messages, {branches} side branches": (messages, branches, False),
        f"{messages} messages, {branches} branches one out of the other": (messages, branches, True),
    }
    results = []
    for name, (count, many, nested) in shapes.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kotonia.db"
            with Store(path) as store:
                start = time.perf_counter()
                conversation = fill(store, count, many, nested, seed=7)
                filled = time.perf_counter() - start
            start = time.perf_counter()
            with Store(path) as store:
                opened = time.perf_counter() - start
                visible = store.visible_count(conversation)
                results.append((name, measure(store, conversation)))
            size = path.stat().st_size / 1e6
        print(
            f"{name}: {visible} on the path, {size:.1f} MB, filled in {filled:.1f} s, opened in {opened * 1000:.0f} ms"
        )
    base = results[0][1]
    for name, figures in results[1:]:
        print(f"\n{name}, beside 500 messages")
        for key, value in figures.items():
            small = base.get(key)
            beside = f"{small:8.2f} ms   x{value / small:.2f}" if small else ""
            print(f"  {key:42}{value:8.2f} ms  {beside}")


if __name__ == "__main__":
    main()
