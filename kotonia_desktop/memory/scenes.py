"""Where a scene ends: dividers, headings, jumps in time, a change of place, a long pause between two messages.

Only the very beginning of the later message counts (and the end of the earlier one for dividers): "see you tomorrow
morning" inside a line is no break.
"""

import re
import unicodedata

from kotonia_desktop.domain.messages import Message

_HOUR = 3600.0
_DIVIDER = re.compile(r"^\s*(?:[-*_=~#·•＊◇◆☆★※…—–─━・\s]){3,}\s*$")
_HEADING = re.compile(
    r"^\W*(?:(?:chapter|scene|act|part|day|episode)\s+(?:\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|第\s*[\d〇零一二三四五六七八九十百千]+\s*[章回幕場场話话节節日])",
    re.IGNORECASE,
)
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|many)"
_TIME = re.compile(
    r"^\W*(?:"
    # English: only as the sentence's opening adverbial
    r"(?:early |late )?(?:the|on the) (?:next|following) (?:morning|day|evening|night|afternoon|week|month|year)\b"
    rf"|{_NUMBER} (?:minutes|hours?|days?|nights?|weeks?|months?|years?) (?:later|afterwards|(?:had )?passed|went by)\b"
    rf"|(?:after|over) (?:the next )?{_NUMBER} (?:hours?|days?|nights?|weeks?|months?|years?)\b"
    r"|(?:that|later that) (?:same )?(?:morning|afternoon|evening|night)\b|meanwhile\b|by (?:dawn|nightfall|morning)\b"
    r"|(?:when )?(?:dawn|morning|night|evening) (?:came|fell|broke)\b"
    # Japanese
    r"|翌(?:日|朝|晩|週|月|年)|あくる(?:日|朝)|次の(?:日|朝|晩|週)|その(?:日の)?(?:夜|晩|朝|夕方|夕暮れ|翌日|翌朝)"
    r"|(?:[\d０-９一二三四五六七八九十数]+|何)(?:分|時間|日|週間|か月|ヶ月|ヵ月|カ月|年)(?:後|が過ぎ|が経|たって|経って)"
    r"|(?:夜|朝|夕方)(?:になる|になって|が来|が明け)|やがて(?:夜|朝|夕)|一方(?:、|その頃|で)"
    # Chinese
    r"|次(?:日|晨|年)|翌(?:日|晨|年)|第二天|隔(?:天|日)|当(?:晚|夜|天晚上)|[\d一二两三四五六七八九十数几]+(?:分钟|小时|个时辰|天|日|夜|周|星期|个月|年)(?:后|之后|以后|过去)"
    r"|过了[\d一二两三四五六七八九十数几]+(?:天|日|夜|周|个月|年)|(?:天亮|入夜|傍晚|黎明|清晨)(?:时|后|之后|了)?(?=[，,。])|却说|且说|话说|与此同时"
    r")",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^\W*(?:(?:back|over) (?:at|in|on|to) (?:the|his|her|their|my|our) \w+|at (?:the|his|her|their) \w+,|"
    r"(?:we|they|he|she|i) (?:arrives?|arrived|reach(?:es|ed)?|gets? back|got back) (?:at|to|in|home)?"
    r"|場所は|場面は|舞台は|(?:[^\s、。]{1,12})に(?:着く|着いた|到着)|来到|回到|到了)",
    re.IGNORECASE,
)
_STRENGTHS = ((_HEADING, 1.0), (_TIME, 0.8), (_PLACE, 0.5))
_LOOKED_AT = 80
"""Characters of the later message's beginning."""


def break_before(earlier: Message, later: Message) -> float:
    """How much of a scene break lies between two messages that follow each other: 0.0 (none) to 1.0 (a divider)."""
    before, after = _lines(earlier.text), _lines(later.text)
    if (before and _DIVIDER.match(before[-1])) or (after and _DIVIDER.match(after[0])):
        return 1.0
    strength = _pause(earlier.created_at, later.created_at)
    if after:
        opening = after[0][:_LOOKED_AT]
        strength = max(strength, *(weight if pattern.match(opening) else 0.0 for pattern, weight in _STRENGTHS))
    return strength


def _pause(earlier: float, later: float) -> float:
    """A long pause by the clock. 0.0 is no date."""
    if earlier <= 0 or later <= 0:
        return 0.0
    pause = later - earlier
    if pause > 6 * _HOUR:
        return 0.7
    return 0.3 if pause > _HOUR else 0.0


def _lines(text: str) -> list[str]:
    return [line for line in unicodedata.normalize("NFC", text).splitlines() if line.strip()]
