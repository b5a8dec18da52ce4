"""What is true is decided by the kind of a line, and in doubt nothing is: facts and claims in three languages."""

from dataclasses import replace

import pytest
from memory_values import count, items, task

from kotonia_desktop.domain.memory import Truth
from kotonia_desktop.domain.messages import FinishReason, SegmentKind
from kotonia_desktop.memory.chronicler import parse_draft
from kotonia_desktop.memory.evidence import truth_of
from kotonia_desktop.memory.gates import judge
from kotonia_desktop.memory.lines import LabelledLine, Piece
from kotonia_desktop.memory.writing import extract_text

PEOPLE = ("Mira", "Sam")


def spoken(text: str, by_user: bool = True) -> Piece:
    return Piece(SegmentKind.SPEECH, "Sam" if by_user else "Mira", text, by_user)


OWN = {
    "en": ["I was born in Tarrow.", "Yes, my brother is a cooper.", "I’m allergic to figs and I sleep badly."],
    "ja": ["私はタロウ村で生まれました。", "来週、わたしは京都に行こうと思います。", "はい、僕の兄は大工です。"],
    "zh": ["我出生在塔罗村。", "是的，我哥哥是木匠。", "咱家在山脚下。"],
}
NOT_OWN = {
    "en": [
        "I heard that the captain is dead.",
        "I think the lamp is broken.",
        "You promised me my boat.",
        "Am I late?",
        "The captain is dead.",
        "I saw Mira hide the letter.",
        "My uncle said the harbour is cursed.",
    ],
    "ja": [
        "私は船長が死んだと聞きました。",
        "私はランプが壊れたと思います。",
        "あなたは私に約束しました。",
        "自分で灯したんですか？",
        "私は遅れましたか。",
        "そのうち船が来ます。",
        "木がたおれたのです。",
        "わたしてください。",
    ],
    "zh": ["我听说船长死了。", "我觉得灯坏了。", "你答应过我的。", "我来晚了吗？", "船长死了。", "请作自我介绍。"],
}


@pytest.mark.parametrize(("language", "sentence"), [(key, s) for key, found in OWN.items() for s in found])
def test_what_the_user_says_about_themselves_is_a_fact(language: str, sentence: str) -> None:
    assert truth_of(spoken(sentence), sentence, language, PEOPLE) is Truth.FACT
    # the same words of a character are what the character says
    assert truth_of(spoken(sentence, by_user=False), sentence, language, PEOPLE) is Truth.CLAIM


@pytest.mark.parametrize(("language", "sentence"), [(key, s) for key, found in NOT_OWN.items() for s in found])
def test_hearsay_guesses_questions_and_words_about_others_are_claims(language: str, sentence: str) -> None:
    assert truth_of(spoken(sentence), sentence, language, PEOPLE) is Truth.CLAIM


REPORTED = {
    "en": [
        "She told him that she had kept the counter for eleven years.",
        "According to the letter, all was well.",
        'The sign reads "closed".',
    ],
    "ja": ["店は十一年続いていると彼女は言った。", "船は沈んだとのことだった。", "手紙には無事だと書いてある。"],
    "zh": ["他说一切安好。", "据说船沉了。", "信上写着“平安”。"],
}
HAPPENED = {
    "en": ["The lamp went out at nine.", "She hid the letter under the table."],
    "ja": ["九時に灯りが消えた。", "彼女は手紙を机の下に隠した。"],
    "zh": ["九点钟灯灭了。", "她把信藏到桌子底下。"],
}


@pytest.mark.parametrize("kind", [SegmentKind.NARRATION, SegmentKind.ACTION])
@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_narration_is_a_fact_unless_it_reports_words(language: str, kind: SegmentKind) -> None:
    for sentence in HAPPENED[language]:
        assert truth_of(Piece(kind, "", sentence, False), sentence, language) is Truth.FACT, sentence
    for sentence in REPORTED[language]:
        assert truth_of(Piece(kind, "", sentence, False), sentence, language) is Truth.CLAIM, sentence


def one_line(number: int, *pieces: Piece) -> LabelledLine:
    text = "\n".join(f"#{number} {piece.speaker} ({piece.kind}): {piece.text}" for piece in pieces)
    return LabelledLine(number, number + 100, number - 1, text, pieces)


def made_of(pieces: list[Piece], sentence: str) -> tuple[Truth, str, set[int]]:
    """What a sentence that a model wrote of these pieces becomes: truth, whose claim, its messages."""
    given = replace(task("en"), lines=tuple(one_line(n + 1, piece) for n, piece in enumerate(pieces)))
    verdict = judge(parse_draft(items([sentence])), FinishReason.STOP, given, count)
    assert verdict.rejected is None, verdict
    item = verdict.items[0]
    return item.truth, item.speaker, {source.message_id for source in item.sources}


NARRATED = Piece(SegmentKind.NARRATION, "", "The lantern fell from the tower into the harbour.", False)
OTHER = Piece(
    SegmentKind.SPEECH, "Mira", "Bring some bread tomorrow, please, and the long rope from the cellar.", False
)
THOUGHT = Piece(SegmentKind.THOUGHT, "Mira", "Tobias the cooper drowned the old miller.", False)
LIE = Piece(SegmentKind.SPEECH, "Mira", "The captain stole seven barrels of copper nails.", False)


def test_a_sentence_from_narration_alone_is_a_fact() -> None:
    truth, speaker, sources = made_of(
        [NARRATED, OTHER], "Down from the tower the lantern fell into deep harbour water."
    )
    assert (truth, speaker, sources) == (Truth.FACT, "", {1})


def test_a_sentence_from_narration_and_a_claim_is_a_claim_with_both_sources() -> None:
    truth, speaker, sources = made_of(
        [NARRATED, OTHER, LIE], "As the lantern fell into the harbour, the captain stole copper nails."
    )
    assert (truth, speaker, sources) == (Truth.CLAIM, "Mira", {1, 3})


def test_a_thought_told_as_an_event_is_a_claim_of_who_thinks() -> None:
    truth, speaker, sources = made_of([OTHER, THOUGHT], "Old Tobias drowned the miller.")
    assert (truth, speaker, sources) == (Truth.CLAIM, "Mira", {2})


def test_words_that_the_narration_does_not_have_make_a_claim() -> None:
    truth, _, _ = made_of([NARRATED, OTHER], "Mira said that the lantern fell from the tower.")
    assert truth is Truth.CLAIM


def test_whose_claim_it_is_stands_with_claims_alone() -> None:
    for language in ("en", "ja", "zh"):
        for item in extract_text(task(language, 400), count).items:
            assert (item.speaker == "") is (item.truth is Truth.FACT), item
