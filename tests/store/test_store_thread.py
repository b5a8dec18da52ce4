"""The thread that owns the store."""

import threading
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2
from store_kit import TickingClock, new_chat

from kotonia_desktop.domain.errors import NotFound, NotOurData
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def test_work_is_done_in_one_other_thread_in_order(path: Path) -> None:
    done: list[int] = []
    threads: set[int] = set()

    def work(number: int):
        def act(store: Store) -> int:
            threads.add(threading.get_ident())
            done.append(number)
            return number

        return act

    with StoreThread(path, TickingClock()) as store:
        futures = [store.submit(work(number)) for number in range(20)]
        assert [future.result() for future in futures] == list(range(20))
    assert done == list(range(20))
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_an_error_comes_back_to_the_caller_and_the_thread_goes_on(path: Path) -> None:
    with StoreThread(path) as store:
        with pytest.raises(NotFound):
            store.run(lambda s: s.message(1))
        assert store.run(lambda s: s.conversations()) == []


def test_a_run_is_one_transaction(path: Path) -> None:
    with StoreThread(path) as store:
        chat = store.run(new_chat)

        def work(s: Store) -> None:
            s.set_setting("half", True)
            s.message(99)

        with pytest.raises(NotFound):
            store.run(work)
        assert store.run(lambda s: s.get_setting("half")) is None
        assert store.run(lambda s: s.visible_count(chat.id)) == 0


def test_closing_finishes_what_was_submitted(path: Path) -> None:
    store = StoreThread(path)
    futures = [store.submit(lambda s, n=n: s.set_setting(str(n), n)) for n in range(50)]
    store.close()
    assert all(future.done() for future in futures)
    with StoreThread(path) as again:
        assert len(again.run(lambda s: s.all_settings())) == 50


def test_a_cancelled_job_is_not_done(path: Path) -> None:
    gate = threading.Event()
    with StoreThread(path) as store:
        store.submit(lambda s: gate.wait(60))
        waiting = store.submit(lambda s: s.set_setting("x", 1))
        assert waiting.cancel()
        gate.set()
        assert store.run(lambda s: s.get_setting("x")) is None


def test_a_closed_store_takes_no_more_work(path: Path) -> None:
    store = StoreThread(path)
    store.close()
    store.close()
    with pytest.raises(RuntimeError, match="closed"):
        store.run(lambda s: s.conversations())


def test_a_file_that_cannot_be_opened_is_told_to_who_asked(path: Path) -> None:
    path.parent.mkdir(parents=True)
    raw = dbapi2.connect(str(path))
    raw.execute("CREATE TABLE theirs (x)")
    raw.commit()
    raw.close()
    with pytest.raises(NotOurData):
        StoreThread(path)


def test_the_thread_does_not_wait_for_itself(path: Path) -> None:
    with StoreThread(path) as store, pytest.raises(RuntimeError, match="wait for itself"):
        store.run(lambda s: store.run(lambda t: t.conversations()))
