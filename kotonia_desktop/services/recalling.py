"""What stands before a new message as the model sees it, in this order: corrections of the memory, where the story
stands, lore that fires, old lines that come back word for word.

All of it is frozen into the turn: the note is stored as the model saw it and leaves the prompt with its message.
"""

import logging

from kotonia_desktop.domain.errors import MessageTooLong
from kotonia_desktop.domain.messages import RankedHit
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.memory.now import now_text
from kotonia_desktop.memory.recollection import (
    MOST_TOKENS,
    Found,
    Passage,
    gate_opens,
    recollection_text,
    wish_of,
    within_quota,
    worth_showing,
)
from kotonia_desktop.services.errata import errata_lines, errata_text
from kotonia_desktop.services.prompting import Prompter, Scene
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

SETTING = "memory.recall"
_SHARE = 12
"""Of a small window a recollection takes at most this part."""
_LOOKED_AT = 20
_CANDIDATES = 6
"""Hits that are read with their neighbours: three passages, and some to take the place of those that do not fit."""
log = logging.getLogger("kotonia.recall")


class NoteWriter:
    """Writes the notes of new messages. Blocks on the store and the engine."""

    def __init__(self, store: StoreThread, prompter: Prompter, settings: SettingsService) -> None:
        self._store = store
        self._prompter = prompter
        self._settings = settings

    def note_for(self, scene: Scene, text: str, model: LoadedModel) -> str:
        """The note of the new message `text`, "" where there is none. Where the message does not fit with it, the old
        lines stay away first.

        Raises `MessageTooLong` or `CardTooLong` where the message cannot be sent.
        """
        lore = self._prompter.lore_for(scene, text)
        conversation_id, language = scene.conversation.id, scene.conversation.language
        wrong, now = self._store.run(lambda s: (errata_lines(s, scene), s.now_lines(conversation_id)))
        said = [message.note for message in scene.messages if message.note]
        slip = errata_text(wrong, language, self._prompter.count_text)
        lore = "\n".join(filter(None, (slip, now_text(now, language, said, self._prompter.count_text), lore)))
        old = self.recollection(scene, text, model)
        if old:
            note = "\n".join(filter(None, (lore, old)))
            try:
                self._prompter.check_fits(scene, text, note, model)
            except MessageTooLong:
                log.info("a recollection had no room")
            else:
                return note
        self._prompter.check_fits(scene, text, lore, model)
        return lore

    def recollection(self, scene: Scene, text: str, model: LoadedModel) -> str:
        """The old lines that the new message calls for, or ""."""
        wish = wish_of(text)
        if scene.out_until is None or not self._settings.flag(SETTING) or not within_quota(scene.messages, wish):
            return ""
        found, best = self._store.run(lambda s: _search(s, scene, text))
        if not gate_opens(text, found, best, wish):
            return ""
        passages = self._store.run(lambda s: _passages(s, scene, worth_showing(found)[:_CANDIDATES]))
        written = recollection_text(
            passages,
            [message.note for message in scene.messages if message.note],
            self._prompter.count_text,
            char=scene.card.name,
            user=scene.persona.name,
            language=scene.conversation.language,
            budget=min(MOST_TOKENS, model.chat_cells // _SHARE),
        )
        if written:
            log.info("old lines came back: %d of %d hits stood out, %s", len(passages), len(found.hits), wish.name)
        return written


def _search(store: Store, scene: Scene, text: str) -> tuple[Found, str]:
    """What the whole path has to say on `text`, and the text of the best old hit."""
    conversation = scene.conversation.id
    names = (scene.card.name, scene.persona.name)
    until = -1 if scene.out_until is None else scene.out_until
    hits = store.ranked(conversation, text, names, limit=_LOOKED_AT)
    known = {hit.message_id for hit in hits}
    if sum(hit.ordinal <= until for hit in hits) < _CANDIDATES:  # what is in view took the places
        old = store.ranked(conversation, text, names, until=until, limit=_CANDIDATES)
        hits += [hit for hit in old if hit.message_id not in known]
    found = Found(tuple(hits), until, store.visible_count(conversation))
    return found, store.message(found.old[0].message_id).text if found.old else ""


def _passages(store: Store, scene: Scene, hits: tuple[RankedHit, ...]) -> list[Passage]:
    """The hits with the message before and the one after, as far as these are old too."""
    until = -1 if scene.out_until is None else scene.out_until
    found = []
    for hit in hits:
        before = store.page(scene.conversation.id, before=hit.ordinal, limit=1)
        after = store.page_after(scene.conversation.id, after=hit.ordinal - 1, limit=2)
        near = (*before, *(message for message in after if message.ordinal <= until))
        found.append(Passage(hit.ordinal, near))
    return found
