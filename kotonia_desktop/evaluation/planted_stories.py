"""Lies and open matters to plant, in each language. Closed lists of our own.

Of a lie, the character's claim stands in speech, and later narration may show what is so. Of a matter, the user opens
it, and may close it later. Of the four options the first is the truth of the whole story, the second what the first
line alone says.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoryWords:
    """Two lines, a question about them and its options, in one language."""

    first: str
    second: str
    question: str
    options: tuple[str, str, str, str]


LIES: dict[str, dict[str, StoryWords]] = {
    "wound": {
        "en": StoryWords(
            "It is only a scratch. I was not hurt.",
            "When the character turned away, the bandage under the coat was soaked through with blood.",
            "Was the character hurt?",
            (
                "Yes, badly; it was hidden",
                "No, it was only a scratch",
                "Only the user was hurt",
                "Nobody had been there",
            ),
        ),
        "ja": StoryWords(
            "かすり傷だよ。けがなんかしていない。",
            "背を向けたとき、上着の下の包帯は血でぐっしょり濡れていた。",
            "相手はけがをしていたか。",
            (
                "していた。ひどいけがを隠していた",
                "していない。かすり傷だった",
                "けがをしたのはユーザーだけ",
                "その場にいなかった",
            ),
        ),
        "zh": StoryWords(
            "只是擦破点皮，我没有受伤。",
            "转过身去的时候，外衣下的绷带已经被血浸透了。",
            "对方受伤了吗？",
            ("受了重伤，只是瞒着", "没有，只是擦破点皮", "受伤的只有用户", "当时不在场"),
        ),
    },
    "letter": {
        "en": StoryWords(
            "I burned the letter, just as you asked.",
            "Alone in the room, the character took the unopened letter out of the drawer and put it back.",
            "What happened to the letter?",
            (
                "The character still keeps it in a drawer",
                "The character burned it",
                "The user tore it up",
                "It was lost on the way",
            ),
        ),
        "ja": StoryWords(
            "手紙なら、言われたとおり燃やしたよ。",
            "ひとりになると、引き出しから封の切られていない手紙を取り出し、また戻した。",
            "手紙はどうなったか。",
            ("相手がまだ引き出しに持っている", "相手が燃やした", "ユーザーが破った", "途中でなくなった"),
        ),
        "zh": StoryWords(
            "信我已经照你说的烧了。",
            "独自一人时，从抽屉里取出那封没有拆开的信，又放了回去。",
            "那封信怎么样了？",
            ("对方还收在抽屉里", "对方烧掉了", "用户撕掉了", "在路上丢了"),
        ),
    },
    "age": {
        "en": StoryWords(
            "I am twenty-six, the same as you.",
            "On the old passport in the suitcase the year of birth made the character forty-one.",
            "How old is the character in fact?",
            ("forty-one", "twenty-six", "thirty", "nineteen"),
        ),
        "ja": StoryWords(
            "二十六歳だよ。きみと同じ。",
            "鞄の中の古い旅券に書かれた生年では、四十一歳だった。",
            "相手の本当の年齢はいくつか。",
            ("四十一歳", "二十六歳", "三十歳", "十九歳"),
        ),
        "zh": StoryWords(
            "我二十六岁，和你一样大。",
            "箱子里的旧护照上写着出生年份，算来已经四十一岁了。",
            "对方实际上多大年纪？",
            ("四十一岁", "二十六岁", "三十岁", "十九岁"),
        ),
    },
    "job": {
        "en": StoryWords(
            "I work at the city library.",
            "The badge that slipped out of the pocket was that of a police inspector.",
            "What is the character's real occupation?",
            ("police inspector", "librarian", "doctor", "teacher"),
        ),
        "ja": StoryWords(
            "市の図書館で働いているんだ。",
            "ポケットから滑り落ちたのは、刑事の身分証だった。",
            "相手の本当の職業は何か。",
            ("刑事", "図書館員", "医者", "教師"),
        ),
        "zh": StoryWords(
            "我在市图书馆上班。",
            "从口袋里滑出来的，是一张刑警的证件。",
            "对方真正的职业是什么？",
            ("刑警", "图书管理员", "医生", "老师"),
        ),
    },
}

THREADS: dict[str, dict[str, StoryWords]] = {
    "umbrella": {
        "en": StoryWords(
            "Where has my grandfather's umbrella gone? We must find it.",
            "We found the umbrella behind the piano at last, and hung it by the door.",
            "What is the state of the matter of grandfather's umbrella?",
            ("found, behind the piano", "still missing", "given to a museum", "sold"),
        ),
        "ja": StoryWords(
            "祖父の傘はどこへ行ったんだろう。探さなくちゃ。",
            "傘はとうとうピアノの裏で見つかって、玄関に掛けた。",
            "祖父の傘の件はどうなっているか。",
            ("ピアノの裏で見つかった", "まだ見つかっていない", "博物館に寄贈した", "売った"),
        ),
        "zh": StoryWords(
            "爷爷的伞到哪里去了？得把它找回来。",
            "伞终于在钢琴后面找到了，挂在了门边。",
            "爷爷的伞的事现在怎样了？",
            ("在钢琴后面找到了", "还没有找到", "捐给了博物馆", "卖掉了"),
        ),
    },
    "promise": {
        "en": StoryWords(
            "I promise I will take you to see the night ferry.",
            "That evening we stood on the pier and watched the night ferry leave, as promised.",
            "What is the state of the promise about the night ferry?",
            ("kept; they watched it leave", "not yet kept", "taken back", "the ferry sank"),
        ),
        "ja": StoryWords(
            "夜のフェリーを見に連れて行くって約束するよ。",
            "その晩、約束どおり桟橋に立って夜のフェリーを見送った。",
            "夜のフェリーの約束はどうなっているか。",
            ("果たされた。見送った", "まだ果たされていない", "取り消された", "フェリーは沈んだ"),
        ),
        "zh": StoryWords(
            "我答应你，带你去看夜里的渡轮。",
            "那天晚上，照约定站在码头上，目送夜里的渡轮离开。",
            "夜里渡轮的约定现在怎样了？",
            ("已经兑现，一起看了", "还没有兑现", "取消了", "渡轮沉了"),
        ),
    },
    "debt": {
        "en": StoryWords(
            "I still owe the baker three hundred. I have to pay it back.",
            "I paid the baker the three hundred today, and he tore up the note.",
            "What is the state of the debt to the baker?",
            ("paid back", "still owed", "the baker forgot it", "the user lent more"),
        ),
        "ja": StoryWords(
            "パン屋にまだ三百円借りがある。返さないと。",
            "今日パン屋に三百円を返して、証文を破ってもらった。",
            "パン屋への借金はどうなっているか。",
            ("返した", "まだ返していない", "パン屋が忘れた", "さらに借りた"),
        ),
        "zh": StoryWords(
            "我还欠面包店三百块，得还上。",
            "今天把三百块还给了面包店，他把欠条撕了。",
            "欠面包店的钱现在怎样了？",
            ("已经还清", "还没有还", "店主忘了", "又借了更多"),
        ),
    },
    "exam": {
        "en": StoryWords(
            "My piano exam is coming. I am so nervous about it.",
            "The result of the piano exam came: I passed with a good mark.",
            "What is the state of the piano exam?",
            ("passed", "not yet taken or unknown", "failed", "given up"),
        ),
        "ja": StoryWords(
            "ピアノの試験が近い。緊張するなあ。",
            "ピアノの試験の結果が来た。よい点で合格だった。",
            "ピアノの試験はどうなっているか。",
            ("合格した", "まだ結果が出ていない", "不合格だった", "あきらめた"),
        ),
        "zh": StoryWords(
            "钢琴考级快到了，我好紧张。",
            "钢琴考级的结果出来了，高分通过。",
            "钢琴考级现在怎样了？",
            ("通过了", "还没有结果", "没有通过", "放弃了"),
        ),
    },
}
NARRATOR = {"en": "(narration)", "ja": "（地）", "zh": "（叙述）"}
"""Who speaks in planted narration."""
