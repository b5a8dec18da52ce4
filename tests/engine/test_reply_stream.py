"""The text of a reply while it comes: whole characters, stop strings, the think block, and which ids it has."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotonia_desktop.engine.streaming import ReplyStream, whole_characters


def feed(stream: ReplyStream, chunks: Sequence[bytes]) -> list[tuple[str, bool]]:
    pieces = []
    for number, chunk in enumerate(chunks):
        pieces += stream.feed(number, chunk)
        if stream.stop_string:
            break
    pieces += stream.finish()
    return [(piece.text, piece.reasoning) for piece in pieces]


def split(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def joined(pieces: list[tuple[str, bool]], reasoning: bool) -> str:
    return "".join(text for text, is_reasoning in pieces if is_reasoning is reasoning)


def no_tokens(text: str) -> list[int]:
    return [900 + index for index, _ in enumerate(text)]


def test_a_character_is_shown_when_its_last_byte_is_there():
    stream = ReplyStream()
    pieces = [stream.feed(number, chunk) for number, chunk in enumerate(split("猫🌙".encode(), 1))]
    assert [[piece.text for piece in some] for some in pieces] == [[], [], ["猫"], [], [], [], ["🌙"]]


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60), st.integers(1, 5))
def test_pieces_joined_are_the_text_however_it_is_split(text: str, size: int):
    stream = ReplyStream(continued=True)
    pieces = feed(stream, split(text.encode(), size))
    assert joined(pieces, False) == stream.text == text


@settings(deadline=None)
@given(st.text(alphabet="ab猫", max_size=30), st.text(alphabet="ab猫", min_size=1, max_size=4), st.integers(1, 4))
def test_nothing_of_a_stop_string_is_shown_and_nothing_before_it_is_lost(text: str, stop: str, size: int):
    stream = ReplyStream([stop], continued=True)
    shown = joined(feed(stream, split(text.encode(), size)), False)
    assert shown == text.partition(stop)[0]
    assert bool(stream.stop_string) == (stop in text)
    ids, sizes = stream.tokens_of_text(no_tokens)
    assert sum(sizes) == len(shown.encode())
    assert len(ids) == len(sizes)


def test_the_start_of_a_stop_string_is_held_back_until_it_is_none():
    stream = ReplyStream(["###"])
    assert [piece.text for piece in stream.feed(0, b"one #")] == ["one "]
    assert [piece.text for piece in stream.feed(1, b"#")] == []
    assert [piece.text for piece in stream.feed(2, b"x")] == ["##x"]


def test_a_token_that_reaches_into_the_stop_string_is_tokenised_anew():
    stream = ReplyStream(["END"])
    feed(stream, [b"one ", b"twoEN", b"D"])
    assert stream.text == "one two"
    assert stream.tokens_of_text(no_tokens) == ((0, 900, 901, 902), (4, 0, 0, 3))


def test_blanks_before_a_new_reply_are_dropped_but_their_ids_stay():
    stream = ReplyStream()
    assert joined(feed(stream, [b" ", b"\n Hello"]), False) == "Hello"
    assert stream.tokens_of_text(no_tokens) == ((0, 1), (0, 5))


def test_blanks_before_a_continued_reply_stay():
    assert joined(feed(ReplyStream(continued=True), [b" there"]), False) == " there"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_think_block_is_kept_apart(size: int):
    stream = ReplyStream(thinking=True)
    pieces = feed(stream, split("Hm, 猫?\n</think>\n\nYes.".encode(), size))
    assert joined(pieces, True) == "Hm, 猫?\n"
    assert joined(pieces, False) == "Yes."
    ids, sizes = stream.tokens_of_text(no_tokens)
    assert sum(sizes) == 4
    assert not stream.thinking
    assert len(ids) == len(sizes)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_think_block_that_the_model_opens_itself_is_found(size: int):
    pieces = feed(ReplyStream(), split(b"\n<think>Hm.</think>Yes.", size))
    assert (joined(pieces, True), joined(pieces, False)) == ("Hm.", "Yes.")


def test_a_think_tag_in_the_middle_of_a_reply_is_text():
    assert joined(feed(ReplyStream(), [b"Yes <think>no</think>"]), False) == "Yes <think>no</think>"


def test_an_exact_text_keeps_its_blanks_and_its_tags():
    assert joined(feed(ReplyStream(exact=True), [b"\n <think>", b"a</think>"]), False) == "\n <think>a</think>"


def test_an_exact_text_begins_behind_the_token_that_ends_the_block():
    stream = ReplyStream(thinking=True, exact=True)
    pieces = feed(stream, [b"Hm", b"</think>\n\nYes", b"\n# Title"])
    assert (joined(pieces, True), joined(pieces, False)) == ("Hm", "\n# Title")


def test_a_block_that_never_closes_leaves_the_stream_thinking():
    stream = ReplyStream(thinking=True)
    pieces = feed(stream, [b"Hm", b" </thi"])
    assert joined(pieces, True) == "Hm </thi"
    assert joined(pieces, False) == ""
    assert stream.thinking


@pytest.mark.parametrize(
    ("data", "length"), [(b"", 0), (b"a", 1), ("é".encode(), 2), ("é".encode()[:1], 0), ("a猫".encode()[:3], 1)]
)
def test_whole_characters(data: bytes, length: int):
    assert whole_characters(data) == length
