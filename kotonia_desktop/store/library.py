"""Settings, pictures, characters, personas: the rows beside the conversations."""

import hashlib
import json
from typing import Any

from sqlmodel import col, select

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.library import Asset, Character, CharacterCard, Persona
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.rows import encode_card, storable, to_character, to_json, to_persona
from kotonia_desktop.store.tables import AssetRow, CharacterRow, PersonaRow, SettingRow


class Library:
    """Reads and writes the library."""

    def __init__(self, db: Database, events: EventLog) -> None:
        self._db = db
        self._events = events

    def get_setting(self, key: str) -> Any:  # noqa: ANN401  (any JSON value)
        """The value of a setting; None where it was never set."""
        with self._db.transaction() as session:
            row = session.get(SettingRow, key)
            return None if row is None else json.loads(row.value)

    def set_setting(self, key: str, value: object) -> None:
        """Set a setting to a JSON value."""
        with self._db.transaction() as session:
            session.merge(SettingRow(key=key, value=to_json(value)))

    def all_settings(self) -> dict[str, Any]:
        """Every setting that was ever set."""
        with self._db.transaction() as session:
            return {row.key: json.loads(row.value) for row in session.exec(select(SettingRow))}

    def put_asset(self, data: bytes, mime: str) -> str:
        """Keep a picture; its SHA-256, under which it is found. The same bytes are kept once."""
        sha256 = hashlib.sha256(data).hexdigest()
        with self._db.transaction() as session:
            if session.exec(select(AssetRow.sha256).where(AssetRow.sha256 == sha256)).first() is None:
                session.add(AssetRow(sha256=sha256, mime=mime, data=data, created_at=self._db.clock.now()))
        return sha256

    def get_asset(self, sha256: str) -> Asset | None:
        """A picture by its SHA-256."""
        with self._db.transaction() as session:
            row = session.get(AssetRow, sha256)
            return None if row is None else Asset(row.sha256, row.mime, row.data)

    def add_character(self, card: CharacterCard, picture_sha: str = "", starter: str = "") -> Character:
        """Add a character. `picture_sha` names its picture asset, `starter` the language of the starter it is."""
        coded, original = encode_card(card)
        with self._db.transaction() as session:
            row = CharacterRow(
                name=storable(card.name),
                card=coded,
                original=original,
                picture=picture_sha,
                starter=starter,
                created_at=self._db.clock.now(),
            )
            session.add(row)
            session.flush()
            return to_character(row)

    def characters(self) -> list[Character]:
        """The characters that are not removed, oldest first."""
        with self._db.transaction() as session:
            rows = session.exec(select(CharacterRow).where(~col(CharacterRow.removed)).order_by(col(CharacterRow.id)))
            return [to_character(row) for row in rows]

    def character(self, character_id: int) -> Character:
        """A character, removed or not: its conversations still need it. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(CharacterRow, character_id)
            if row is None:
                raise NotFound(what="character", key=character_id)
            return to_character(row)

    def remove_character(self, character_id: int) -> None:
        """Take a character out of the library; nothing of it is deleted. Raises `NotFound`."""
        self._mark_character(character_id, True)

    def restore_character(self, character_id: int) -> None:
        """Take a removed character back. Raises `NotFound`."""
        self._mark_character(character_id, False)

    def _mark_character(self, character_id: int, removed: bool) -> None:
        with self._db.transaction() as session:
            row = session.get(CharacterRow, character_id)
            if row is None:
                raise NotFound(what="character", key=character_id)
            if row.removed is not removed:
                row.removed = removed
                kind = EventKind.REMOVE if removed else EventKind.RESTORE
                self._events.append(session, kind, character_id=character_id)

    def add_persona(self, name: str, description: str) -> Persona:
        """Add someone for the user to play."""
        with self._db.transaction() as session:
            row = PersonaRow(
                name=storable(name),
                description=storable(description),
                picture="",
                created_at=self._db.clock.now(),
            )
            session.add(row)
            session.flush()
            return to_persona(row)

    def personas(self) -> list[Persona]:
        """The personas, oldest first."""
        with self._db.transaction() as session:
            return [to_persona(row) for row in session.exec(select(PersonaRow).order_by(col(PersonaRow.id)))]

    def persona(self, persona_id: int) -> Persona:
        """A persona. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(PersonaRow, persona_id)
            if row is None:
                raise NotFound(what="persona", key=persona_id)
            return to_persona(row)

    def update_persona(self, persona_id: int, name: str, description: str) -> Persona:
        """Change a persona. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(PersonaRow, persona_id)
            if row is None:
                raise NotFound(what="persona", key=persona_id)
            row.name = storable(name)
            row.description = storable(description)
            session.flush()
            return to_persona(row)
