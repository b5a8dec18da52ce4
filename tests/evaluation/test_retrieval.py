"""The figures say what was found: on dialogues made so that one knows."""

import json
from pathlib import Path

import pytest
from measured_dialogues import write_dialogue

from kotonia_desktop import cli
from kotonia_desktop.evaluation.dialogues import read_measured
from kotonia_desktop.evaluation.retrieval import OURS, evidence_recall, planted_recall

QUESTIONS = [
    {"q": "Which 17?", "cat": "single", "ev": [17]},
    {"q": "Which 17 again?", "cat": "single", "ev": [18]},  # beside what is found
    {"q": "Is it 17?", "cat": "single", "ev": [19]},  # two further on
    {"q": "Where is 40?", "cat": "adversarial", "ev": [40]},
    {"q": "What of 50?", "cat": "single", "ev": []},
    {"q": "Is 60 wrong?", "cat": "single", "ev": [60]},
]


def test_a_question_counts_where_the_hit_is_the_evidence_or_beside_it(tmp_path: Path) -> None:
    dialogue = read_measured(write_dialogue(tmp_path, qa=QUESTIONS))
    recall = evidence_recall(dialogue, frozenset({"Is 60 wrong?"}))
    assert (recall.asked, recall.found[OURS], recall.found["unicode61"]) == (3, 2, 2)
    assert evidence_recall(dialogue).asked == 4


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_planted_facts_are_found_in_every_language(tmp_path: Path, language: str) -> None:
    recall = planted_recall(read_measured(write_dialogue(tmp_path, language)), range(1, 3))
    assert recall.asked == 16
    assert recall.share(OURS) >= 0.75
    if language != "en":
        assert recall.share(OURS) > recall.share("trigram") > recall.share("unicode61") == 0


def test_the_command_prints_a_line_for_each_file_and_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(write_dialogue(tmp_path, "en", qa=QUESTIONS)), str(write_dialogue(tmp_path, "zh"))]
    assert cli.run(["eval", "retrieval", *files, "--planted", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "talk_en planted",
        "talk_en evidence",
        "talk_zh planted",
        "all planted",
        "all evidence",
    ]
    assert "ours 0." in lines[0]
    assert "(16 questions" in lines[3]


def test_the_command_answers_in_json_and_leaves_out_what_is_known_to_be_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = tmp_path / "errors.json"
    errors.write_text(json.dumps([{"question": "Is 60 wrong?"}]))
    file = str(write_dialogue(tmp_path, "en", qa=QUESTIONS))
    assert cli.run(["eval", "retrieval", file, "--planted", "0", "--errors", str(errors), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["all"]["evidence"] == {"questions": 3, "ours": 0.6667, "trigram": 0.6667, "unicode61": 0.6667}
    assert told["all"]["planted"]["questions"] == 0
    assert set(told["files"]) == {"talk_en"}


def test_a_file_that_is_no_dialogue_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text("{}")
    assert cli.run(["eval", "retrieval", str(file)]) == 2
    assert "x.json" in capsys.readouterr().err
