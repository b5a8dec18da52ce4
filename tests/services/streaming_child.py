"""A process that talks without end: prints each state of the reply before it can be killed at any instant."""

import json
import sys
from pathlib import Path

from turn_events import begin, open_with_model

from kotonia_desktop.services.chat import Send
from kotonia_desktop.services.views import TurnEvent, TurnFailed, TurnStarted, TurnText


def main(folder: Path, model: Path) -> None:
    with open_with_model(folder, model) as kotonia:
        kotonia.settings.set("reply.max_tokens", 3000)
        kotonia.settings.set("sampling.temperature", 1.0)
        known = kotonia.library.conversations()
        conversation_id = known[0].id if known else begin(kotonia).id

        def tell(event: TurnEvent) -> None:
            if isinstance(event, TurnStarted):
                print(json.dumps({"started": event.reply.id}), flush=True)
            elif isinstance(event, TurnFailed):
                raise event.error
            elif isinstance(event, TurnText):
                print(json.dumps({"at": kotonia.clock.monotonic(), "text": event.text}), flush=True)

        while True:
            kotonia.chat.run(Send(conversation_id, "And then?"), tell)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
