from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.memory.policy import policy


def test_the_values_of_the_hosted_scheme_come_out() -> None:
    p = policy(65_536, 65_536, rate=1000, seconds=30)
    assert (p.trigger, p.ceiling, p.headroom, p.floor, p.chapter_range) == (30_000, 35_000, 10_000, 10_000, 20_000)


def test_a_slow_machine_still_gets_the_story_of_a_small_window() -> None:
    assert policy(65_536, 65_536, rate=5, seconds=300).trigger == 5_734
    assert policy(8_192, 16_384, rate=1, seconds=300).trigger == 5_734


def test_a_large_card_shrinks_the_shares_and_not_the_trigger() -> None:
    bare, laden = policy(8_192, 13_107), policy(8_192, 13_107, fixed=2_000)
    assert laden.trigger == bare.trigger
    assert laden.floor < bare.floor
    assert laden.after_cut > bare.after_cut


@given(st.integers(256, 300_000), st.integers(256, 500_000), st.integers(0, 400_000))
def test_the_ceiling_lies_inside_the_window_and_a_cut_goes_below_the_trigger(
    window: int, cells: int, fixed: int
) -> None:
    p = policy(window, cells, fixed=fixed)
    assert p.trigger <= p.ceiling < window
    assert 0 <= p.after_cut <= p.trigger
    assert min(p.floor, p.headroom, p.head, p.chapter_range) >= 0
