"""Opening the data file: alone, checked, refused untouched where it is not ours; and what a failing disk does."""

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlcipher3 import dbapi2
from store_kit import Chat, TickingClock, new_chat

from kotonia_desktop.domain.errors import (
    DataDamaged,
    DataFolderBusy,
    DataTooNew,
    NotOurData,
    SqliteTooOld,
    WriteFailed,
)
from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.store import connection
from kotonia_desktop.store.migrations import APPLICATION_ID, LATEST
from kotonia_desktop.store.store import Store

HERE = str(Path(__file__).parent)


def child(code: str, *values: object) -> "subprocess.Popen[str]":
    """A process of its own that runs `code` with the kit imported and `values` in `sys.argv[1:]`."""
    head = f"import os, sys\nsys.path.insert(0, {HERE!r})\nfrom store_kit import *\nfrom pathlib import Path\n"
    return subprocess.Popen(
        [sys.executable, "-c", head + textwrap.dedent(code), *map(str, values)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def outcome(process: "subprocess.Popen[str]") -> str:
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def filled(path: Path, messages: int = 3) -> int:
    with Store(path, TickingClock()) as store:
        chat = new_chat(store)
        store.append_many(
            chat.id, [(Role.USER, "You", NewRevision(f"lantern {i} " * 20), False, 0.0) for i in range(messages)]
        )
        return chat.id


def test_the_settings_of_the_connection_are_in_force(store: Store) -> None:
    expected = {
        "journal_mode": "wal",
        "locking_mode": "exclusive",
        "synchronous": 2,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "checkpoint_fullfsync": 1,
        "fullfsync": 1,
        "mmap_size": 0,
        "application_id": APPLICATION_ID,
        "user_version": LATEST,
    }
    with store._db.transaction() as session:
        found = {name: session.connection().execute(text(f"PRAGMA {name}")).scalar() for name in expected}
    assert found == expected
    assert not store._db.path.with_name("kotonia.db-shm").exists()


def test_what_was_written_is_there_after_a_restart(path: Path) -> None:
    conversation = filled(path)
    with Store(path) as store:
        assert len(store.path(conversation)) == 3
    assert sorted(p.name for p in path.parent.iterdir()) == ["kotonia.db"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_a_second_opening_in_the_same_process_is_refused_and_the_first_goes_on(path: Path, chat: Chat) -> None:
    with pytest.raises(DataFolderBusy):
        Store(path)
    chat.say("still here")
    busy = child("try: Store(Path(sys.argv[1]))\nexcept Exception as e: print(e.code)", path)
    assert outcome(busy) == "data_folder_busy\n"


def test_a_second_process_is_refused_until_the_first_ends(path: Path) -> None:
    holder = child("store = Store(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()", path)
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(DataFolderBusy) as caught:
        Store(path)
    assert caught.value.values == {"path": str(path.parent)}
    holder.kill()
    holder.communicate(timeout=60)
    with Store(path) as store:
        assert store.conversations() == []


def test_a_database_of_another_program_is_refused_untouched(path: Path) -> None:
    path.parent.mkdir(parents=True)
    raw = dbapi2.connect(str(path))
    raw.execute("CREATE TABLE theirs (x)")
    raw.commit()
    raw.close()
    before = digest(path)
    with pytest.raises(NotOurData):
        Store(path)
    assert digest(path) == before
    assert [p.name for p in path.parent.iterdir()] == ["kotonia.db"]


def test_data_of_a_newer_version_is_refused_untouched(path: Path) -> None:
    filled(path)
    raw = dbapi2.connect(str(path))
    raw.execute(f"PRAGMA user_version={LATEST + 1}")
    raw.close()
    before = digest(path)
    with pytest.raises(DataTooNew) as caught:
        Store(path)
    assert caught.value.values == {"path": str(path), "found": LATEST + 1, "known": LATEST}
    assert digest(path) == before
    assert [p.name for p in path.parent.iterdir()] == ["kotonia.db"]


@pytest.mark.parametrize(
    ("content", "error"),
    [(b"hello", NotOurData), (b"some notes\n" * 500, DataDamaged), (bytes(8192), DataDamaged)],
)
def test_a_file_that_is_no_database_is_refused_untouched(path: Path, content: bytes, error: type[Exception]) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(error):
        Store(path)
    assert path.read_bytes() == content


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()
    with Store(path) as store:
        assert store.conversations() == []


def test_a_folder_in_the_place_of_the_file_is_an_error_of_ours(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(WriteFailed):
        Store(path)


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(SqliteTooOld):
        Store(path)
    assert not path.exists()


def test_a_damaged_page_is_reported_as_damage_when_it_is_read(path: Path) -> None:
    conversation = filled(path, 300)
    content = bytearray(path.read_bytes())
    page = content.index(b"lantern 250 ") // 4096
    content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(content)
    with Store(path) as store, pytest.raises(DataDamaged):
        store.path(conversation)


@pytest.mark.parametrize("damaged", [False, True])
def test_after_a_crash_the_file_is_checked_before_it_is_used(path: Path, damaged: bool) -> None:
    conversation = filled(path, 300)
    crash = """
        store = Store(Path(sys.argv[1]))
        store.set_setting("after", 1)
        os._exit(0)
    """
    outcome(child(crash, path))
    assert path.with_name("kotonia.db-wal").stat().st_size > 0
    if damaged:
        content = bytearray(path.read_bytes())
        for page in range(60, len(content) // 4096):
            content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
        path.write_bytes(content)
        with pytest.raises(DataDamaged):
            Store(path)
    else:
        with Store(path) as store:
            assert store.get_setting("after") == 1
            assert len(store.path(conversation)) == 300


@pytest.mark.parametrize(("old", "new"), [(b"lantern 1 ", b"lantern 7 "), (b"lantern 1 ", b"lant\xe5rn 1 ")])
def test_a_flipped_bit_in_a_text_is_found_by_its_hash(path: Path, old: bytes, new: bytes) -> None:
    conversation = filled(path)
    with Store(path) as store:
        assert store.damaged_messages() == []
    content = path.read_bytes()
    assert content.count(old) > 1
    path.write_bytes(content.replace(old, new, 1))
    with Store(path) as store:
        (damaged,) = store.damaged_messages()
        assert damaged == 2
        if b"\xe5" in new:
            with pytest.raises(DataDamaged):
                store.path(conversation)
        else:
            assert len(store.path(conversation)) == 3


def test_an_error_of_the_database_does_not_tell_what_was_being_written(chat: Chat) -> None:
    def write() -> None:
        with chat.store._db.transaction() as session:
            secret = {"text": "a secret", "id": 999}
            session.connection().execute(text("INSERT INTO composer_draft VALUES (:id, :text)"), secret)

    with pytest.raises(WriteFailed) as caught:
        write()
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert "secret" not in str(caught.value.__context__)


@pytest.mark.skipif(os.name == "nt", reason="RLIMIT_FSIZE is of POSIX")
def test_a_full_disk_loses_nothing_and_the_app_goes_on_when_there_is_room_again(path: Path) -> None:
    filling = """
        import resource
        from kotonia_desktop.domain.errors import StoreError
        from kotonia_desktop.domain.messages import NewRevision
        path = Path(sys.argv[1])
        with Store(path) as store:
            chat = new_chat(store)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
            kept = 0
            try:
                while kept < 5000:
                    chat.say("x" * 2000)
                    kept += 1
            except StoreError as error:
                code = error.code
            assert len(chat.texts()) == kept, (len(chat.texts()), kept)
            try:
                chat.say("y")
            except StoreError:
                pass
            else:
                raise AssertionError("the limit is gone?")
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            chat.say("room again")
            kept += 1
        print(code, kept, chat.id)
    """
    code, kept, conversation = outcome(child(filling, path)).split()
    assert code in ("write_failed", "disk_full")
    assert int(kept) > 5
    with Store(path) as store:
        texts = [message.text for message in store.path(int(conversation))]
        assert len(texts) == int(kept)
        assert texts[-1] == "room again"
        assert store.damaged_messages() == []
