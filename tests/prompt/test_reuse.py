from kotonia_desktop.prompt.reuse import SeenParts, kept_ids


def key(number: int) -> tuple[str, int, int]:
    return ("message", number, 0)


def test_a_turn_that_reads_only_its_own_tokens_reads_nothing_again() -> None:
    seen = SeenParts()
    assert seen.reread([key(1)], [50], opener=3, prompt=53, reused=0) == 0
    seen.add([key(1)], key(2), unread_tail=2)
    # reply 20 + closing marks 2, the user's message 10, the opener 3: 15 are new
    assert seen.reread([key(1), key(2), key(3)], [50, 25, 10], opener=3, prompt=88, reused=73) == 0


def test_a_broken_prefix_is_noticed() -> None:
    seen = SeenParts()
    seen.add([key(1)], key(2), unread_tail=2)
    assert seen.reread([key(1), key(2), key(3)], [50, 25, 10], opener=3, prompt=88, reused=5) == 68


def test_the_parts_at_the_beginning_that_were_read_are_in_the_cache() -> None:
    seen = SeenParts()
    seen.add([key(1), key(2)])
    assert seen.cached([key(1), key(3), key(2)], [5, 6, 7]) == 5


def test_ids_are_kept_up_to_the_kept_text() -> None:
    # "Hi", " there", "\n", "Sam:"
    assert kept_ids((7, 8, 9, 10), (2, 6, 1, 4), "Hi there\n") == (7, 8, 9)
    assert kept_ids((7, 8, 9, 10), (2, 6, 1, 4), "Hi there") == (7, 8)


def test_a_text_that_ends_inside_an_id_has_no_ids() -> None:
    assert kept_ids((7, 8), (2, 6), "Hi the") is None
    assert kept_ids((7,), (6,), "Hi") is None


def test_bytes_and_not_characters_are_counted() -> None:
    assert kept_ids((1, 2, 3), (3, 3, 3), "はい") == (1, 2)
