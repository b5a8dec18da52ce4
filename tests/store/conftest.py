"""A real store on a real file."""

from pathlib import Path

import pytest
from store_kit import Chat, TickingClock, new_chat

from kotonia_desktop.store.store import Store


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "kotonia.db"


@pytest.fixture
def store(path: Path, clock: TickingClock):
    with Store(path, clock) as opened:
        yield opened


@pytest.fixture
def chat(store: Store) -> Chat:
    return new_chat(store)
