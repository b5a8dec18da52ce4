"""Where a scene ends: dividers, headings, jumps in time, a change of place, a long pause between two messages.

Only the very beginning of the later message counts (and the end of the earlier one for dividers): "see you tomorrow
morning" inside a line is no break. Neither is a time that is only spoken of: in a narration the words stand by
themselves before a comma or the end of the line ("Three days later, ...", "翌朝、"), or before whoever acts ("The next
morning Mira ..."); in "The following day works for me" they do not. What begins with a quotation mark is speech.
"""

import re
import unicodedata

from kotonia_desktop.domain.messages import Message

_HOUR = 3600.0

_MARKS = "-*_=~#•＊◇◆☆★※—–―─━"
# The same mark three times, three ornaments, or many of whatever. Dots are an ellipsis, and "-_-" is a face.
_DIVIDER = re.compile(
    rf"^\s*(?:([{_MARKS}])(?:\s*\1){{2,}}|[◇◆☆★※＊](?:\s*[◇◆☆★※＊]){{2,}}|[{_MARKS}](?:\s*[{_MARKS}]){{4,}})\s*$"
)

_BEGIN = r"^[\s*_~#>(\[（【〔—–―…◇◆☆★※•・-]*"
"""What may stand before the words that count: emphasis and brackets, never a quotation mark."""
_CLOSE = r"[\s*_~)\]）】〕]*"
_LINE_END = rf"{_CLOSE}[-#=—–―◇◆☆★※]*\s*$"

# -- headings

_COUNTED = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_ROMAN = r"(?-i:[IVXLC]{2,}|[VX]|[ivx]{2,})"
_TITLE = r"[:：|.](?!\d)|\s*[—–]|\s+-|,\s*(?:scene|act|part|chapter)\b"
_HEADING = re.compile(
    _BEGIN + r"(?:(?:chapter|scene|act|part|day|episode)\s+(?:"
    # "I" is a number only where nothing but a mark follows: "Part I don't get".
    rf"(?-i:I)(?={_LINE_END}|{_TITLE})"
    # A title without a mark before it begins with a capital and ends without a stop.
    rf"|(?:{_COUNTED}|{_ROMAN})\b(?={_LINE_END}|{_TITLE}|\s+(?!I\b)(?-i:[A-Z])[^\n]{{0,60}}(?<![.!?,;…])\s*$))"
    rf"|第\s*[\d〇零一二三四五六七八九十百千两兩]+\s*[章回幕場场話话節节日夜部巻卷](?={_LINE_END}|\s|[:：·—–「『《（(]))",
    re.IGNORECASE,
)

# -- English

_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|half an?|several|some"
    r"|a few|many|a couple of|(?:a )?(?:dozen|hundred|thousand)s?)"
)
_UNITS = r"(?:minutes?|hours?|days?|nights?|weeks?|months?|years?)"
_MORE = r"(?:minutes|hours|days|nights|weeks|months|years)"
_DAYTIME = r"(?:morning|day|evening|night|afternoon|week|month|year)"
_COMMA = rf"(?={_CLOSE}(?:[,:—–]|\s-|--|…|\.\.|$))"
"""The words stand by themselves."""
_WHO = (
    r"(?:the|an?|his|her|their|its|our|my|your|he|she|they|it|we|i|you|there|this|these|those|no|every|everyone|all"
    r"|nobody|someone|both|when|as|while)\b"
)
_WHERE = r"(?:at|in|on) (?:(?:the|his|her|their|our|my) )?\w+,"
_PLANNED = r"\w+(?:['’]ll|\s(?:will|shall))\b"
_GOES_ON = rf"(?:{_COMMA}|(?={_CLOSE}\s[\s*_]*(?!{_PLANNED})(?:{_WHO}|{_WHERE}|dawn(?:s|ed)\b|(?-i:[A-Z]))))"
"""They stand by themselves, or before whoever acts; before a verb they are themselves what is spoken of. "I will" is
what somebody plans."""
_ENGLISH = (
    rf"(?:(?:early |late )?(?:on )?the (?:very )?(?:next|following) {_DAYTIME}"
    rf"|(?:{_NUMBER} {_UNITS}|{_MORE}) (?:later|afterwards)"
    rf"|(?:later |late |early )?that (?:same )?(?:morning|afternoon|evening|night)"
    r"|later (?:that|the) (?:same )?day|that same day"
    r"|by (?:dawn|nightfall|morning|sunrise|sunset)"
    rf"|after (?:the next )?{_NUMBER} {_UNITS}"
    rf"|meanwhile){_GOES_ON}"
    rf"|(?:over the next {_NUMBER} {_UNITS}"
    r"|the (?:day|morning|night|evening|week|month|year) after"
    r"|at (?:dawn|dusk|daybreak|nightfall|sunrise|sunset|midnight|first light)"
    rf"){_COMMA}"
    rf"|(?:{_NUMBER} {_UNITS}|{_MORE}) (?:(?:had |have )?passed|go by|went by|pass(?=[,.]|$))\b"
    r"|(?:when |as )?(?:dawn|morning|night|evening) (?:came|fell|broke)\b"
)

# -- Japanese and Chinese

_ALONE = rf"(?={_CLOSE}(?:[，,、:：—–―…]|$))"
_DIGITS = r"[\d〇零一二三四五六七八九十百千两兩数數几幾半多若干]+"
_PART_OF_DAY = r"(?:早朝|夜明け|未明|朝|午前|昼過ぎ|昼|午後|夕方|夕暮れ|晩|夜|深夜|真夜中|春|夏|秋|冬)"
_JAPANESE = (
    rf"(?:(?:翌々?|あくる|明くる|次の)(?:日|朝|晩|週|月|年)|その(?:日の)?(?:夜|晩|朝|夕方|夕暮れ|翌日|翌朝)"
    rf"|(?:それから|その)?{_DIGITS}(?:分|時間|日|日間|週間|か月|ヶ月|ヵ月|カ月|ケ月|年)後)"
    rf"(?:の?{_PART_OF_DAY}|早く|遅く)?{_ALONE}"
    rf"|{_DIGITS}(?:分|時間|日|週間|か月|ヶ月|ヵ月|カ月|ケ月|年)(?:が|も)?(?:過ぎ|経っ|経ち|たっ|たち)(?!たら|ても|てから)"
    r"|(?:夜|朝|夕方)(?:になると|になって|になり)、|(?:夜|朝|夕方)になった。|(?:夜|朝|夕方)が来(?:て、|た。)"
    r"|夜が明け(?:て、|た。|ると|、)|やがて(?:夜|朝|夕)"
    rf"|(?:早朝|深夜|真夜中|夜明け|明け方|夕暮れ|夜更け){_ALONE}"
    r"|一方(?:、?その(?:頃|ころ)|[、，][^、。？！「」]{1,12}(?:では(?!な|あり)|には[、，]))"
)
_CHINESE_DAY = (
    r"(?:一早|一大早|大清早|早上|早晨|清早|清晨|拂晓|拂曉|黎明|天亮|上午|中午|午后|下午|傍晚|黄昏|黃昏|晚上|夜里|夜裡"
    r"|深夜|半夜|凌晨|[春夏秋冬](?:天|季)?)"
)
_CHINESE_UNIT = r"(?:分钟|分鐘|个?小时|個?小時|个?时辰|個?時辰|天|日|夜|周|週|个?星期|個?星期|个?月|個?月|年)"
_CHINESE_ALONE = rf"(?:{_ALONE}|(?=[他她它]))"
_CHINESE = (
    rf"(?:(?:到了)?(?:次日|次晨|次年|翌日|翌晨|翌年|第二天|第二年|隔天|隔日|当晚|當晚|当夜|當夜|当天晚上|當天晚上)"
    rf"{_CHINESE_DAY}?|{_DIGITS}{_CHINESE_UNIT}(?:后|後|之后|之後|以后|以後)"
    r"|(?:不久|很久|许久|許久)(?:之后|之後|以后|以後|后|後)|没过多久|沒過多久"
    rf"|[过過]了{_DIGITS}{_CHINESE_UNIT}|与此同时|與此同時){_CHINESE_ALONE}"
    rf"|{_DIGITS}{_CHINESE_UNIT}[过過]去了?[，,。]"
    # In the old novels no comma follows.
    r"|(?:次日|[当當][夜晚])(?![再见見也就的是达達为為可行吧没沒不有要想我你您\u3040-\u30ff\s。？?！!]|$)"
    r"|(?:到了)?(?:天亮|天明|入夜|夜深|傍晚|黎明|清晨|凌晨|深夜|半夜|黄昏|黃昏|拂晓|拂曉)(?:时分?|時分?|后|後|之后|之後|了)?"
    rf"(?:{_ALONE}|(?=。))|到了(?:晚上|夜里|夜裡|早上){_ALONE}"
    r"|[却卻][说說]|且[说說](?![说說])|[话話][说說](?=[^，,、。？！?!回你您我])"
)
_TIME = re.compile(rf"{_BEGIN}(?:{_ENGLISH}|{_JAPANESE}|{_CHINESE})", re.IGNORECASE)

# -- places

_WHOSE = r"(?:the|his|her|their|my|our)"
_NO_PLACE = r"(?:time|times|moment|end|least|most|latest|risk|day|days|game|point|first|same|mercy|ready|way|past)\b"
_TOWARDS = rf"(?:at|to|in|on) {_WHOSE} (?!{_NO_PLACE}|answer|conclusion|idea|decision|work|subject|topic)\w+"
_HOUSES = (
    r"(?:house|home|inn|castle|palace|temple|church|village|town|city|capital|shop|tavern|harbou?r|port|station|ship|gate"
    r"|gates|door|tower|lighthouse|cabin|cottage|camp|cave|forest|river|lake|shore|coast|beach|island|valley|summit|top"
    r"|bridge|square|market|school|hospital|office|apartment|hotel|farm|border|ruins|woods|edge|entrance|outskirts|room"
    r"|kitchen|hall|garden)\b"
)
_PLACE = re.compile(
    _BEGIN + rf"(?:(?:back|over) (?:at|in|on|to) {_WHOSE} (?!{_NO_PLACE})\w+(?: \w+)?{_GOES_ON}"
    rf"|at (?:the|his|her|their) (?!{_NO_PLACE})\w+,"
    r"|(?:we|they|he|she|i) (?:"
    rf"(?:arrives?|arrived) (?:home\b|{_TOWARDS}|(?:in|at) (?-i:[A-Z]))"
    rf"|(?:(?:gets?|got|comes?|came) back|returns?|returned) (?:home\b|(?:at|to|in) {_WHOSE} (?:\w+ ){{0,2}}{_HOUSES})"
    rf"|reach(?:es|ed)? (?:home\b|{_WHOSE} (?:\w+ ){{0,2}}{_HOUSES}))"
    r"|場所は|場面は|舞台は"
    r"|[^\s、。！？「」『』“”\"：:]{0,11}[^\s、。！？「」『』“”\"：:席身手]に"
    r"(?:着くと|着いて、|着いた[。、]|着いたとき|到着(?:した|すると|し、))"
    r"|[来來]到(?![这這]里|[这這]裡|[这這]世|世上)[^，,。？！?!你我您]{1,10}[，,]"
    r"|回到(?!正题|正題|话题|話題|主题|主題|问题|問題|原题|刚才|剛才|过去|過去|从前|從前|以前|现在|現在|现实|現實|原点|原點)"
    r"[^，,。？！?!你我您]{1,10}[，,]"
    r"|到了[^，,。？！?!你我您]{0,7}(?:门口|門口|城|镇|鎮|村|山下|山上|寺|庙|廟|楼下|樓下|宫|宮|港|港口|车站|車站)[，,])",
    re.IGNORECASE,
)
_LOOKED_AT = 200
"""Characters of the later message's first line: more than any of the patterns is long, less than takes time."""
_STRENGTHS = ((_HEADING, 1.0), (_TIME, 0.8), (_PLACE, 0.5))


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
    return [line.strip() for line in unicodedata.normalize("NFC", text).splitlines() if line.strip()]
