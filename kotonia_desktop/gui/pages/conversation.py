"""The page of one conversation: header, transcript, the lines that say something, composer; what is done in it."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.errors import KotoniaError, NoModel
from kotonia_desktop.domain.messages import Changes, FormatRate, GenerationStats, Message, Role
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.composer.composer import Composer
from kotonia_desktop.gui.composer.drafts import DraftKeeper
from kotonia_desktop.gui.header import Header
from kotonia_desktop.gui.pages.foot_lines import FootLines
from kotonia_desktop.gui.pages.message_acts import MessageActs
from kotonia_desktop.gui.pages.overlays import Overlays
from kotonia_desktop.gui.pages.people import People, read_people
from kotonia_desktop.gui.pages.turn_control import TurnControl
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.blocks import TINT
from kotonia_desktop.gui.transcript.feed import ConversationFeed
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.transcript.view import TranscriptView
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import MemoryView
from kotonia_desktop.services.views import (
    TurnFailed,
    TurnFinished,
    TurnReading,
    TurnStarted,
    TurnText,
)

VIEW = "conversation"
"""The initiator of changes that this page made itself."""


class ConversationPage(QWidget):
    """Shows one conversation and lets the user write in it."""

    changed = Signal(object)
    """`Changes` that this page has already shown itself."""
    prompt_changed = Signal()
    activity_changed = Signal(str)
    stats_changed = Signal(object)
    opened = Signal(int)
    send_key_chosen = Signal(str)
    models_asked = Signal()
    fold_now_asked = Signal()
    chapter_asked = Signal(int)

    def __init__(
        self, kotonia: Kotonia, tasks: Tasks, theme: Theme, avatars: Avatars, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kotonia = kotonia
        self._tasks = tasks
        self._theme = theme
        self.people: People | None = None
        self._wanted: tuple[int, int | None] | None = None
        self.setProperty("panel", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = Header(self)
        self.model = TranscriptModel(self)
        self.view = TranscriptView(theme, avatars, self)
        self.view.setModel(self.model)
        self.feed = ConversationFeed(kotonia, tasks, self.model, self)
        self.overlays = Overlays(self.view, self.model, theme, self)
        self.turn = TurnControl(kotonia, tasks, self)
        self.drafts = DraftKeeper(kotonia, tasks, self)
        self.composer = Composer(self)
        self.lines = FootLines(self)
        self.error, self.undo_bar = self.lines.error, self.lines.undo
        self.acts = MessageActs(kotonia, tasks, self.view, self.feed, self.turn, self.overlays, self.undo_bar)
        self._foot = QVBoxLayout()
        self._foot.setSpacing(8)
        self.lines.add_to(self._foot)
        self._foot.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.view, 1)
        column.addLayout(self._foot)
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        view, feed, turn, composer = self.view, self.feed, self.turn, self.composer
        view.resized.connect(self._align)
        view.older_wanted.connect(feed.load_older)
        view.newer_wanted.connect(feed.load_newer)
        view.ordinal_wanted.connect(feed.go_to)
        feed.opened.connect(self._on_opened)
        feed.placed.connect(view.show_ordinal)
        feed.reloaded.connect(self._show_header)
        turn.started.connect(self._on_started)
        turn.reading.connect(self._on_reading)
        turn.text_came.connect(self._on_text)
        turn.finished.connect(self._on_finished)
        turn.failed.connect(self._on_failed)
        turn.busy_changed.connect(self._on_busy_changed)
        composer.sent.connect(self.send)
        composer.refused.connect(self._on_refused)
        composer.stop_asked.connect(turn.stop)
        composer.edit_last_asked.connect(self.acts.edit_my_last)
        composer.step_asked.connect(self.acts.step_last)
        composer.text_changed.connect(self._on_typed)
        composer.focus_left.connect(self.drafts.flush)
        composer.send_key_chosen.connect(self.send_key_chosen)
        composer.editor.undo_asked.connect(self.acts.undo)
        self.acts.changed.connect(self._tell)
        self.acts.regenerate_asked.connect(self.regenerate)
        self.acts.left_editor.connect(composer.setFocus)
        self.lines.models_asked.connect(self.models_asked)
        self.lines.fold_now_asked.connect(self.fold_now_asked)
        view.chapter_asked.connect(self.chapter_asked)
        self.overlays.newest_asked.connect(self._on_newest_asked)
        for tools in (self.overlays.tools, self.overlays.hover_tools):
            tools.regenerate_asked.connect(self.regenerate)
            tools.continue_asked.connect(self.go_on)
        self._theme.changed.connect(self._on_theme_changed)
        inside, on_page = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
        for keys, owner, context, slot in (
            (QKeySequence("Ctrl+R"), self, inside, self.regenerate_last),
            (QKeySequence(QKeySequence.StandardKey.Undo), self, inside, self.acts.undo),
            (QKeySequence(QKeySequence.StandardKey.Copy), self.view, on_page, self.acts.copy_selected),
            (QKeySequence(Qt.Key.Key_Delete), self.view, on_page, self.acts.delete_selected),
        ):
            shortcut = QShortcut(keys, owner)
            shortcut.setContext(context)
            shortcut.activated.connect(slot)

    # -- opening

    @property
    def conversation_id(self) -> int | None:
        """The conversation that is shown."""
        return self.people.conversation.id if self.people is not None else None

    def open(self, conversation_id: int, ordinal: int | None = None) -> None:
        """Show a conversation from its end, or around a message."""
        self.drafts.flush()
        if conversation_id == self.conversation_id and ordinal is not None:
            self.feed.go_to(ordinal)
            return
        self._wanted = (conversation_id, ordinal)
        kotonia = self._kotonia
        self._tasks.run(lambda: read_people(kotonia, conversation_id), self._on_people, self._on_open_failed)

    def refresh_people(self) -> None:
        """Title, persona or pictures changed."""
        conversation_id, kotonia = self.conversation_id, self._kotonia
        if conversation_id is not None:
            self._tasks.run(lambda: read_people(kotonia, conversation_id), self._on_people_again)

    def close_conversation(self) -> None:
        """Show none."""
        self.drafts.flush()
        self.people = None
        self.feed.close()

    def _on_people(self, people: People) -> None:
        if self._wanted is None or self._wanted[0] != people.conversation.id:
            return
        conversation_id, ordinal = self._wanted
        self._wanted = None
        self.overlays.end_editing()
        self.lines.reset()
        self.view.show_memory(None)
        self.people = None  # the old draft is not to be taken for the new conversation's
        self.composer.set_text(people.draft)
        self.drafts.know(conversation_id, people.draft)
        self._take_people(people)
        self.feed.open(conversation_id, ordinal)
        if ordinal is not None:
            self._on_opened()

    def _on_people_again(self, people: People) -> None:
        if people.conversation.id == self.conversation_id:
            self._take_people(people)

    def _take_people(self, people: People) -> None:
        self.people = people
        language = people.conversation.language
        self.view.set_people(language, people.character.picture, people.persona.picture)
        self.composer.set_person(people.persona.name, language, self._theme.scale)
        self.acts.set_language(language)
        self._show_header()

    def _show_header(self) -> None:
        people = self.people
        if people is not None:
            self.header.show_conversation(
                people.conversation.title, *people.names, self.model.total, people.conversation.language
            )

    def _on_open_failed(self, error: KotoniaError) -> None:
        self._wanted = None
        self.say_error(error)

    def _on_opened(self) -> None:
        conversation_id = self.conversation_id
        if conversation_id is not None:
            self.view.scroll_to_end()
            self._show_header()
            self.composer.setFocus()
            self.opened.emit(conversation_id)

    def _on_newest_asked(self) -> None:
        if self.model.has_newer:
            self.feed.go_to_end()
        else:
            self.view.scroll_to_end()

    # -- turns

    def send(self, text: str) -> None:
        """Say `text`; the composer keeps it until it is stored."""
        conversation_id = self.conversation_id
        if conversation_id is None or self.turn.busy:
            return
        last = self.model.last
        if not text.strip() and (last is None or last.role is Role.CHARACTER):
            return
        self.error.close_notice()
        self.turn.send(conversation_id, text)

    def _on_refused(self) -> None:
        self.say_error(NoModel())

    def regenerate(self, message_id: int) -> None:
        """Have another version of a message written."""
        conversation_id = self.conversation_id
        if conversation_id is not None:
            self.error.close_notice()
            self.turn.regenerate(conversation_id, message_id)

    def regenerate_last(self) -> None:
        """Have another version of the last message written."""
        last = self.model.last
        if last is not None and not last.is_greeting and not last.is_draft:
            self.regenerate(last.id)

    def go_on(self, message_id: int) -> None:
        """Have a reply continued."""
        conversation_id = self.conversation_id
        if conversation_id is not None:
            self.error.close_notice()
            self.turn.go_on(conversation_id, message_id)

    def _on_busy_changed(self, busy: bool) -> None:
        self.composer.set_busy(busy)
        self.overlays.set_busy(busy)
        if not busy:
            self.view.set_activity(-1, "")
            self.activity_changed.emit("")

    def _on_started(self, event: TurnStarted, said: bool) -> None:
        self.changed.emit(replace(event.changes, initiator=VIEW))
        if event.reply.conversation_id != self.conversation_id:
            return
        if said:
            self.composer.clear()
            self.drafts.know(event.reply.conversation_id, "")
        if self.model.has_newer:
            self.feed.go_to_end()
        elif event.user is not None:
            self.model.put(event.user)
        self.model.put(event.reply)
        if said:
            self.view.scroll_to_end()
        self._show_header()
        words = translate("Transcript", "{name} is writing").format(name=event.reply.speaker)
        self.view.set_activity(event.reply.id, "" if event.reply.text else f"{words} …")
        self.activity_changed.emit(words)

    def _on_reading(self, event: TurnReading) -> None:
        new = event.total - event.reused
        if new <= 0 or event.read >= event.total:
            return
        share = max(0, event.read - event.reused) / new
        words = translate("Transcript", "Reading back, {percent} %").format(percent=round(share * 100))
        self.activity_changed.emit(words)
        row = self.model.row_of(event.message_id)
        if row is not None and not self.model.messages[row].text:
            self.view.set_activity(event.message_id, words)

    def _on_text(self, event: TurnText) -> None:
        row, people = self.model.row_of(event.message_id), self.people
        if row is None or people is None:
            return
        message = self.model.messages[row]
        conversation = people.conversation
        parsed = parse_segments(
            event.text,
            reply_format=conversation.reply_format,
            markup=conversation.markup,
            speaker=message.speaker,
            names=people.names,
        )
        writing = translate("Transcript", "{name} is writing").format(name=message.speaker)
        thinking = translate("Transcript", "{name} is thinking it over").format(name=message.speaker)
        words = writing if event.text or not event.reasoning else thinking
        self.activity_changed.emit(words)
        self.view.set_activity(event.message_id, "" if event.text else f"{words} …")
        revision = replace(message.revision, text=event.text, segments=parsed.segments, reasoning=event.reasoning)
        self.model.put(replace(message, revision=revision, is_draft=True))

    def _on_finished(self, event: TurnFinished) -> None:
        self._take_end(event.changes, event.message)
        if event.message.conversation_id == self.conversation_id:
            self.lines.show_queued(event.out_of_sight)
            if self.people is not None:
                self.people = replace(self.people, rate=event.format_rate)
            self._announce(texts.accessible_text(event.message))
        self.stats_changed.emit(event.message.revision.stats)
        self.prompt_changed.emit()

    def _on_failed(self, event: TurnFailed) -> None:
        self._take_end(event.changes, event.message)
        if event.restore_text and not self.composer.text():
            self.composer.set_text(event.restore_text)
        self.say_error(event.error)
        self.prompt_changed.emit()

    def _take_end(self, changes: Changes, message: Message | None) -> None:
        if changes.conversation_id is not None and changes.conversation_id == self.conversation_id:
            if message is not None:
                self.model.put(message)
            self.model.remove(changes.messages_removed)
            if changes.path_changed:
                self.feed.reload()
            self._show_header()
        self.changed.emit(replace(changes, initiator=VIEW))

    def _announce(self, words: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.view, words))

    # -- changes

    def apply(self, changes: Changes) -> None:
        """Something changed this conversation: show it."""
        if changes.conversation_id != self.conversation_id or changes.initiator == VIEW:
            return
        if changes.path_changed or changes.messages_removed or changes.messages_changed or changes.messages_added:
            self.feed.reload()

    def _tell(self, changes: Changes) -> None:
        self._show_header()
        self.changed.emit(replace(changes, initiator=VIEW))
        self.prompt_changed.emit()

    # -- lines and memory

    def say_error(self, error: KotoniaError) -> None:
        """Say what went wrong, until it is closed or something else is done."""
        self.lines.say_error(error)

    def show_memory(self, view: MemoryView | None) -> None:
        """Mark the chapters in the page; say which messages are out of sight without one."""
        self.view.show_memory(view)
        if view is not None:
            self.lines.show_queued(view.queued[0] if view.queued else None)

    @property
    def rate(self) -> FormatRate:
        """How the replies keep to the format."""
        return self.people.rate if self.people is not None else FormatRate()

    def last_stats(self) -> GenerationStats | None:
        """What the last reply cost."""
        for message in reversed(self.model.messages):
            if message.revision.stats is not None:
                return message.revision.stats
        return None

    # -- look

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.view.setAccessibleName(translate("Transcript", "Conversation"))
        self.overlays.retranslate()
        self.view.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _align(self) -> None:
        """Header and composer stay in line with the column."""
        width = self.view.viewport().width()
        column = self.view.column
        self.header.align(width, self._theme.scale)
        right = max(12, self.width() - column.left - column.width - TINT)
        self._foot.setContentsMargins(column.left - TINT, 8, right, 16)

    def _on_theme_changed(self) -> None:
        people = self.people
        if people is not None:
            self.composer.set_person(people.persona.name, people.conversation.language, self._theme.scale)
        self._align()

    def _on_typed(self) -> None:
        conversation_id = self.conversation_id
        if conversation_id is not None:
            self.drafts.note(conversation_id, self.composer.text())
