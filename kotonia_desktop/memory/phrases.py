"""The phrases by which code tells a refusal, a line of the play, a quotation, reported words and a speaker's word about
themselves, in the languages shipped. All of them lean to the side of less: a text that does not count, a mere claim.
"""

import re

from kotonia_desktop.domain.language import pick

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
        r"\b(?:i|i['’](?:m|ll|ve|d)|me|my|mine|myself|you|you['’](?:re|ll|ve|d)|yours?|yourself"
        r"|we|we['’](?:re|ll|ve|d)|our|ours|ourselves|let['’]s|(?-i:us))\b",
        re.IGNORECASE,
    ),
    # A name that ends in 君 is no address.
    "ja": re.compile(
        r"(?:私|わたし|わたくし|僕|俺|あたし|オレ|ボク|あなた|貴方|お前|(?<![\w])君)(?:は|が|の|も|を|に|と|たち)"
        r"|(?:ですか|ますか|ましょう|ください|ね|よ|よね)[。！？]?$"
    ),
    "zh": re.compile(r"(?<!自)我|[你您咱]|(?:吗|呢|吧|啊)[。！？]?$"),
}
"""Outside quotations: the first and the second person, and endings that are spoken to somebody."""
QUESTION = re.compile(r"[?？]\W*$|(?:か|吗|呢)[。.]?\W*$")

FIRST_PERSON = {
    "en": re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]yself)\b|^(?:i|i['’](?:m|ve|d|ll))\b"),
    "ja": re.compile(
        r"私(?![立的語服])|(?<!下)僕|俺|オレ|ボク|(?<![ぁ-ん])(?:わたし|わたくし|あたし|ぼく|おれ)(?=[はがもをのにと、]|って|たち)"
    ),
    "zh": re.compile(r"(?<!自)我|咱"),
}
NOT_OWN_WORD = {
    "en": re.compile(
        r"\b(?:you|your|yours|yourself|u|heard|hear|told|said|says|saying|think|thought|believe|guess|suppose|suspect"
        r"|bet|wonder|maybe|perhaps|probably|if|rumou?rs?|apparently)\b|\byou['’]",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"あなた|貴方|お前|(?<![\w])(?:君|きみ)|[とて]言|という(?:話|噂|こと)|[とて]聞|そうです|そうだ|らしい|みたい|かも|"
        r"でしょう|だろう|(?<![おこそとのほもよろごぞどぼぽ]う)と思|たぶん|多分|もし"
    ),
    "zh": re.compile(r"[你您]|听说|据说|觉得|认为|以为|猜|可能|也许|大概|好像|似乎|告诉我|对我说|如果|要是"),
}
"""A statement with one of these is about another, from another, or a guess."""
FILLER = re.compile(r",? ?\b(?:you know|you see|believe me|I tell you|let me tell you)\b,?", re.IGNORECASE)
"""Said to nobody and about nothing."""

_REPORTS = {
    "en": re.compile(
        r"\b(?:sa(?:id|ys?|ying)|t(?:old|ells?|elling)|claim(?:s|ed|ing)?|assert(?:s|ed)|insist(?:s|ed)"
        r"|sw(?:ore|ears?)|boast(?:s|ed)|lie[sd]|repl(?:y|ies|ied)|answer(?:s|ed)|explain(?:s|ed)|admit(?:s|ted)"
        r"|confess(?:es|ed)|announce[sd]?|declare[sd]?|report(?:s|ed)?|mention(?:s|ed)|whisper(?:s|ed)|murmur(?:s|ed)"
        r"|wr(?:ote|ites?|itten)|read(?:s|ing)?:|according to|reportedly|supposedly|allegedly|rumou?r(?:s|ed)?"
        r"|promise[sd]?|assure[sd]?)\b"
        r"|\b(?:in|from|by|per) (?:the|an?|her|his|their|my|your|its) (?:\w+ )?(?:letter|note|diary|journal|newspaper"
        r"|telegram|report|story|tale|dream)\b"
        r"|\b(?:letter|note|diary|journal|newspaper|telegram)\b[^.]{0,40}(?:: | that )",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"[とて][^。]{0,12}(?:言|話|語|答|告げ|叫|述べ|伝え|つぶや|呟|囁|ささや|主張|説明|打ち明|書|記)|という(?:噂|話)|とのこと"
        r"|(?:手紙|置き手紙|日記|新聞|電報|便り|夢|メモ)(?:に(?:は|よ)|の中で|では)"
        r"|だそう|たそう|るそう|いそう(?:だ|です)|らしい|によると|によれば|(?:噂|うわさ)|言い張|名乗"
    ),
    "zh": re.compile(
        r"[说說曰]|称(?!赞|呼)|告诉|声明|宣布|承认|据(?:说|称|闻|报)|传闻|听闻|写着|写道|写信|回答|答道|问道|喊道|叫道|[笑喝叹骂]道|(?:书?信|日记|报纸|纸条|电报|梦)(?:里|上|中)|道[：:，“]|言[：:，“]|云[：:，“]"
    ),
}
TO_THE_RECORDER = re.compile(
    r"<\|[^|>]{1,40}\|>|\[/?\s*(?:system|inst|instruction)s?\b[^\]]*\]|<</?sys>>"
    r"|\b(?:summar(?:y|ies|i[sz]e)|synopsis|memory log|chronicle(?:r)?|record)\b[^.!?]{0,60}"
    r"\b(?:must|should|shall|always|contain|include|write|repeat)\b"
    r"|\b(?:write|repeat|save|store|record|include)\b[^.!?]{0,60}\b(?:summar\w+|synopsis|established fact|memory log)\b"
    r"|\b(?:ignore|disregard|forget)\b[^.!?]{0,30}\b(?:instructions?|rules?|prompt)\b"
    r"|\bfrom now on\b[^.!?]{0,40}\b(?:summar|synopsis|memory)\w*"
    r"|(?:要約|あらすじ|記録)(?:に|には|で|する)[^。]{0,30}(?:必ず|書|含め|繰り返)|(?:指示|命令|ルール)を(?:無視|忘れ)"
    r"|(?:摘要|总结|概要|记录)(?:里|中|时|必须)[^。]{0,30}(?:必须|写|包含|重复)|(?:无视|忽略|忘记)[^。]{0,10}(?:指令|指示|规则)",
    re.IGNORECASE,
)
"""Words that speak to whoever keeps the record, not to anybody in the story: they are in no record."""
INTRODUCES = re.compile(
    r"(?:曰|道|说|說|問|问|答|言)[：:，,。.]?\W*$|(?:言|述べ|答え|尋ね|話し|叫)(?:った|た|いた|んだ)[。.]?\W*$"
    r"|\b(?:said|says|asked|asks|replied|replies|answered|added|whispered|shouted)[,.:]?\W*$",
    re.IGNORECASE,
)
"""Narration that ends with a verb of saying: the words themselves stand beside it."""
_THOUGHT = (
    r"\b(?:thinks?|thought|believe[sd]?|wonder(?:s|ed)?|suspect(?:s|ed)?)\b"
    r"|と(?:思|考え|信じ)|心の中|心想|暗想|暗思|认为|以为|相信"
)
THOUGHT = re.compile(_THOUGHT, re.IGNORECASE)
"""A sentence that tells what somebody holds to be true."""

LIE = re.compile(
    r"\b(?:lie[sd]?|lying|untrue|not true|pretend(?:s|ed|ing)?|bluff(?:s|ed|ing)?|deceiv(?:e[sd]?|ing)"
    r"|ma(?:de|kes?|king) (?:it|that|this) up)\b|嘘|うそ[をだはにでの]|ウソ|偽って|でたらめ|作り話|ごまか|騙|だまし"
    r"|だまそ|谎|骗|假装|瞎编|编造|不是真的|糊弄",
    re.IGNORECASE,
)
"""Beside somebody's words: they are not meant."""

SUPPOSED = {
    "en": re.compile(
        r"\b(?:as if|as though|perhaps|maybe|probably|possibly|seem(?:s|ed)?|appear(?:s|ed) to|might|may have"
        r"|could have|would have|if|unless|dream(?:s|ed|t|ing)?|imagin(?:e[sd]?|ing)|suppose[sd]?|almost|like an? )",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"まるで|ような|ように|ようだ|かのよう|かもしれ|だろう|らしい|みたい|もし|たぶん|おそらく|たら[、。]|れば[、。]|なら[、。]|夢|想像"
    ),
    "zh": re.compile(r"好像|仿佛|似乎|宛如|犹如|像是|如同|也许|可能|大概|如果|要是|假如|若是|梦见|梦里|想象|恐怕"),
}
"""Narration with one of these compares, supposes or dreams: nothing that happened."""
FEELS = re.compile(
    r"\b(?:feels?|felt|feeling|thinks?|thought|remember(?:s|ed)?|love[sd]?|hate[sd]?|wish(?:es|ed)?|want(?:s|ed)?"
    r"|know[sn]?|knew|had (?:been|always|never|once)|used to)\b"
    r"|感じ|思っ|思う|考え|愛し|憎|願っ|望ん|覚えて|かつて|昔|觉得|感到|想起|爱|恨|希望|记得|曾经|从前|过去",
    re.IGNORECASE,
)
"""What somebody feels, wants or was: of the user only the user can tell."""

LASTING = {
    "en": re.compile(
        r"\b(?:(?:[Mm]y|[Hh]er|[Hh]is|[Tt]heir) (?:\w+ )?(?:name|mother|father|mom|dad|sister|brother|son|daughter"
        r"|wife|husband|partner|cat|dog|horse|home|house|job|birthday|family|friend|uncle|aunt|grandm|grandf)\w*"
        r"|(?:am|is|was|are|were|['’]m) (?:an? |the |born|from|called|named|afraid|allergic|married|engaged|twenty"
        r"|thirty|forty|fifty|\d)|years old|grew up|born in|live[sd]? (?:in|at|with)|work(?:s|ed)? (?:as|at|in|for)"
        r"|can['’]?t eat|cannot eat|allerg\w+|hate[sd]?|owe[sd]?|promise[sd]?|swear|sworn|secret|password|first met"
        r"|gave|gift|present|brought (?:you|me|him|her)|belong(?:s|ed)|inherit\w*|wound\w*|bandage|hurt|injur\w+|broke"
        r"|burn(?:t|ed)|hid(?:den)?|found|lost|passport|badge|moved to|married|died|dead|killed|betray\w*|afraid of"
        r"|scared of|never eat)\b"
    ),
    "ja": re.compile(
        r"名前|本名|歳|年生まれ|生まれ|育っ|育ち|出身|住んで|住む|実家|働い|勤め|仕事|職業|身分証|旅券|姉|兄|弟|妹|母|父|祖父|祖母|息子|娘"
        r"|夫|妻|恋人|婚約|結婚|離婚|友人|飼って|猫|犬|食べられない|アレルギ|苦手|嫌い|こわい|怖い|約束|誓|秘密|合言葉|借り|返さ"
        r"|贈|おみやげ|お土産|形見|くれた|あげた|初めて会|怪我|けが|包帯|傷|血|燃やし|隠し|見つか|なくし|失くし|死ん|亡くな|裏切|覚えておいて"
    ),
    "zh": re.compile(
        r"名叫|叫做|我叫|本名|岁|出生|长大|老家|住在|上班|工作|职业|证件|护照|姐姐|哥哥|弟弟|妹妹|妈妈|母亲|爸爸|父亲|爷爷|奶奶|儿子|女儿"
        r"|丈夫|妻子|恋人|订婚|结婚|离婚|朋友|养了|家的[猫狗]|[猫狗]|不能吃|过敏|讨厌|害怕|怕|答应|约定|发誓|秘密|暗号|欠|还上"
        r"|礼物|送给|送你|留给|第一次见|受伤|绷带|伤|血|烧了|烧掉|藏|找到|丢了|不见|去世|死了|背叛|记住"
    ),
}
"""What stays so: who somebody is, whom they belong to, what they own, owe, promise, fear, hide, suffer."""


def reports(sentence: str, language: str) -> bool:
    """Whether a sentence reports somebody's words: it has a verb of saying, or words in quotation marks."""
    return pick(_REPORTS, language).search(sentence) is not None or QUOTED.search(sentence) is not None
