"""Questions that are answered by yes or no, asked of the model without letting it write: how likely it thinks each."""

import math
from collections.abc import Sequence

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.ports import ChatEngine, PromptItem

_YES = {"en": ("Yes", "yes", "YES"), "ja": ("はい", "そうです"), "zh": ("是", "是的", "对")}
_NO = {"en": ("No", "no", "NO"), "ja": ("いいえ", "違います"), "zh": ("不是", "否", "不对")}


def yes_no(engine: ChatEngine, items: Sequence[PromptItem], language: str, conversation: str) -> float:
    """The probability of yes over that of yes or no, 0.0 to 1.0, as the beginning of the reply to `items`.

    0.5 says nothing. The prompt is read once, into the memory context; another question behind the same text reads only
    itself. Raises as `ChatEngine.score`.
    """
    yes, no = pick(_YES, language), pick(_NO, language)
    scores = engine.score(items, (*yes, *no), conversation)
    most = max(scores)
    weights = [math.exp(score - most) for score in scores]
    return sum(weights[: len(yes)]) / sum(weights)
