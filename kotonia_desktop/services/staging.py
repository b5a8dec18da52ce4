"""Has the model read a new beginning of a prompt before it is used, so that no turn pays for it.

It is built in the memory context while the chat goes on; the swap between two turns is a copy. Who talks meanwhile
talks on the old beginning, and what was said is added to the new one.
"""

import logging
import threading

from kotonia_desktop.domain.errors import EngineError, MessageTooLong
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.services.heads import HeadKeeper, NextHead

log = logging.getLogger("kotonia.staging")

_NEARLY = 64
"""Tokens that may be missing from what is staged: a short turn reads as many of its own."""


class Stager:
    """Builds and swaps. Blocks on the store and the engine; called by the chronicler's thread."""

    def __init__(self, engine: ChatEngine, heads: HeadKeeper) -> None:
        self._engine = engine
        self._heads = heads

    def build(self, conversation_id: int, model: LoadedModel, head: NextHead, stopped: threading.Event) -> bool:
        """Read the beginning that the prompt has with `head`, and all that was said until it is read.

        False once stopped, or ended because the model is taken away. True where it is read, and where it cannot be:
        then the next turn reads it, as it must.
        """
        while True:
            prompt = self._heads.prompt_with(conversation_id, model, head)
            if prompt.total > prompt.policy.ceiling:
                return True  # the next turn leaves more out, so its prompt begins otherwise
            if stopped.is_set():
                return False
            try:
                read = self._engine.stage(prompt.items, str(conversation_id))
            except (EngineError, MessageTooLong) as error:
                log.info("the new beginning was not read ahead: %s", error.code)
                return True
            if read is None:
                return False
            if read.prompt_tokens - read.reused_tokens <= _NEARLY:
                return True

    def swap(self, conversation_id: int, model: LoadedModel) -> None:
        """Bring what was built into the chat context, and read what is missing of it. Between two turns."""
        _, prompt = self._heads.prompt(conversation_id, model)
        try:
            self._engine.swap(prompt.items, str(conversation_id))
        except EngineError as error:
            log.info("the new beginning was not swapped in: %s", error.code)
