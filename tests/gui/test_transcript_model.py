"""The loaded part of a conversation as a model, under Qt's own checker of models."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from message_values import message, page
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kotonia_desktop.domain.library import ReplyFormat
from kotonia_desktop.domain.markup import default_markup
from kotonia_desktop.domain.messages import Role
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.services.views import Page


@pytest.fixture
def model(qapp: QApplication, translation: Translation) -> TranscriptModel:
    made = TranscriptModel(qapp)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Warning, made)
    assert tester.parent() is made
    return made


def ordinals(model: TranscriptModel) -> list[int]:
    return [m.ordinal for m in model.messages]


def test_pages_join_at_both_ends_without_doubles(model: TranscriptModel) -> None:
    model.show(page(100, 199, total=300))
    model.prepend(page(60, 105, total=300))
    model.append(page(190, 299, total=300))
    assert ordinals(model) == list(range(60, 300))
    assert model.has_older
    assert not model.has_newer
    assert model.last is not None
    assert model.last.ordinal == 299


def test_an_alternate_takes_the_place_of_its_sibling(model: TranscriptModel) -> None:
    model.show(page(0, 4))
    model.put(replace(message(4), id=77, alternate_index=1, alternate_count=2))
    assert [m.id for m in model.messages] == [1, 2, 3, 4, 77]


def test_a_message_goes_to_the_end_unless_the_end_is_not_loaded(model: TranscriptModel) -> None:
    model.show(page(0, 4))
    model.put(message(5))
    assert ordinals(model) == [0, 1, 2, 3, 4, 5]
    model.show(page(0, 4, total=50))
    model.put(message(50))
    assert ordinals(model) == [0, 1, 2, 3, 4]


def test_what_is_let_go_at_an_end_can_be_read_again(model: TranscriptModel) -> None:
    model.show(page(0, 9))
    model.trim_newer(4)
    assert ordinals(model) == [0, 1, 2, 3, 4, 5]
    assert model.has_newer
    model.trim_older(2)
    assert model.has_older
    assert model.last is None


NUMBERS = st.lists(st.integers(0, 30), unique=True).map(sorted)


@given(NUMBERS, NUMBERS, st.sets(st.integers(0, 30)))
def test_a_reload_ends_with_what_was_read(before: list[int], after: list[int], edited: set[int]) -> None:
    model = TranscriptModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.show(Page(1, tuple(message(n) for n in before), len(before), False, False))
    new = tuple(message(n, "edited") if n in edited else message(n) for n in after)
    model.reload(Page(1, new, len(new), False, False))
    assert model.messages == list(new)
    assert model.rowCount() == len(new)
    tester.deleteLater()
    model.deleteLater()


def test_a_screen_reader_hears_who_thinks_and_which_version_it_is(model: TranscriptModel) -> None:
    text = 'She looks up. "Wait."\n\n*No flood.*'
    parsed = parse_segments(text, reply_format=ReplyFormat.PROSE, markup=default_markup("en"), speaker="Nell")
    spoken = message(3, text, Role.CHARACTER, alternate_index=1, alternate_count=3)
    spoken = replace(spoken, revision=replace(spoken.revision, segments=parsed.segments))
    model.show(Page(1, (spoken,), 1, False, False))
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == 'Nell, message 4. She looks up. "Wait." Thinks: No flood. Alternate 2/3.'
