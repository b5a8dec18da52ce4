"""After an edit of an old message: what was made from it is looked at again, and nothing else."""

from collections.abc import Sequence

from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.messages import Segment, SegmentKind
from kotonia_desktop.memory.rechecking import still_holds
from kotonia_desktop.store.store import Store


def recheck(store: Store, message_id: int) -> int:
    """Look at everything that was made from a message which now reads otherwise: what still holds is valid again, the
    rest stays marked as changed. How many things no longer hold. Raises `NotFound`."""
    message = store.message(message_id)
    changed = 0
    for made in store.made_from(message_id):
        if made.revision_id == message.revision.id:
            continue
        # What was narration and is speech now is no longer a fact, whatever its words are.
        same_kinds = _kinds(made.segments) == _kinds(message.revision.segments)
        if same_kinds and still_holds(made.text, made.read, message.text):
            store.confirm(made, message_id, message.revision.id)
        else:
            changed += 1
    if changed:
        # The prompt's beginning may rest on it: the next one is made anew, and until then the note says so.
        store.add_act(message.conversation_id, Target.MESSAGE, message_id, Act.EDIT)
    return changed


def _kinds(segments: Sequence[Segment]) -> list[tuple[SegmentKind, str]]:
    return [(segment.kind, segment.speaker) for segment in segments]
