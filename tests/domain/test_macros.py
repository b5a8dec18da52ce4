"""Macros: one pass, no growth without end, unknown ones left alone."""

from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.macros import MAX_GROWTH, expand


def test_names_are_put_in_whatever_the_letter_case():
    text = "{{char}} and {{User}}, <BOT> and <user>, {{ CHAR }}"
    assert expand(text, "Nell", "Sam") == "Nell and Sam, Nell and Sam, Nell"


def test_comments_and_hidden_keys_are_taken_out():
    assert expand("a{{// no}}b{{comment: no}}c{{hidden_key: no}}d", "Nell", "Sam") == "abcd"


def test_unknown_and_unclosed_macros_stay_as_they_are():
    text = "{{original}} {{random:a,b}} {{char and {{user}}"
    assert expand(text, "Nell", "Sam") == "{{original}} {{random:a,b}} {{char and Sam"


def test_a_name_that_is_a_macro_is_not_expanded_again():
    assert expand("{{char}}", "{{user}}{{char}}", "Sam") == "{{user}}{{char}}"


def test_expansion_adds_at_most_its_limit_and_loses_no_text():
    text = "{{char}} end " * 5_000
    expanded = expand(text, "x" * 200, "Sam")
    assert len(expanded) <= len(text) + MAX_GROWTH
    assert expanded.count("end") == 5_000
    assert expanded.count("{{char}}") > 4_000  # those past the limit are still there


def test_a_long_text_without_macros_is_never_cut():
    text = "word " * 50_000
    assert expand(text, "Nell", "Sam") == text


def test_a_flood_of_unclosed_macros_is_read():
    text = "{{" * 100_000 + "{{user" * 20_000
    assert expand(text, "Nell", "Sam") == text


@given(st.text(), st.text(max_size=20), st.text(max_size=20))
def test_no_text_and_no_name_makes_it_fail(text, char, user):
    assert isinstance(expand(text, char, user), str)


@given(st.text(alphabet=st.characters(exclude_characters="{<")))
def test_text_without_macros_comes_back_unchanged(text):
    assert expand(text, "Nell", "Sam") == text
