"""Facts to plant: one slot each, with six values in each language, of which one is told. Closed lists of our own.

A wrong option is always a value of the same kind that was not told, so chance is known: one in six at most.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactWords:
    """A fact in one language. `told` is the user's line with `{v}` for the value, `cloze` what the value follows."""

    values: tuple[str, ...]
    told: str
    answered: str
    question: str
    cloze: str


FACTS: dict[str, dict[str, FactWords]] = {
    "cat": {
        "en": FactWords(
            ("Pickle", "Juno", "Biscuit", "Mochi", "Rumble", "Saffron"),
            "By the way, my cat {v} knocked the lamp over again.",
            "Poor lamp. Is the cat all right?",
            "What is the name of the user's cat?",
            "The user's cat is called",
        ),
        "ja": FactWords(
            ("むぎ", "きなこ", "トト", "こてつ", "ゆず", "しらたま"),
            "そういえば、うちの猫の{v}がまた電気スタンドを倒したんだ。",
            "スタンドは無事？　猫のほうは？",
            "ユーザーの猫の名前は何か。",
            "ユーザーの猫の名前は",
        ),
        "zh": FactWords(
            ("豆豆", "元宝", "糯米", "团子", "阿福", "雪球"),
            "对了，我家的猫{v}又把台灯碰倒了。",
            "台灯没事吧？猫呢？",
            "用户的猫叫什么名字？",
            "用户的猫名叫",
        ),
    },
    "sister": {
        "en": FactWords(
            ("dentist", "beekeeper", "pilot", "baker", "violinist", "surveyor"),
            "My older sister works as a {v}, so she is never home on weekdays.",
            "That sounds like a hard job.",
            "What is the job of the user's older sister?",
            "The user's older sister works as a",
        ),
        "ja": FactWords(
            ("歯医者", "養蜂家", "操縦士", "パン職人", "バイオリン弾き", "測量士"),
            "姉は{v}をしているから、平日は家にいないんだ。",
            "大変な仕事だね。",
            "ユーザーの姉の仕事は何か。",
            "ユーザーの姉の仕事は",
        ),
        "zh": FactWords(
            ("牙医", "养蜂人", "飞行员", "面包师", "小提琴手", "测量员"),
            "我姐姐是{v}，所以平日都不在家。",
            "听起来是份辛苦的工作。",
            "用户的姐姐是做什么工作的？",
            "用户的姐姐的工作是",
        ),
    },
    "allergy": {
        "en": FactWords(
            ("shrimp", "walnuts", "peaches", "buckwheat", "mango", "celery"),
            "Please remember that I can't eat {v}. I get a rash.",
            "I'll keep it in mind.",
            "Which food can the user not eat?",
            "The user cannot eat",
        ),
        "ja": FactWords(
            ("えび", "くるみ", "もも", "そば", "マンゴー", "セロリ"),
            "覚えておいて。{v}は食べられないんだ。発疹が出る。",
            "わかった、気をつける。",
            "ユーザーが食べられないものは何か。",
            "ユーザーが食べられないものは",
        ),
        "zh": FactWords(
            ("虾", "核桃", "桃子", "荞麦", "芒果", "芹菜"),
            "请记住，我不能吃{v}，会起疹子。",
            "好，我记住了。",
            "用户不能吃什么？",
            "用户不能吃的东西是",
        ),
    },
    "home": {
        "en": FactWords(
            ("Norwich", "Galway", "Bergen", "Turku", "Ghent", "Porto"),
            "I grew up in {v}, you know. The sea wind there never stops.",
            "I would like to see it one day.",
            "Where did the user grow up?",
            "The user grew up in",
        ),
        "ja": FactWords(
            ("弘前", "津和野", "臼杵", "倉敷", "酒田", "宇和島"),
            "ぼくは{v}で育ったんだ。風の強い町だよ。",
            "いつか行ってみたい。",
            "ユーザーはどこで育ったか。",
            "ユーザーが育った町は",
        ),
        "zh": FactWords(
            ("泉州", "大同", "绍兴", "阆中", "凯里", "敦煌"),
            "我是在{v}长大的，那里风很大。",
            "有机会真想去看看。",
            "用户是在哪里长大的？",
            "用户长大的地方是",
        ),
    },
    "gift": {
        "en": FactWords(
            (
                "a blue scarf",
                "a brass compass",
                "a tin whistle",
                "a paper lantern",
                "a glass marble",
                "a chess knight",
            ),
            "Here, I brought you something. It is {v}.",
            "For me? I will keep it always.",
            "What did the user give the character as a present?",
            "The present that the user gave was",
        ),
        "ja": FactWords(
            ("青い襟巻", "真鍮の羅針盤", "錫の笛", "紙の提灯", "ガラスのビー玉", "将棋の桂馬"),
            "はい、おみやげ。{v}だよ。",
            "わたしに？　ずっと大事にする。",
            "ユーザーが相手に贈ったものは何か。",
            "ユーザーが贈ったものは",
        ),
        "zh": FactWords(
            ("蓝色围巾", "黄铜指南针", "锡笛", "纸灯笼", "玻璃弹珠", "象棋的马"),
            "给你带了礼物，是{v}。",
            "给我的？我会一直留着。",
            "用户送给对方的礼物是什么？",
            "用户送的礼物是",
        ),
    },
    "code": {
        "en": FactWords(
            ("seven herons", "the last tram", "salt and amber", "north of noon", "a borrowed key", "quiet thunder"),
            'If we lose each other, say "{v}". Then I\'ll know it is you.',
            "I won't forget those words.",
            "Which words did the user agree on as a sign?",
            "The words agreed on as a sign are",
        ),
        "ja": FactWords(
            ("七羽の鷺", "最後の電車", "塩と琥珀", "正午の北", "借りた鍵", "静かな雷"),
            "はぐれたら「{v}」と言って。それできみだとわかる。",
            "その言葉、忘れないよ。",
            "ユーザーが決めた合言葉は何か。",
            "ふたりの合言葉は",
        ),
        "zh": FactWords(
            ("七只白鹭", "末班电车", "盐与琥珀", "正午之北", "借来的钥匙", "安静的雷"),
            "要是走散了，就说“{v}”，这样我就知道是你。",
            "这句话我不会忘。",
            "用户约定的暗号是什么？",
            "两人约定的暗号是",
        ),
    },
    "meet": {
        "en": FactWords(
            (
                "the old lighthouse",
                "the fish market",
                "the print shop",
                "the tram depot",
                "the botanical garden",
                "the clock tower",
            ),
            "I still think of the day we first met, at {v}.",
            "So do I. It was raining.",
            "Where did the two of them first meet?",
            "The place where they first met is",
        ),
        "ja": FactWords(
            ("古い灯台", "魚市場", "印刷所", "電車の車庫", "植物園", "時計台"),
            "初めて会った日のことをよく思い出すよ。{v}だったね。",
            "うん。雨が降っていた。",
            "ふたりが初めて会った場所はどこか。",
            "ふたりが初めて会った場所は",
        ),
        "zh": FactWords(
            ("旧灯塔", "鱼市", "印刷店", "电车库", "植物园", "钟楼"),
            "我常想起我们第一次见面的那天，在{v}。",
            "我也是，那天下着雨。",
            "两人第一次见面是在哪里？",
            "两人第一次见面的地方是",
        ),
    },
    "fear": {
        "en": FactWords(
            ("lifts", "moths", "deep water", "fireworks", "dolls", "bridges"),
            "Don't laugh, but I have been afraid of {v} since I was small.",
            "I would never laugh at that.",
            "What is the user afraid of?",
            "The user is afraid of",
        ),
        "ja": FactWords(
            ("昇降機", "蛾", "深い水", "花火", "人形", "橋"),
            "笑わないでね。小さいころから{v}がこわいんだ。",
            "笑ったりしないよ。",
            "ユーザーがこわいものは何か。",
            "ユーザーがこわいものは",
        ),
        "zh": FactWords(
            ("电梯", "飞蛾", "深水", "烟花", "人偶", "桥"),
            "别笑我，我从小就怕{v}。",
            "我不会笑的。",
            "用户害怕什么？",
            "用户害怕的东西是",
        ),
    },
}
