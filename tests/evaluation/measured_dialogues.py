"""Small made-up dialogues to measure with."""

import json
from pathlib import Path

LINES = {
    "en": ("The train is late again today.", "It always is when it rains.", "Shall we walk to the harbour?"),
    "ja": ("今日も電車が遅れている。", "雨の日はいつもそうだね。", "港まで歩こうか。"),
    "zh": ("今天火车又晚点了。", "一下雨就这样。", "我们走到港口去吧？"),
}


def write_dialogue(folder: Path, language: str = "en", turns: int = 120, **more: object) -> Path:
    """A dialogue of Ann and Bo as a file; `qa` and the like come in `more`."""
    rows = [
        {
            "i": n,
            "sess": n // 10,
            "spk": ("Ann", "Bo")[n % 2],
            "role": ("user", "char")[n % 2],
            "kind": "say",
            "text": f"{LINES[language][n % 3]} {n}",
        }
        for n in range(turns)
    ]
    path = folder / f"talk_{language}.json"
    root = {"id": "talk", "lang": language, "cast": ["Ann", "Bo"], "user": "Ann", "turns": rows, **more}
    path.write_text(json.dumps(root, ensure_ascii=False), encoding="utf-8")
    return path
