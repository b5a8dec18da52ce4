"""Which claims a new row may settle or change, and when the model's answer is sure enough to say so.

A model's "yes" means little by itself: small ones say it to everything. What counts is how much likelier it is for this
pair than for the same claim beside things that have nothing to do with it.
"""

import math
from collections.abc import Sequence

from kotonia_desktop.domain.ledger import LedgerRow, LinkedBy, LinkKind, NewLink, RowKind
from kotonia_desktop.domain.memory import ItemState, Truth
from kotonia_desktop.memory.ledger import may_link, settles
from kotonia_desktop.memory.units import content, units

CANDIDATES = 5
"""So many claims one new row is held against."""
SURE = 1.0
"""Nats over the controls from which on a contradiction is noted."""


def candidates_for(row: LedgerRow, earlier: Sequence[LedgerRow]) -> list[tuple[LedgerRow, LinkKind]]:
    """The earlier rows that a new one may contradict or change, the likeliest first: those that share words with it,
    then the newest of the same person."""
    words = content(units(row.quote))
    found: list[tuple[int, int, LedgerRow, LinkKind]] = []
    for old in earlier:
        if old.id >= row.id or old.state is not ItemState.VALID:
            continue
        kind = _kind(row, old)
        if kind is None or not may_link(row, old, kind):
            continue
        shared = len(words & content(units(old.quote)))
        same = bool(old.told_by) and row.subject in (old.told_by, old.subject)
        if shared or (same and kind is LinkKind.CONTRADICTS):
            found.append((-shared, -old.id, old, kind))
    found.sort(key=lambda entry: entry[:2])
    return [(old, kind) for _, _, old, kind in found[:CANDIDATES]]


def _kind(row: LedgerRow, old: LedgerRow) -> LinkKind | None:
    """What a row could say of an earlier one, by their kinds."""
    if settles(row) and row.truth is Truth.FACT and old.kind in (RowKind.SAID, RowKind.OWN_WORD):
        return LinkKind.CONTRADICTS
    if row.kind is RowKind.SAID and old.kind is RowKind.SAID and row.told_by == old.told_by:
        return LinkKind.CHANGED_STORY
    return None


def log_odds(probability: float) -> float:
    """Nats for a probability, at most about 14 either way."""
    bounded = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(bounded / (1.0 - bounded))


def contradiction(
    row: LedgerRow, old: LedgerRow, kind: LinkKind, asked: float, controls: Sequence[float]
) -> NewLink | None:
    """The link between two rows, where the answer stands out from its `controls` (all log odds of yes)."""
    margin = asked - max(controls, default=0.0)
    if margin < SURE or asked <= 0.0:
        return None
    return NewLink(row.id, old.id, kind, LinkedBy.MODEL, round(1.0 / (1.0 + math.exp(-margin)), 3))
