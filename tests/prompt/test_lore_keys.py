"""A lore key matches what its script calls a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.prompt.lore_keys import ScannedText


def holds(key: str, text: str, case_sensitive: bool = False) -> bool:
    return ScannedText(text).holds(key, case_sensitive)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("tag", "Tag, please"),
        ("tag", "his tag's gone"),
        ("tag", "ｔａｇ"),
        ("TAG", "the tag"),
        ("old mill", "the Old\nMill burns"),
        ("Mira", "ミラはMiraと書く"),
        ("Straße", "STRASSE 9"),
        ("Мира", "(Мира)"),
        ("#17", "cell#17 is open"),
        ("C++", "in C++20"),
        ("ミラ", "ミラは来た"),
        ("ミラ", "ﾐﾗが"),
        ("ﾐﾗ", "ミラ"),
        ("ミラ", "ミラ・ロッシ"),
        ("ミラ", "聖ミラ祭"),
        ("帳面", "青い帳面がある"),
        ("灯笼", "她把灯笼挂在窗边"),
        ("さくら", "そのさくらは"),
        ("미라", "미라는 왔다"),
        ("猫", "猫が来た"),
        ("猫", "その猫。"),
        ("猫", "「猫」"),
        ("猫", "黒い猫だ"),
        ("め", "「め」と書く"),
    ],
)
def test_a_key_is_found(key: str, text: str) -> None:
    assert holds(key, text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("tag", "the stage is set"),
        ("tag", "tag_17"),
        ("old mill", "the old miller"),
        ("old mill", "oldmill"),
        ("Мира", "Мирами"),
        ("ミラ", "ミラノへ行く"),
        ("ミラ", "カミラ"),
        ("ミラ", "ミラーを見る"),
        ("ミラ", "ﾐﾗｰ"),
        ("ラ", "ミラ"),
        ("猫", "黒猫が"),
        ("猫", "猫背で歩く"),
        ("食", "食べる"),
        ("猫", "我的猫很可爱"),
        ("め", "だめだ"),
        ("め", "め組"),
        ("灯籠", "灯笼"),
        ("/tag/i", "/tag/i tag"),
        ("", "anything"),
        (" ", "a b"),
    ],
)
def test_a_key_is_not_found(key: str, text: str) -> None:
    assert not holds(key, text)


def test_case_counts_where_the_entry_asks_for_it_and_width_never_does() -> None:
    assert not holds("Rose", "a rose", case_sensitive=True)
    assert holds("Rose", "Ｒose", case_sensitive=True)
    assert holds("Rose", "a rose")


@given(key=st.text(max_size=12), text=st.text(max_size=60))
def test_no_key_and_no_text_is_an_error(key: str, text: str) -> None:
    holds(key, text)


@given(
    key=st.text(alphabet="灯台港帳面笼", min_size=2, max_size=4), text=st.text(alphabet="灯台港帳面笼 。", max_size=8)
)
def test_several_chinese_characters_match_wherever_they_stand(key: str, text: str) -> None:
    assert holds(key, f"{text}{key}{text}")
