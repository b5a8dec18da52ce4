"""What a model writes for memory counts or not; the ladder ends with a text that always does."""

import re
from dataclasses import replace

import pytest
from memory_values import GOOD, STORIES, count, items, task

from kotonia_desktop.domain.memory import (
    Chapter,
    FoldState,
    Item,
    NewAttempt,
    Rejection,
    Truth,
    WritingStats,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.memory.chronicler import (
    LONGEST_TITLE,
    ChroniclerPrompt,
    WritingTask,
    chapter_grammar,
    chronicler_prompt,
    parse_draft,
)
from kotonia_desktop.memory.gates import Verdict, judge
from kotonia_desktop.memory.writing import Outcome, Written, extract_text, first_sentences, fit_items, write_text

LANGUAGES = ("en", "ja", "zh")
REFUSALS = {
    "en": ["I'm sorry, but I can't help with that.", "As an AI, I cannot write this record."],
    "ja": ["申し訳ありませんが、その内容にはお応えできません。"],
    "zh": ["抱歉，我无法完成这个请求。"],
}
CONTINUATIONS = {
    "en": ['Mira: "Come in, quick."', "I take your hand and we run to the boat.", "Sam asked what you would do next?"],
    "ja": ["ミラ：「早く入って」。", "私はあなたの手を取って走った。", "あなたはどうしますか。"],
    "zh": ["米拉：“快进来。”", "我拉着你的手跑向那条船。", "你打算怎么办呢。"],
}
OTHER_LANGUAGE = {
    "en": ["サムはタロウ村で生まれたと話した。", "ミラは灯台を守ってきた。", "二人はランプを直す約束をした。"],
    "ja": GOOD["en"],
    "zh": ["サムはタロウ村の生まれだと話した。", "ミラは灯台を守ってきたと語った。", "ミラはランプを直す約束をした。"],
}


INVENTED = {
    "en": "Zoltan burned 77 purple elephants.",
    "ja": "ゾルタンは77頭の象を焼いた。",
    "zh": "佐坦烧死77头大象。",
}


def judged(language: str, text: str, finish: FinishReason = FinishReason.STOP) -> Verdict:
    return judge(parse_draft(text), finish, task(language), count)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_good_record_counts_with_its_sources(language: str) -> None:
    verdict = judged(language, items(GOOD[language]))
    assert verdict.rejected is None, verdict.detail
    assert [item.text for item in verdict.items] == GOOD[language]
    assert all(1 <= len(item.sources) <= 3 for item in verdict.items)
    assert 1 in {source.message_id for source in verdict.items[0].sources}
    assert 2 in {source.message_id for source in verdict.items[1].sources}
    assert verdict.items[1].truth is Truth.CLAIM  # a character said it


def hostile(language: str) -> dict[Rejection, tuple[str, FinishReason]]:
    """A text for each reason for which a text does not count."""
    stop = FinishReason.STOP
    good, lines = GOOD[language], [line for _, _, line in STORIES[language]]
    return {
        Rejection.REFUSAL: ("\n".join(REFUSALS[language]), stop),
        Rejection.CONTINUATION: (items(CONTINUATIONS[language]), stop),
        Rejection.COPY: (items([lines[2], lines[7]]), stop),
        Rejection.LOOP: (items([good[0]] * 4), stop),
        Rejection.LANGUAGE: (items(OTHER_LANGUAGE[language]), stop),
        Rejection.CUT: (items(good), FinishReason.LENGTH),
        Rejection.EMPTY: ("# The lamp\n", stop),
        Rejection.UNSUPPORTED: (items([INVENTED[language]]), stop),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wanted", [r for r in Rejection if r not in (Rejection.LONGER, Rejection.ERROR)])
def test_what_does_not_count_is_rejected_by_its_name(language: str, wanted: Rejection) -> None:
    text, finish = hostile(language)[wanted]
    verdict = judged(language, text, finish)
    assert verdict.rejected is wanted, verdict
    assert verdict.items == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_bad_sentence_is_left_out_and_the_others_count(language: str) -> None:
    verdict = judged(language, items([*GOOD[language], CONTINUATIONS[language][0]]))
    assert verdict.rejected is None
    assert [item.text for item in verdict.items] == GOOD[language]
    assert "1 continuation" in verdict.detail


def test_a_record_that_tells_of_a_refusal_is_none() -> None:
    told = ["Mira said she was sorry that she could not leave the lighthouse.", *GOOD["en"][1:]]
    assert judged("en", items(told)).rejected is None


def test_a_record_longer_than_what_it_stands_for_does_not_help() -> None:
    short = task("en", lines=task("en").lines[:1])
    long = ["Sam told Mira at great length and with many words of his birth in Tarrow and the deep water there."]
    long.append("Sam was said to be afraid of the water, of the deep, of Tarrow, and of being born in that place too.")
    assert judge(parse_draft(items(long)), FinishReason.STOP, short, count).rejected is Rejection.LONGER


def test_a_number_that_nobody_named_is_not_believed() -> None:
    wrong = [*GOOD["en"][:2], "Sam promised to bring 40 copper wires from the market."]
    verdict = judged("en", items(wrong))
    assert [item.text for item in verdict.items] == wrong[:2]


class Scripted:
    """A writer that says what it was told to: the fault that the gates are there for."""

    def __init__(self, *texts: str | Written) -> None:
        self.texts = list(texts)
        self.prompts: list[ChroniclerPrompt] = []

    def write(self, prompt: ChroniclerPrompt) -> Written:
        self.prompts.append(prompt)
        text = self.texts.pop(0)
        return text if isinstance(text, Written) else Written(text, FinishReason.STOP, WritingStats(seed=1))


def climb(writer: Scripted, given: WritingTask | None = None) -> tuple[Outcome, list[NewAttempt]]:
    told: list[NewAttempt] = []
    return write_text(given or task("en"), writer, count, attempted=told.append), told


def test_the_ladder_takes_the_first_text_that_counts() -> None:
    outcome, told = climb(Scripted(items(GOOD["en"])))
    assert outcome.chapter is not None
    assert (outcome.chapter.written_by, outcome.chapter.title, outcome.lines) == (WrittenBy.MODEL, "The lamp", 8)
    assert [attempt.rejected for attempt in told] == [None]


def test_the_second_attempt_is_about_a_shorter_range() -> None:
    writer = Scripted("", items(GOOD["en"][:2]))
    outcome, told = climb(writer)
    assert outcome.chapter is not None
    assert outcome.lines == 4
    assert [attempt.rejected for attempt in told] == [Rejection.EMPTY, None]
    assert "#8" in writer.prompts[0].items[-1].text
    assert "#8" not in writer.prompts[1].items[-1].text


def test_after_two_rejections_code_picks_whole_lines() -> None:
    outcome, told = climb(Scripted(REFUSALS["en"][0], items([GOOD["en"][0]] * 4)))
    assert outcome.chapter is not None
    assert outcome.chapter.written_by is WrittenBy.EXTRACT
    assert outcome.lines == 8
    assert [attempt.rejected for attempt in told] == [Rejection.REFUSAL, Rejection.LOOP]
    assert told[0].text == REFUSALS["en"][0]


def test_an_engine_that_cannot_write_leaves_the_range_alone() -> None:
    outcome, told = climb(Scripted(Written("half", FinishReason.ERROR, WritingStats(), "engine_stopped")))
    assert outcome.chapter is None
    assert outcome.error == "engine_stopped"
    assert [attempt.rejected for attempt in told] == [Rejection.ERROR]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("budget", [12, 40, 90, 400])
def test_an_extract_holds_whole_attributed_lines_within_its_budget(language: str, budget: int) -> None:
    chapter = extract_text(task(language, budget), count)
    assert chapter.items
    sizes = count([item.text for item in chapter.items])
    assert sum(sizes) <= budget or len(chapter.items) == 1
    assert len(chapter.items) <= 6
    places = [item.sources[0].message_id for item in chapter.items]
    assert places == sorted(places)
    for item in chapter.items:
        assert item.text[-1] in ".!?。！？”」"
        speaker, kind, line = STORIES[language][item.sources[0].message_id - 1]
        if kind == "say":
            assert speaker in item.text
        if budget >= 90 and kind == "say":
            assert line.rstrip("。.") in item.text
    assert chapter.title or budget < 40


def test_an_extract_keeps_a_characters_word_a_claim_and_the_users_own_a_fact() -> None:
    chapter = extract_text(task("en", 400), count)
    truths = {item.sources[0].message_id: item.truth for item in chapter.items}
    assert truths[1] is Truth.FACT
    assert all(truths[number] is Truth.CLAIM for number in (2, 5, 8) if number in truths)


def test_first_sentences_take_the_beginnings_in_order() -> None:
    chapter = first_sentences(task("en", 60), count)
    assert chapter.written_by is WrittenBy.FIRST_SENTENCE
    assert [item.sources[0].message_id for item in chapter.items] == [1, 2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_fitting_drops_whole_sentences_only(language: str) -> None:
    verdict = judged(language, items(GOOD[language]))
    sizes = count(GOOD[language])
    for budget in range(0, sum(sizes) + 2, 3):
        kept = fit_items(verdict.items, task(language, budget), count)
        assert len(kept) >= 1
        assert set(kept) <= set(verdict.items)
        assert sum(count([item.text for item in kept])) <= budget or len(kept) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_request_shows_labelled_lines_and_never_bare_text(language: str) -> None:
    prompt = chronicler_prompt(task(language))
    words = prompt.items[-1].text
    for number, (_, _, line) in enumerate(STORIES[language]):
        shown = next(row for row in words.splitlines() if line in row)
        assert shown.startswith(f"#{number + 1} ")
        assert shown != line
    assert not prompt.sampling.soft_landing


def test_a_merge_is_made_of_sentences_and_keeps_their_sources() -> None:
    verdict = judged("en", items(GOOD["en"]))
    stored = tuple(Item(i.text, i.sources, i.truth, i.speaker, id=n) for n, i in enumerate(verdict.items))
    texts = tuple(
        Chapter(n, 1, n, 0, "", WrittenBy.MODEL, "en", n * 8, n * 8 + 7, stored, FoldState.APPLIED) for n in range(4)
    )
    merge = replace(task("en", 60), level=1, texts=texts, lines=())
    written = ["Sam came from Tarrow and feared deep water.", "Mira had the lighthouse for eleven years, she claimed."]
    outcome, _ = climb(Scripted(items(written)), merge)
    assert outcome.chapter is not None
    assert outcome.chapter.level == 1
    assert outcome.chapter.written_by is WrittenBy.MODEL
    assert {source.message_id for source in outcome.chapter.items[1].sources} == {2}
    extract = extract_text(merge, count)
    assert {item.text for item in extract.items} <= set(GOOD["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_grammar_has_no_range_in_a_class_but_those_it_means(language: str) -> None:
    grammar = chapter_grammar(language, 3, 5, ["Mira", 'A "B"'])
    for inside in re.findall(r"\[\^?([^\]\\]*(?:\\.[^\]\\]*)*)\]", grammar):
        ranges = re.findall(r".-.", inside)
        assert set(ranges) <= {"A-Z", "a-z", "0-9"}, inside
    assert '"A \\"B\\""' in grammar


def test_a_quotation_that_is_not_closed_is_a_cut_sentence() -> None:
    verdict = judged("en", items([*GOOD["en"], 'Mira answered "the lamp went out in the harbour.']))
    assert [item.text for item in verdict.items] == GOOD["en"]
    assert "1 cut" in verdict.detail


@pytest.mark.parametrize(
    "title", ["# Log of Mira and Sam", "# Title of the log", "# Mira (says)", "# 任务描述", "# Task description", "# "]
)
def test_a_title_that_names_the_task_is_replaced(title: str) -> None:
    outcome, _ = climb(Scripted(items(GOOD["en"], title)))
    assert outcome.chapter is not None
    assert outcome.chapter.title
    assert outcome.chapter.title != title.strip("# ")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("ja", "ミラはランプを直す約束を and サムに話した。"), ("zh", "米拉答应 me 星期五修灯。")],
)
def test_a_foreign_word_of_the_models_own_is_another_language(language: str, sentence: str) -> None:
    verdict = judged(language, items([*GOOD[language], sentence]))
    assert [item.text for item in verdict.items] == GOOD[language]
    assert "1 language" in verdict.detail


def test_a_title_that_the_grammar_ended_is_replaced() -> None:
    long = "A very long title about the harbour, the lamp and all"[: LONGEST_TITLE["en"]]
    outcome, _ = climb(Scripted(items(GOOD["en"], f"# {long}")))
    assert outcome.chapter is not None
    assert outcome.chapter.title != long
