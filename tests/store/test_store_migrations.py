"""Every version's file opens; a migration that fails or is killed leaves the file as it was."""

import gzip
import time
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2
from sqlmodel import SQLModel
from store_kit import TickingClock
from store_replay import derived, replayed

from kotonia_desktop.domain.errors import DataDamaged
from kotonia_desktop.domain.library import LoreEntry, ProseMarkup
from kotonia_desktop.domain.messages import FinishReason, NewRevision
from kotonia_desktop.store import memory_tables, migrations, tables, upgrade
from kotonia_desktop.store.migrations import LATEST, migrate
from kotonia_desktop.store.store import Store

GOLDEN = Path(__file__).parent / "golden"  # each written by the code of its version, never written again


def golden(version: int, path: Path) -> bytes:
    """Put the file that version wrote at `path`."""
    content = gzip.decompress((GOLDEN / f"v{version}.db.gz").read_bytes())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return content


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    raw = dbapi2.connect(str(path))
    try:
        return raw.execute(sql).fetchall()
    finally:
        raw.close()


def test_a_file_of_version_1_opens_with_everything_in_it(path: Path, clock: TickingClock) -> None:
    golden(1, path)
    with Store(path, clock) as store:
        (row,) = store.conversations()
        assert (row.title, row.character_name, row.message_count) == ("灯台", "ミラ", 4)
        assert [message.text for message in store.recover_drafts()] == ["書きかけ"]
        path_now = store.path(row.id)
        assert [m.text for m in path_now] == ["やあ。", "灯台はどこにある？", "別の道。", "書きかけ"]
        assert [m.revision_count for m in path_now] == [1, 2, 1, 1]
        assert path_now[1].note == "灯台は島にある。"
        assert path_now[3].revision.finish is FinishReason.INTERRUPTED
        assert store.head(row.id).until == 0
        assert store.composer_draft(row.id) == "まだ"
        assert store.get_setting("send.key") == "enter"
        card = store.characters()[0].card
        assert card.markup == ProseMarkup("", "「」", "（）")
        assert card.lorebook.entries == (LoreEntry(("灯台",), "灯台は島にある。"),)
        assert store.get_asset(store.characters()[0].picture).data == b"\x89PNG not really"
        trunk = store.branches(row.id)[0]
        store.set_active_branch(row.id, trunk.id)
        reply = store.path(row.id)[2]
        assert (reply.text, reply.alternate_count, reply.revision.reasoning) == ("知らない。", 2, "hm")
        assert store.alternates(reply.id)[0].revision.token_ids == (5, 6, 7)
        assert [hit.ordinal for hit in store.search("そうか")] == [4]
        assert [store.undo(row.id)[0] for _ in range(4)] == ["select", "delete", "edit", ""]
        assert store.damaged_messages() == []
        assert derived(store) == replayed(store)


def test_the_file_as_it_was_stays_as_a_backup(path: Path, clock: TickingClock) -> None:
    content = golden(1, path)
    for number in range(4):
        (path.parent / "backups").mkdir(exist_ok=True)
        (path.parent / "backups" / f"pre-v2-2000010{number}-000000.db").write_bytes(b"old")
    Store(path, clock).close()
    backups = sorted((path.parent / "backups").iterdir())
    assert len(backups) == upgrade.KEPT_BACKUPS
    newest = max(backups, key=lambda p: p.name)
    assert newest.name == time.strftime("pre-v2-%Y%m%d-%H%M%S.db", time.gmtime(clock.seconds))
    assert query(newest, "PRAGMA user_version") == [(1,)]
    fresh = path.with_name("fresh.db")
    fresh.write_bytes(content)
    everything = "SELECT (SELECT group_concat(text) FROM revision), (SELECT group_concat(data) FROM event)"
    assert query(newest, everything) == query(fresh, everything)
    assert [p.name for p in path.parent.iterdir() if p.is_file()].count("kotonia.db.upgrading") == 0


def test_a_file_whose_log_was_left_by_a_crash_is_migrated_with_what_the_log_holds(path: Path) -> None:
    golden(1, path)
    held = path.with_name("held.db")
    held.write_bytes(path.read_bytes())
    raw = dbapi2.connect(str(held), isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("INSERT INTO setting VALUES ('late', '1')")
    path.write_bytes(held.read_bytes())
    path.with_name("kotonia.db-wal").write_bytes(held.with_name("held.db-wal").read_bytes())
    raw.close()
    with Store(path) as store:
        assert store.get_setting("late") == 1


def test_old_lines_of_an_older_file_can_be_recalled(path: Path, clock: TickingClock) -> None:
    golden(1, path)
    with Store(path, clock) as store:
        (row,) = store.conversations()
        again = {m.id: m.text for m in store.path(row.id) if not m.is_draft}
        # The second message was edited: of its two revisions the newest is known.
        assert [again[hit.message_id] for hit in store.ranked(row.id, "灯台はどこ？")] == ["灯台はどこにある？"]
        assert [again[hit.message_id] for hit in store.ranked(row.id, "道")] == ["別の道。"]
        for message_id, text in again.items():  # what was filled in has the words of what is written anew
            before = [hit.message_id for hit in store.ranked(row.id, text)]
            assert message_id in before
            store.add_revision(message_id, NewRevision(text + "。"))
            assert [hit.message_id for hit in store.ranked(row.id, text)] == before


def test_a_migrated_file_has_the_tables_of_a_new_one(path: Path) -> None:
    golden(1, path)
    Store(path).close()
    new = path.with_name("new.db")
    Store(new).close()
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    assert query(path, schema) == query(new, schema)
    assert query(path, "PRAGMA user_version") == [(LATEST,)]


def test_the_classes_match_the_tables(path: Path) -> None:
    Store(path).close()
    names = {name for (name,) in query(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
    classes = {
        cls.__tablename__: cls
        for module in (tables, memory_tables)
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, SQLModel) and cls is not SQLModel
    }
    assert set(classes) == {name for name in names if not name.startswith(("message_search", "message_recall"))}
    affinities = {"VARCHAR": "TEXT", "FLOAT": "REAL", "BOOLEAN": "INTEGER", "INTEGER": "INTEGER", "BLOB": "BLOB"}
    for name, cls in classes.items():
        expected = [
            (column.name, affinities[str(column.type)], not column.nullable, column.primary_key)
            for column in cls.__table__.columns
        ]
        found = [
            (column, kind, bool(notnull), bool(key))
            for _, column, kind, notnull, _, key in query(path, f"PRAGMA table_info({name})")
        ]
        assert found == expected, name
        links = {(k.parent.name, k.column.table.name, k.column.name) for k in cls.__table__.foreign_keys}
        assert {(r[3], r[2], r[4]) for r in query(path, f"PRAGMA foreign_key_list({name})")} == links, name


class Killed(BaseException):
    """The process ends here."""


class Interrupting:
    """A connection that ends the process before its n-th statement."""

    def __init__(self, raw: object, after: int) -> None:
        self._raw = raw
        self._left = after

    def execute(self, sql: str, values: tuple[object, ...] = ()) -> object:
        if self._left == 0 and sql != "ROLLBACK":
            raise Killed
        self._left -= 1
        return self._raw.execute(sql, values)


def statements_of_an_upgrade() -> int:
    return len(migrations.M002) + 3


@pytest.mark.parametrize("after", range(statements_of_an_upgrade() + 1))
def test_an_upgrade_that_ends_at_any_statement_leaves_the_old_file(
    path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden(1, path)
    with monkeypatch.context() as patched:
        patched.setattr(upgrade, "migrate", lambda raw, number: migrate(Interrupting(raw, after), number))
        if after < statements_of_an_upgrade():
            with pytest.raises(Killed):
                Store(path)
            assert query(path, "PRAGMA user_version") == [(1,)]
        else:
            Store(path).close()
    with Store(path) as store:
        assert [row.title for row in store.conversations()] == ["灯台"]
        assert store.damaged_messages() == []


def test_a_migration_that_loses_rows_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golden(1, path)

    def lossy(raw, number: int) -> None:
        raw.execute("DELETE FROM undo_step")
        raw.execute("DELETE FROM event WHERE id = (SELECT max(id) FROM event)")
        migrate(raw, number)

    with monkeypatch.context() as patched:
        patched.setattr(upgrade, "migrate", lossy)
        with pytest.raises(DataDamaged, match="rows are missing"):
            Store(path)
    assert query(path, "PRAGMA user_version") == [(1,)]


def test_a_migration_that_breaks_references_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golden(1, path)

    def breaking(raw, number: int) -> None:
        raw.execute("UPDATE message_state SET revision_id = 999 WHERE message_id = 1")
        migrate(raw, number)

    with monkeypatch.context() as patched:
        patched.setattr(upgrade, "migrate", breaking)
        with pytest.raises(DataDamaged, match="point to rows that are missing"):
            Store(path)
    assert query(path, "PRAGMA user_version") == [(1,)]


def test_a_new_file_that_was_cut_off_while_it_was_made_is_finished(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kotonia_desktop.store import connection

    for number in range(1, LATEST + 1):
        target = path.with_name(f"cut{number}.db")

        def cut(raw, at: int, number: int = number) -> None:
            if at == number:
                raise Killed
            migrate(raw, at)

        with monkeypatch.context() as patched:
            patched.setattr(connection, "migrate", cut)
            with pytest.raises(Killed):
                Store(target)
        with Store(target) as store:
            assert store.conversations() == []
