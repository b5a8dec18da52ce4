"""The phrases by which the gates tell a refusal, a line of the play and a quotation, in the languages shipped."""

import re

# Only at a sentence's beginning: that somebody in the story refused or was sorry is no refusal of the model's.
REFUSAL = re.compile(
    r"^\W*(?:"
    r"(?:i['’]?m |i am )?(?:really |very |so )?sorry\b|i (?:apologi[sz]e|can['’]?t|cannot|can not|won['’]?t)\b"
    r"|i(?: am|['’]m) (?:not able|unable)\b|as an (?:ai|assistant|language model)\b|unfortunately,? i\b"
    r"|(?:大変)?申し訳(?:あり|ござ|な)|すみませんが|ごめんなさい|お手伝い(?:でき|する)"
    r"|(?:その|この)?(?:ご)?(?:要望|依頼|内容)には(?:お応え|対応)|お(?:答え|応え)(?:でき|する)|対応(?:でき|いたし)"
    r"|(?:私は)?(?:AI|人工知能)(?:として|なので|です)"
    r"|(?:非常|很|实在)?抱歉|对不起|我(?:无法|不能|没有办法)|作为(?:一个|一名)?(?:AI|人工智能|语言模型|助手)"
    r"|无法(?:提供|协助|完成|满足)|不能(?:提供|协助)"
    r")",
    re.IGNORECASE,
)
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’|《[^》]*》")
WHOLE_QUOTE = re.compile(r"^\s*[\"“「『].*[\"”」』]\W*$")
# "Mira:", "#12 Mira (says):"
SPEAKER = re.compile(
    r"^\W{0,3}(?:#?\d+\s+)?[^\s:：]{1,24}(?: [^\s:：]{1,24})?(?:\s?[（(][^（()）]{1,30}[)）])?\s*[:：]"
)
POOR_TITLE = re.compile(
    r"\b(?:log|record|title|chapter|conversation|summary|says|task|description)\b"
    r"|記録|題名|タイトル|会話|要約|総括|あらすじ|记录|标题|对话|摘要|任务描述|描述|章节|[(（]",
    re.IGNORECASE,
)
"""A title that names the task and not the story."""
PLAYS_ON = {
    "en": re.compile(
        r"\b(?:i|i['’](?:m|ll|ve|d)|my|you|you['’](?:re|ll|ve)|your|we|we['’](?:re|ll)|our|let['’]s)\b", re.IGNORECASE
    ),
    "ja": re.compile(
        r"(?:私|わたし|僕|俺|あたし|あなた|君)(?:は|が|の|も|を|に|と|たち)"
        r"|(?:ですか|ますか|ましょう|ください|ね|よ|よね)[。！？]?$"
    ),
    "zh": re.compile(r"[我你您咱]|(?:吗|呢|吧|啊)[。！？]?$"),
}
"""Outside quotations: the first and the second person, and endings that are spoken to somebody."""
