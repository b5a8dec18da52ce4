"""One life of an engine for `kotonia bench restore`: opens a conversation, says what it took, saves it, and ends.

Run as `python -m kotonia_desktop.bench.restore_child JSON`; the last line it prints is a JSON object.
"""

import hashlib
import json
import sys
import time
from pathlib import Path

from kotonia_desktop.bench.subject import Vocabulary
from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.domain.ports import Lane
from kotonia_desktop.engine.loading import check_options, load_engine

OWNER = "c"


def main() -> None:
    """Open the conversation once."""
    asked = json.loads(sys.argv[1])
    vocabulary = Vocabulary(Path(asked["model"]))
    ids = list(vocabulary.ids(0, asked["tokens"] + 1))
    vocabulary.close()
    options = LoadOptions(
        path=asked["model"],
        window=asked["tokens"] + 256,
        threads=asked["threads"],
        kv_type=asked["kv_type"],
        snapshots=asked["snapshots"],
    )
    engine = load_engine(options, check_options(options), None, lambda _value: True)
    chat, keeper = engine.sequences[Lane.CHAT], engine.keeper
    assert keeper is not None  # more than the vocabulary is loaded
    started = time.perf_counter()
    chat.claim(ids, OWNER)
    claimed = time.perf_counter()
    restored = chat.rewind(ids)
    for _ in chat.read(ids[restored:-1], False):
        pass
    read = time.perf_counter()
    # Saved as it is left, with the last token still to be read: so both lives read that one by itself.
    keeper.park()
    keeper.flush()
    for _ in chat.read(ids[-1:], True):
        pass
    logits = hashlib.sha256(chat.context.logits().tobytes()).hexdigest()
    report = keeper.report()
    chat.owner = ""  # what was read for the measurement is not saved
    engine.free()
    sys.stdout.write(
        json.dumps(
            {
                "claim_seconds": claimed - started,
                "read_seconds": read - claimed,
                "restored": restored,
                "logits": logits,
                "bytes": report.disk,
                "counts": report.counts,
            }
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
