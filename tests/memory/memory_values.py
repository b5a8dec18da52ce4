"""What the tests of writing share: short stories in three languages, as messages and as tasks."""

from collections.abc import Sequence

from kotonia_desktop.domain.messages import Message, Revision, Role, Segment, SegmentKind
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.lines import labelled_lines

KINDS = {"say": SegmentKind.SPEECH, "act": SegmentKind.ACTION, "narr": SegmentKind.NARRATION, "ooc": SegmentKind.OOC}
KINDS["think"] = SegmentKind.THOUGHT

STORIES = {
    "en": [
        ("Sam", "say", "I was born in Tarrow and I am afraid of deep water."),
        ("Mira", "say", "I have kept this lighthouse for eleven years, you know."),
        ("", "narr", "The lamp went out at nine, and the harbour lay dark."),
        ("Sam", "say", "Did you light it yourself?"),
        ("Mira", "say", "I promise we will repair the lamp together on Friday."),
        ("Mira", "act", "hides the letter from the captain under the table"),
        ("Sam", "say", "Good, then I will bring three copper wires from the market."),
        ("Mira", "say", "The captain asked me to keep the boat a secret."),
    ],
    "ja": [
        ("サム", "say", "私はタロウ村で生まれて、深い水が怖いんです。"),
        ("ミラ", "say", "この灯台はもう十一年守っているの。"),
        ("", "narr", "九時に灯りが消えて、港は真っ暗になった。"),
        ("サム", "say", "自分で灯したんですか？"),
        ("ミラ", "say", "金曜日にいっしょにランプを直すと約束する。"),
        ("ミラ", "act", "船長からの手紙を机の下に隠す"),
        ("サム", "say", "では市場で銅線を3本買ってきます。"),
        ("ミラ", "say", "船長に船のことは秘密にするよう頼まれたの。"),
    ],
    "zh": [
        ("山姆", "say", "我出生在塔罗村，我害怕深水。"),
        ("米拉", "say", "这座灯塔我已经守了十一年。"),
        ("", "narr", "九点钟灯灭了，港口一片漆黑。"),
        ("山姆", "say", "是你自己点的灯吗？"),
        ("米拉", "say", "我答应星期五和你一起修好那盏灯。"),
        ("米拉", "act", "把船长的信藏到桌子底下"),
        ("山姆", "say", "那我去市场买3根铜线。"),
        ("米拉", "say", "船长要我对那条船的事保密。"),
    ],
}
PEOPLE = {"en": ("Mira", "Sam"), "ja": ("ミラ", "サム"), "zh": ("米拉", "山姆")}
GOOD = {
    "en": [
        "Sam told Mira of his birth in Tarrow and his fear of deep water.",
        "Mira claimed that she had tended the lighthouse for eleven years.",
        "Mira and Sam agreed to mend the lamp on Friday with copper wires.",
    ],
    "ja": [
        "サムはタロウ村の生まれで水を怖がっていると話した。",
        "ミラは灯台を守ってきた年月を語った。",
        "ミラは金曜日にランプを修理する約束をした。",
    ],
    "zh": ["山姆说自己在塔罗村出生，怕水。", "米拉说她守着灯塔多年。", "米拉约山姆星期五修灯。"],
}


def messages(language: str, times: int = 1) -> list[Message]:
    """A story told `times` times over."""
    made = []
    user = PEOPLE[language][1]
    for number, (speaker, kind, text) in enumerate(STORIES[language] * times):
        segment = Segment(KINDS[kind], 0, len(text), speaker if kind in ("say", "think") else "")
        role = Role.USER if speaker == user else Role.CHARACTER
        revision = Revision(text=text, segments=(segment,), id=number + 100)
        made.append(Message(number + 1, 1, 1, number, role, speaker or PEOPLE[language][0], revision))
    return made


def task(language: str, budget: int = 200, **changed: object) -> WritingTask:
    char, user = PEOPLE[language]
    lines = labelled_lines(messages(language), char=char, user=user, language=language)
    values = {"lines": lines, "least_items": 3, "most_items": 6, "budget": budget} | changed
    return WritingTask(language=language, char=char, user=user, **values)


def count(texts: Sequence[str]) -> list[int]:
    """A token is three characters, about."""
    return [max(1, -(-len(text) // 3)) for text in texts]


def items(sentences: Sequence[str], title: str = "# The lamp") -> str:
    return "\n".join([title, *(f"- {sentence}" for sentence in sentences)]) + "\n"
