"""What asterisks, quotes, round brackets and bare text mean in a conversation, guessed from a card's own texts.

Cards follow three conventions: *act* and bare speech; *act* and "speech"; "speech" and bare narration. In the first,
bare text is speech, in the third it is narration, so one parser without this guess would turn lies into facts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kotonia_desktop.domain.library import ProseMarkup

SPEECH_PAIRS = ('""', "“”", "「」", "『』")
"""The quotes that mark speech, in the order in which a tie is decided."""

_DEFAULTS = {
    "en": ProseMarkup(),
    "ja": ProseMarkup(speech="「」", thought="（）"),
    "zh": ProseMarkup(speech="“”", thought="（）"),
}
_SPEECH = re.compile(r'"[^"\n]{1,2000}"|“[^”\n]{1,2000}”|「[^」\n]{1,2000}」|『[^』\n]{1,2000}』')
_ASTERISK = re.compile(r"(?<!\*)\*(?!\*)[^*\n]{1,4000}\*(?!\*)")
# A bracket right behind a word is a gloss (槙野澄（まきの すみ）), no mark.
_ROUND = re.compile(r"(?<!\w)(?:（[^（）\n]{1,1000}）|\([^()\n]{1,1000}\))")
_UNDERSCORE = re.compile(r"(?<!\w)_[^_\n]{2,2000}_(?!\w)")
_EXAMPLE_HEAD = re.compile(r"^[ \t]*(?:<START>.*|\{\{[^{}\n]{1,40}\}\}[ \t]*[:：])", re.IGNORECASE | re.MULTILINE)
_OOC = re.compile(r"\(\([^()]{0,2000}\)\)|（（[^（）]{0,2000}））")
_SAMPLE = 200_000


def default_markup(language: str) -> ProseMarkup:
    """Our own convention for `language` (`en`, `ja`, `zh`): bare narration, quoted speech, marked thoughts."""
    return _DEFAULTS.get(language, _DEFAULTS["en"])


@dataclass(slots=True)
class _Weights:
    """Characters of the texts by the marks around them."""

    quotes: dict[str, int] = field(default_factory=dict)
    quoted: int = 0
    asterisk: int = 0
    rounded: int = 0
    underscore: int = 0
    bare: int = 0


def _weigh(text: str) -> _Weights:
    weights = _Weights()
    rest = _OOC.sub(" ", _EXAMPLE_HEAD.sub("", text))

    # Asterisks first: a quote inside *an act* does not make bare narration, and its speech still counts as quoted.
    def asterisk(match: re.Match[str]) -> str:
        body = match[0]
        inside = sum(_count_quote(weights, quote[0]) for quote in _SPEECH.finditer(body))
        weights.asterisk += len(body) - inside
        return "\n"

    def quoted(match: re.Match[str]) -> str:
        _count_quote(weights, match[0])
        return "\n"

    def rounded(match: re.Match[str]) -> str:
        weights.rounded += len(match[0])
        return "\n"

    def underscore(match: re.Match[str]) -> str:
        weights.underscore += len(match[0])
        return "\n"

    # Where quotes stand outside asterisks they go first, or "I *really* do" would leave two broken halves.
    outside = _SPEECH.sub(quoted, rest) if not _ASTERISK.search(rest) or _quotes_hold_asterisks(rest) else rest
    outside = _ASTERISK.sub(asterisk, outside)
    outside = _SPEECH.sub(quoted, outside)
    outside = _ROUND.sub(rounded, outside)
    outside = _UNDERSCORE.sub(underscore, outside)
    weights.bare = sum(not char.isspace() for char in outside)
    return weights


def _quotes_hold_asterisks(text: str) -> bool:
    """True where more asterisk pairs stand inside quotes than quotes inside asterisk pairs."""
    inside_quotes = sum("*" in match[0] for match in _SPEECH.finditer(text))
    inside_asterisks = sum(bool(_SPEECH.search(match[0])) for match in _ASTERISK.finditer(text))
    return inside_quotes > inside_asterisks


def _count_quote(weights: _Weights, quote: str) -> int:
    pair = quote[0] + quote[-1]
    weights.quotes[pair] = weights.quotes.get(pair, 0) + len(quote)
    weights.quoted += len(quote)
    return len(quote)


def guess_markup(texts: Sequence[str], language: str) -> ProseMarkup:
    """The convention that `texts` (a card's greetings and examples) are written in; ours where they show none.

    A `thought` of "" means that the convention has no mark for thoughts. Linear in the length of the texts, of which
    the first 200,000 characters are read.
    """
    ours = default_markup(language)
    w = _weigh("\n\n".join(texts)[:_SAMPLE])
    speech = max(SPEECH_PAIRS, key=lambda pair: w.quotes.get(pair, 0)) if w.quoted else ours.speech
    cjk = language in ("ja", "zh")
    has_quotes = w.quoted > 0.15 * (w.quoted + w.bare)
    few_quotes = not has_quotes and w.asterisk > 0.3 * w.bare
    underscored = "__" if w.underscore else ""
    if w.asterisk and (not w.quoted or few_quotes):
        # *act* and bare speech. Without bare text nothing shows how speech is written: our own quotes then.
        return ProseMarkup("**", "" if w.bare else ours.speech, "（）" if cjk and w.rounded else underscored)
    if w.asterisk > w.bare:
        return ProseMarkup("**", speech, "（）" if cjk and w.rounded else underscored)
    if cjk and w.rounded and not w.asterisk and (not has_quotes or w.rounded > 2 * w.bare):
        # （act） and bare or quoted speech: common in Chinese, where brackets beside bare narration are thoughts.
        return ProseMarkup("（）", speech if has_quotes else "" if w.bare else ours.speech, "")
    if cjk:
        return ProseMarkup("", speech, "**" if w.asterisk and not w.rounded else "（）")
    return ProseMarkup("", speech, "__" if w.underscore > w.asterisk else "**")
