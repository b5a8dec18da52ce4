"""Words that say nothing of what a line is about, in the languages shipped: closed lists of our own.

`FUNCTION` and `PAIRS` are left out of a search for old lines: in English they nearly double what is found for a
question. `CHATTY` are searched for, but that two lines share one of them is no reason to bring the older one back.
"""


def _words(listed: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(listed.split())


FUNCTION = _words(
    """
    a an the and or but if then than so of in on at to for from by with about into over after before as
    is are was were be been being am do does did done doing has have had having
    will would can could shall should may might must not no nor yes
    i you he she it we they me him her us them my your his its our their mine yours ours theirs
    myself yourself himself herself itself
    this that these those there here what which who whom whose when where why how
    just very too also ever again still
    d ll m re s t ve didn don doesn isn wasn weren won couldn wouldn shouldn hasn haven hadn aren ain
    remember recall remind forget forgot forgotten
    """
)
"""Words of English that hold sentences together, the halves of its contractions, and the asking itself."""

CHATTY = _words(
    """
    really quite maybe perhaps sure okay yeah yes well right fine nice good great cool wow amazing awesome wonderful
    lovely glad happy sorry thanks thank welcome please hello hey
    like love know think guess mean want need look looks looking sound sounds feel feels seem seems
    come comes coming going gonna went take takes make makes made give gives getting keep keeps
    tell told says said talk talking hear heard help
    some something someone any anything anyone every everything everyone nothing much many more most other another
    thing things stuff kind sort time times today tomorrow yesterday soon later always never even only
    because while though although until since
    got get let lets see saw say put ask try use way day bit lot one two old new off out all own now yet big bad ago
    hmm huh haha lol wait back down next last first long away around enough kinda
    agree couldn't can't don't didn't won't it's i'm i've i'll you're you've that's there's let's what's
    """
)
"""Words of talk that fit everywhere."""

PAIRS = _words(
    """
    です ます でし まし した して せん する ある いる なる こと もの それ これ あれ どれ この その あの どの
    ここ そこ どこ 何か 何が 何を とか から まで より けど だけ など だっ った って てい ない なか かっ のか のは
    のが のを には では とは でも たい たち よう ださ さい くだ どう どん そう いう ので のに だと だよ だね すか
    すね たの んだ うか たか ます ませ しょ ょう 覚え えて 思い 出す 出せ 忘れ れた
    什么 怎么 哪里 哪个 哪些 这个 那个 这些 那些 这样 那样 我们 你们 他们 她们 自己 一个 一下 一些
    的是 是什 么的 的那 的这     我的 你的 他的 她的 了吗 的吗 是在 记得 记住 还记 忘了 忘记
    甚麼 怎麼 哪裡 這個 那個 這些 那些 這樣 那樣 我們 你們 他們 她們 一個 記得 還記
    """
)
"""Pairs of characters of Japanese and Chinese grammar and pronouns, and the asking itself."""

CHARACTERS = frozenset(
    "的了是在我你您他她它们們这這那哪个個一不也就都和很有什么麼吗嗎呢吧啊说說到去来來会會要能把被让讓给給对對过過得地之与與为為以"
    "何其者而则則于於还還记記忘"
    "私俺僕君彼方事時覚思出"
)
"""Chinese characters that alone stand for no topic."""
