"""Reads where the story stands from the newest messages, in idle time, every few of them."""

from kotonia_desktop.domain.scene import NowField
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.now import READ, now_asked, parse_now
from kotonia_desktop.memory.writing import TextWriter
from kotonia_desktop.services.heads import read_lines
from kotonia_desktop.services.prompting import Scene
from kotonia_desktop.store.worker import StoreThread

EVERY = 6
"""Messages from one reading to the next."""
_LEAST = 2


class NowTaker:
    """Keeps up to where each conversation was read. Blocks on the store and the writer."""

    def __init__(self, store: StoreThread) -> None:
        self._store = store
        self._read: dict[int, int] = {}

    def is_due(self, scene: Scene) -> bool:
        """Whether enough was said since the last reading."""
        spoken = [message.ordinal for message in scene.messages if not message.is_draft]
        if len(spoken) < _LEAST:
            return False
        last = self._read.get(scene.conversation.id)
        return last is None or abs(spoken[-1] - last) >= EVERY  # a shorter path is another one

    def take(self, scene: Scene, writer: TextWriter) -> str:
        """Read and store what the messages bear out; lines that the user typed stay. The code of the error that ended
        it, or ""."""
        conversation_id = scene.conversation.id
        known = self._store.run(lambda s: s.now_lines(conversation_id))
        locked = {line.field for line in known if line.locked}
        fields = [field for field in NowField if field not in locked]
        lines = read_lines(scene, scene.messages[-READ:])
        if fields and lines:
            task = WritingTask(lines, scene.conversation.language, scene.card.name, scene.persona.name, 1, 1, 0)
            written = writer.write(now_asked(task, fields))
            if written.error:
                return written.error
            found = parse_now(written.text, task, fields)
            same = {(line.field, line.text) for line in known}
            fresh = [line for line in found if (line.field, line.text) not in same]
            if fresh:
                self._store.run(lambda s: s.set_now(conversation_id, fresh))
        self._read[conversation_id] = scene.messages[-1].ordinal
        return ""
