"""kill -9 of the whole app while a reply streams: at most the last second of its text may be missing."""

import json
import random
import subprocess
import sys
from pathlib import Path

from turn_events import texts

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.services.kotonia import Kotonia

KILLS = 3


def test_a_killed_app_reopens_with_the_reply_it_was_writing(tmp_path: Path, babbling_model: Path) -> None:
    dice = random.Random(7)
    for _ in range(KILLS):
        told = stream_and_kill(tmp_path, babbling_model, events=dice.randrange(200, 3000))
        with Kotonia(tmp_path) as kotonia:
            assert [m.revision.finish for m in kotonia.recovered] == [FinishReason.INTERRUPTED]
            kept = kotonia.recovered[0].text
            last = told[-1]["at"]
            due = [event["text"] for event in told if event["at"] <= last - 1.0]
            assert any(event["text"].startswith(kept) for event in told)
            assert not due or len(kept) >= len(due[-1].rstrip())
            assert texts(kotonia, kotonia.recovered[0].conversation_id)[-1] == kept


def stream_and_kill(folder: Path, model: Path, events: int) -> list[dict[str, float | str]]:
    """Start the talking process, kill it after so many events, and return what it had told of its last reply."""
    script = Path(__file__).with_name("streaming_child.py")
    told: list[dict[str, float | str]] = []
    with subprocess.Popen([sys.executable, str(script), str(folder), str(model)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for count, line in enumerate(child.stdout):
            event = json.loads(line)
            if "started" in event:
                told = []
            else:
                told.append(event)
            if count >= events and told:
                child.kill()
                break
    return told
