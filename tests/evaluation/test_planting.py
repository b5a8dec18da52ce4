"""What is planted is where the questions say, the same every time, and fair over the random seeds."""

import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from measured_dialogues import write_dialogue

from kotonia_desktop.domain.errors import ImportFailed
from kotonia_desktop.evaluation.dialogues import Dialogue, read_measured
from kotonia_desktop.evaluation.planted_facts import FACTS
from kotonia_desktop.evaluation.planted_stories import LIES, THREADS
from kotonia_desktop.evaluation.planting import plant


@pytest.fixture(params=["en", "ja", "zh"])
def dialogue(request: pytest.FixtureRequest, tmp_path: Path) -> Dialogue:
    return read_measured(write_dialogue(tmp_path, request.param))


def test_every_answer_stands_where_its_question_says(dialogue: Dialogue) -> None:
    planted = plant(dialogue, 3)
    turns = planted.dialogue.turns
    facts = [question for question in planted.questions if question.kind == "fact"]
    assert len(facts) == len(FACTS)
    for question in facts:
        assert question.answer is not None
        told, answered = turns[question.at[-1] - 1 : question.at[-1] + 1]
        assert question.options[question.answer] in told.text
        assert (told.speaker, told.role, answered.speaker) == ("Ann", "user", "Bo")
    for question in planted.questions:
        assert all(turns[place].planted for place in question.at)
        assert len(question.at) == (2 if question.kind in ("lie", "thread_closed") else 1)


def test_the_dialogue_itself_stays_as_it_was(dialogue: Dialogue) -> None:
    planted = plant(dialogue, 1)
    assert tuple(turn for turn in planted.dialogue.turns if not turn.planted) == dialogue.turns


def test_the_same_seed_plants_the_same_and_another_something_else(dialogue: Dialogue) -> None:
    assert plant(dialogue, 1) == plant(dialogue, 1)
    assert plant(dialogue, 1) != plant(dialogue, 2)


def test_what_was_planted_once_is_planted_for_good(tmp_path: Path) -> None:
    planted = plant(read_measured(write_dialogue(tmp_path, "en")), 1)
    told = "\n".join(turn.text for turn in planted.dialogue.turns)
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "0da1bc86c01b83ec"


def test_over_as_many_seeds_as_there_are_items_each_has_every_age(dialogue: Dialogue) -> None:
    for table, kind in ((FACTS, "fact"), (LIES, "lie"), (THREADS, "thread")):
        orders = Counter()
        for seed in range(len(table)):
            first = min((q for q in plant(dialogue, seed).questions if q.item.startswith(kind)), key=lambda q: q.at[0])
            orders[first.item] += 1
        assert len(orders) == len(table)


def test_a_value_that_the_dialogue_speaks_of_is_not_planted(dialogue: Dialogue) -> None:
    values = FACTS["home"][dialogue.language].values
    speaking = replace(dialogue.turns[0], text=" ".join(values[:2]))
    for seed in range(8):
        planted = plant(replace(dialogue, turns=(speaking, *dialogue.turns[1:])), seed)
        (question,) = [q for q in planted.questions if q.item == "fact:home"]
        assert question.options == values[2:]
    speaking = replace(speaking, text=" ".join(values[:3]))
    planted = plant(replace(dialogue, turns=(speaking, *dialogue.turns[1:])), 1)
    assert not any(q.item == "fact:home" for q in planted.questions)  # three options are too few


def test_a_dialogue_in_another_language_is_refused(dialogue: Dialogue) -> None:
    with pytest.raises(ImportFailed, match="'fr'"):
        plant(replace(dialogue, language="fr"), 1)


@pytest.mark.parametrize("content", ["", "[]", '{"turns": []}', '{"turns": 3}', "{"])
def test_a_file_without_a_dialogue_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(ImportFailed):
        read_measured(path)
