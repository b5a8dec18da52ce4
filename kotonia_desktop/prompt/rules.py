"""The rules of play that open a prompt, in the conversation's language. Nothing in them changes from turn to turn."""

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.library import CharacterCard, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.macros import expand

_RULES = {
    "en": (
        "You write {char} in a story told together with {user}. Keep {char}'s voice, knowledge and wishes. "
        "Write only {char}, other characters and the world: never what {user} says, does, thinks or feels. "
        "Write in English. Keep a reply to one to three short paragraphs and leave the next move to {user}."
    ),
    "ja": (
        "あなたは{user}といっしょに語る物語の中で、{char}を書きます。{char}の口調、知っていること、望みを守ってください。"
        "書くのは{char}とほかの登場人物と世界だけです。{user}の言葉、行動、考え、気持ちは書かないでください。"
        "日本語で書いてください。返事は短い段落を一つから三つまでにして、次の動きは{user}に任せてください。"
    ),
    "zh": (
        "你在与{user}共同讲述的故事里书写{char}。保持{char}的口吻、所知与所愿。"
        "只写{char}、其他角色和世界，绝不写{user}说的话、做的事、想法或感受。"
        "用中文书写。每次回复一到三个短段落，把下一步留给{user}。"
    ),
}
_SCRIPT = {
    "en": (
        "Write one line for each thing: `Name: what is said`, `(Name) what is thought and not said`, "
        "`* what is done`; a line without a mark narrates."
    ),
    "ja": (
        "一つのことを一行で書きます。「名前: 話した言葉」「(名前) 口にしない考え」「* したこと」。"
        "印のない行は地の文です。"
    ),
    "zh": "每件事写一行：“名字: 说的话”“(名字) 没说出口的想法”“* 做的事”。没有记号的行是叙述。",
}
_MARKS = {
    "": {"en": "plain text", "ja": "印なし", "zh": "不加记号"},
    '""': {"en": '"straight quotes"', "ja": '"引用符"', "zh": '"直引号"'},
    "“”": {"en": "“curly quotes”", "ja": "“引用符”", "zh": "“引号”"},
    "「」": {"en": "「corner brackets」", "ja": "「かぎ括弧」", "zh": "「直角引号」"},
    "『』": {"en": "『white corner brackets』", "ja": "『二重かぎ括弧』", "zh": "『双直角引号』"},
    "**": {"en": "*asterisks*", "ja": "*アスタリスク*", "zh": "*星号*"},
    "（）": {"en": "（full-width round brackets）", "ja": "（丸括弧）", "zh": "（圆括号）"},
    "()": {"en": "(round brackets)", "ja": "(半角の丸括弧)", "zh": "(半角圆括号)"},
    "__": {"en": "_underscores_", "ja": "_下線_", "zh": "_下划线_"},
}
_PROSE = {
    "en": "Narration: {narration}. Speech: {speech}.{thought} Out of character: ((double brackets)).",
    "ja": "地の文：{narration}。台詞：{speech}。{thought}物語の外の話：（（二重括弧））。",
    "zh": "叙述：{narration}。对白：{speech}。{thought}戏外的话：（（双括号））。",
}
_THOUGHT = {"en": " Unspoken thoughts: {mark}.", "ja": "心の声：{mark}。", "zh": "没说出口的心声：{mark}。"}
_OPENER = {"en": "(The story begins.)", "ja": "（物語が始まる。）", "zh": "（故事开始。）"}
_EXAMPLES = {
    "en": "How {char} writes (examples, not part of the story):",
    "ja": "{char}の書き方の例（物語の一部ではありません）：",
    "zh": "{char}的写法示例（不属于故事）：",
}
_PERSONA = {
    "en": "{user}, played by the other writer:",
    "ja": "もう一人の書き手が演じる{user}：",
    "zh": "另一位作者扮演的{user}：",
}
_NOTE = {"en": "[Background: {text}]", "ja": "［背景：{text}］", "zh": "［背景：{text}］"}


def rules_text(card: CharacterCard, user: str, language: str, reply_format: ReplyFormat, markup: ProseMarkup) -> str:
    """The rules, and how replies are written. A card's own system prompt takes the rules' place ({{original}})."""
    ours = pick(_RULES, language).format(char=card.name, user=user)
    if card.system_prompt.strip():
        own = expand(card.system_prompt, card.name, user)
        ours = own.replace("{{original}}", ours)
    return ours + "\n" + format_text(language, reply_format, markup)


def format_text(language: str, reply_format: ReplyFormat, markup: ProseMarkup) -> str:
    """How a reply marks narration, speech and thoughts, said in the conversation's language."""
    if reply_format is ReplyFormat.SCRIPT:
        return pick(_SCRIPT, language)

    def mark(pair: str) -> str:
        return pick(_MARKS.get(pair, {"en": pair}), language)

    # Where a conversation has no mark for thoughts none are written, so none are spoken of.
    thought = pick(_THOUGHT, language).format(mark=mark(markup.thought)) if markup.thought else ""
    return pick(_PROSE, language).format(narration=mark(markup.narration), speech=mark(markup.speech), thought=thought)


def opener_text(language: str) -> str:
    """The fixed line that a greeting answers: histories start with a user's turn."""
    return pick(_OPENER, language)


def examples_text(card: CharacterCard, user: str, language: str) -> str:
    """The card's example dialogue under a heading, or ""."""
    text = expand(card.examples, card.name, user).replace("<START>", "---").strip().strip("-").strip()
    return f"{pick(_EXAMPLES, language).format(char=card.name)}\n{text}" if text else ""


def persona_text(description: str, char: str, user: str, language: str) -> str:
    """The persona's description under a heading, or ""."""
    text = expand(description, char, user).strip()
    return f"{pick(_PERSONA, language).format(user=user)}\n{text}" if text else ""


def note_text(text: str, language: str) -> str:
    """Lore that fired, as it stands before the user's message."""
    return pick(_NOTE, language).format(text=text)
