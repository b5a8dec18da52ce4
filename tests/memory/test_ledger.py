"""What rows come to: two sides, changed stories, corrections, the user's hand; and which of them the model is shown."""

from collections.abc import Sequence

import pytest

from kotonia_desktop.domain.hand import Act, Hand, HandAct, Target, hands
from kotonia_desktop.domain.ledger import LedgerRow, LinkKind, NewLink, Note, RowKind, RowOrigin, Standing
from kotonia_desktop.domain.memory import ItemState, Truth
from kotonia_desktop.memory.claims import SURE, candidates_for, contradiction
from kotonia_desktop.memory.ledger import may_link, notes_of, shown_notes
from kotonia_desktop.memory.row_writing import code_links

NONE: dict[tuple[Target, int], Hand] = {}


def row(number: int, text: str, kind: RowKind = RowKind.SAID, **values: object) -> LedgerRow:
    """A row of Mira's, unless `values` say otherwise; its truth follows from its kind."""
    fact = kind in (RowKind.HAPPENED, RowKind.OWN_WORD, RowKind.CANON)
    told_by = {RowKind.HAPPENED: "", RowKind.OWN_WORD: "Sam", RowKind.CANON: ""}.get(kind, "Mira")
    given = {"subject": told_by or "Mira", "told_by": told_by, "truth": Truth.FACT if fact else Truth.CLAIM} | values
    return LedgerRow(text=text, quote=text, kind=kind, id=number, **given)  # type: ignore[arg-type]


CLAIM = row(1, "I was not hurt at all.")
FACT = row(2, "The bandage under her coat was soaked with blood.", RowKind.HAPPENED)


def standings(notes: Sequence[Note]) -> list[tuple[int, Standing, int | None]]:
    return [(note.row.id, note.standing, note.other.id if note.other else None) for note in notes]


def test_a_claim_and_the_fact_against_it_are_one_note() -> None:
    link = NewLink(2, 1, LinkKind.CONTRADICTS)
    assert standings(notes_of([CLAIM, FACT], [], NONE)) == [(1, Standing.TOLD, None), (2, Standing.KNOWN, None)]
    (note,) = notes_of([CLAIM, FACT], [link], NONE)
    assert standings([note]) == [(1, Standing.SIDES, 2)]
    assert not note.is_fact


@pytest.mark.parametrize(
    ("later", "earlier", "kind"),
    [
        (row(2, "I was hurt."), CLAIM, LinkKind.CONTRADICTS),
        (row(2, "He was hurt.", RowKind.THOUGHT, subject="Sam", truth=Truth.FACT), CLAIM, LinkKind.CONTRADICTS),
        (row(2, "She was hurt.", told_by="Tobias"), CLAIM, LinkKind.CHANGED_STORY),
        (row(2, "I was hurt."), CLAIM, LinkKind.CONFIRMS),
        (row(2, "I was hurt."), CLAIM, LinkKind.SUPERSEDES),
    ],
)
def test_a_link_that_can_mean_nothing_is_ignored_whoever_found_it(
    later: LedgerRow, earlier: LedgerRow, kind: LinkKind
) -> None:
    assert not may_link(later, earlier, kind)
    notes = notes_of([earlier, later], [NewLink(2, 1, kind)], NONE)
    assert notes[0].standing is Standing.TOLD
    assert len(notes) == 2


def test_a_confession_is_a_changed_story_and_neither_is_a_fact() -> None:
    first, then = row(1, "I burned the letter."), row(2, "I did not burn the letter, I kept it.")
    (note,) = notes_of([first, then], [NewLink(2, 1, LinkKind.CHANGED_STORY)], NONE)
    assert standings([note]) == [(1, Standing.CHANGED, 2)]
    assert not note.is_fact
    happened = row(3, "She took the letter out of the drawer.", RowKind.HAPPENED)
    links = [NewLink(2, 1, LinkKind.CHANGED_STORY), NewLink(3, 1, LinkKind.CONTRADICTS)]
    notes = notes_of([first, then, happened], links, NONE)
    assert (1, Standing.SIDES, 3) in standings(notes)


def test_the_users_correction_stands_and_their_first_word_does_not() -> None:
    first = row(1, "My brother is a cooper.", RowKind.OWN_WORD)
    then = row(2, "Actually my brother is a baker.", RowKind.OWN_WORD)
    (link,) = code_links([then], [first, then], "en")
    assert (link.row_id, link.earlier_id, link.kind) == (2, 1, LinkKind.SUPERSEDES)
    (note,) = notes_of([first, then], [link], NONE)
    assert standings([note]) == [(1, Standing.CORRECTED, 2)]


@pytest.mark.parametrize(
    ("language", "first", "then", "linked"),
    [
        ("en", "I have kept this lighthouse for eleven years.", "I have not kept this lighthouse for years.", True),
        ("en", "I counted 14 barrels in the cellar.", "I counted 20 barrels in the cellar.", True),
        ("en", "I have kept this lighthouse for eleven years.", "The market opens at noon tomorrow.", False),
        ("en", "I counted 14 barrels in the cellar.", "I counted 14 barrels in the cellar again.", False),
        ("ja", "手紙は燃やしました。", "本当は手紙を燃やしていません。", True),
        ("ja", "手紙は燃やしました。", "市場は明日の正午に開きます。", False),
        ("zh", "那封信我已经烧掉了。", "其实那封信我没有烧掉。", True),
        ("zh", "那封信我已经烧掉了。", "明天中午集市开门。", False),
    ],
)
def test_code_tells_a_changed_story_by_numbers_negation_and_words_of_correction(
    language: str, first: str, then: str, linked: bool
) -> None:
    old, new = row(1, first), row(2, then)
    assert bool(code_links([new], [old, new], language)) is linked


def test_an_answer_counts_only_over_its_controls() -> None:
    assert contradiction(FACT, CLAIM, LinkKind.CONTRADICTS, 2.0, [1.9]) is None
    assert contradiction(FACT, CLAIM, LinkKind.CONTRADICTS, -0.5, [-3.0]) is None
    link = contradiction(FACT, CLAIM, LinkKind.CONTRADICTS, 2.0, [2.0 - SURE])
    assert link is not None
    assert (link.row_id, link.earlier_id) == (2, 1)


def test_a_new_fact_is_held_against_few_claims_and_the_nearest_first() -> None:
    claims = [row(n, f"I saw {n} ships at the harbour.") for n in range(1, 12)]
    letter = row(12, "I burned the unopened letter.")
    fact = row(13, "The unopened letter lay in her drawer.", RowKind.HAPPENED)
    found = candidates_for(fact, [*claims, letter, fact])
    assert found[0] == (letter, LinkKind.CONTRADICTS)
    assert len(found) == 5


def acts(*given: tuple[int, Act, str]) -> dict[tuple[Target, int], Hand]:
    return hands(HandAct(n, Target.ROW, target, act, text) for n, (target, act, text) in enumerate(given, start=1))


def test_the_users_hand_goes_before_everything() -> None:
    assert notes_of([FACT], [], acts((2, Act.ONLY_SAID, "")))[0].standing is Standing.TOLD
    assert notes_of([CLAIM], [], acts((1, Act.TRUE, "")))[0].is_fact
    assert notes_of([CLAIM], [], acts((1, Act.TRUE, ""), (1, Act.AS_FOUND, "")))[0].standing is Standing.TOLD
    (note,) = notes_of([CLAIM], [], acts((1, Act.EDIT, "Mira was unhurt."), (1, Act.EDIT, "Mira was well.")))
    assert (note.text, note.hand.locked, len(note.hand.acts)) == ("Mira was well.", True, 2)
    assert notes_of([CLAIM], [], acts((1, Act.EDIT, "x"), (1, Act.RELEASE, "")))[0].text == CLAIM.text
    # a fact that the user calls untrue contradicts nothing any more
    link = NewLink(2, 1, LinkKind.CONTRADICTS)
    notes = notes_of([CLAIM, FACT], [link], acts((2, Act.NOT_TRUE, "")))
    assert standings(notes) == [(1, Standing.TOLD, None), (2, Standing.FALSE, None)]


def sizes(notes: Sequence[Note]) -> list[int]:
    return [10 for _ in notes]


def test_what_the_model_is_shown_is_what_its_character_may_know_and_the_user_left_there() -> None:
    rows = [
        row(1, "The bell rang over the square.", RowKind.HAPPENED),
        row(2, "Sam was afraid of the dark cellar.", RowKind.THOUGHT, known_to=("Sam",), truth=Truth.FACT),
        row(3, "Mira was afraid of the deep water.", RowKind.THOUGHT, known_to=("Mira",), truth=Truth.FACT),
        row(4, "The lamp went out.", RowKind.HAPPENED, state=ItemState.CHANGED),
        row(5, "The rope broke.", RowKind.HAPPENED, state=ItemState.GONE),
        row(6, "The gate was painted red.", RowKind.HAPPENED),
        row(7, "The boat sank.", RowKind.HAPPENED),
    ]
    notes = notes_of(rows, [], acts((6, Act.HIDE, ""), (7, Act.NOT_TRUE, "")))
    assert [note.row.id for note in shown_notes(notes, "Mira", sizes, 1000)] == [1, 3]


def test_with_little_room_the_users_word_and_contradictions_come_first_and_the_order_is_the_storys() -> None:
    claims = [row(n, f"I saw {n} ships.") for n in range(1, 20)]
    own = row(20, "My brother is a cooper.", RowKind.OWN_WORD)
    rows = [*claims, own, row(21, "Only two ships lay there.", RowKind.HAPPENED)]
    notes = notes_of(rows, [NewLink(21, 5, LinkKind.CONTRADICTS)], NONE)
    shown = shown_notes(notes, "Mira", sizes, 30)
    assert [note.row.id for note in shown] == [5, 19, 20]
    assert shown_notes(notes, "Mira", sizes, 0) == []


def test_a_carried_line_of_the_story_is_no_fact_of_this_one() -> None:
    carried = row(1, "They met at the lighthouse.", RowKind.STORY, origin=RowOrigin.CARRIED, truth=Truth.FACT)
    (note,) = notes_of([carried], [], NONE)
    assert (note.standing, note.is_fact) == (Standing.CARRIED, False)
