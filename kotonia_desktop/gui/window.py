"""The window: side list, pages, memory, foot, and how they hear of one another. It holds no knowledge of its own."""

from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.messages import Changes, SearchHit
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.app_menu import AppActions
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.conversation_menu import ConversationMenu
from kotonia_desktop.gui.file_control import FileControl, local_files
from kotonia_desktop.gui.library_control import LibraryControl
from kotonia_desktop.gui.memory.panel import MemoryPanel
from kotonia_desktop.gui.memory_control import MemoryControl
from kotonia_desktop.gui.model_control import ModelControl
from kotonia_desktop.gui.notice import Notice
from kotonia_desktop.gui.pages.conversation import ConversationPage
from kotonia_desktop.gui.pages.new_chat import NewChatPage
from kotonia_desktop.gui.pages.settings import SettingsPage
from kotonia_desktop.gui.pages.start import StartPage
from kotonia_desktop.gui.regions import Region, focus_next
from kotonia_desktop.gui.sidebar.sidebar import Sidebar
from kotonia_desktop.gui.status_bar import StatusBar
from kotonia_desktop.gui.texts import LANGUAGE_NAMES, translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.gui.workspace import Workspace
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import ImportReport, ModelStatus

_SAID_MS = 12_000


class MainWindow(QMainWindow):
    """The one window of a data folder."""

    def __init__(self, kotonia: Kotonia, theme: Theme, translation: Translation) -> None:
        super().__init__()
        self._kotonia = kotonia
        self._theme = theme
        self._translation = translation
        self._first = True
        self._bring_next: int | None = None
        self._error_said = False
        self.tasks = Tasks(self)
        self.avatars = Avatars(kotonia, self.tasks, self)
        self.models = ModelControl(kotonia, self.tasks, self)
        self.library = LibraryControl(kotonia, self.tasks, self)
        self.files = FileControl(kotonia, self.tasks, self)
        self.actions_ = AppActions(self)
        self.conversation_menu = ConversationMenu(self)
        self.sidebar = Sidebar(theme, self.avatars, self)
        self.conversation = ConversationPage(kotonia, self.tasks, theme, self.avatars, self)
        self.start = StartPage(kotonia, self.avatars, self)
        self.new_chat = NewChatPage(self.avatars, self)
        self.settings = SettingsPage(kotonia, self.tasks, self)
        self.memory = MemoryPanel(theme, self)
        self.status = StatusBar(theme, self)
        self.said = Notice(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(QWidget(self))  # nothing, until the library has been read
        for page in (self.conversation, self.start, self.new_chat, self.settings):
            self.pages.addWidget(page)
        self._build()
        self.remembering = MemoryControl(
            kotonia, self.tasks, self.conversation, self.memory, self.status, self.models, self
        )
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(720, 480)
        self.resize(1280, 860)
        self._apply_settings()
        self.retranslate()

    def _build(self) -> None:
        self.workspace = Workspace(self.pages, self.memory, self.conversation, self)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.said)
        right.addWidget(self.workspace, 1)
        right.addWidget(self.status)
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addLayout(right, 1)
        self.setCentralWidget(whole)

    def _connect(self) -> None:
        sidebar, page, models = self.sidebar, self.conversation, self.models
        library, files = self.library, self.files
        sidebar.conversation_chosen.connect(self.open_conversation)
        sidebar.message_chosen.connect(self.open_message)
        sidebar.character_chosen.connect(self.begin_new_chat)
        sidebar.new_chat_asked.connect(self.begin_new_chat)
        sidebar.search_asked.connect(self._on_search)
        sidebar.rename_asked.connect(library.rename)
        sidebar.remove_asked.connect(library.remove)
        sidebar.menu_asked.connect(self._on_menu)
        page.changed.connect(self.apply)
        page.prompt_changed.connect(self.remembering.look)
        page.chapter_asked.connect(self.workspace.open_chapter)
        page.activity_changed.connect(self.status.show_turn)
        page.stats_changed.connect(self.remembering.show_stats)
        page.opened.connect(self._on_opened)
        page.send_key_chosen.connect(self._on_send_key_chosen)
        page.models_asked.connect(self.show_model_settings)
        page.header.memory_asked.connect(self.toggle_memory)
        page.header.options_asked.connect(self._on_options)
        self.conversation_menu.rename_asked.connect(sidebar.start_renaming)
        self.conversation_menu.persona_chosen.connect(library.set_persona)
        self.conversation_menu.format_chosen.connect(library.set_format)
        self.conversation_menu.remove_asked.connect(library.remove)
        library.arrived.connect(self._on_library)
        library.begun.connect(self.open_conversation)
        library.changed.connect(self._on_options_set)
        library.removed.connect(self._on_removed)
        library.restored.connect(self.open_conversation)
        files.model_chosen.connect(self.load_model)
        files.imported.connect(self._on_imported)
        self.workspace.memory_toggled.connect(self._on_memory_toggled)
        self.start.language_chosen.connect(self._on_language_chosen)
        self.start.starter_asked.connect(models.use_starter)
        self.start.file_asked.connect(files.choose_model)
        self.start.import_asked.connect(files.choose_import)
        self.start.finished.connect(self._on_start_finished)
        self.new_chat.asked.connect(library.start_chat)
        self.new_chat.import_asked.connect(files.choose_import)
        self.new_chat.left.connect(self.show_conversation)
        self.settings.left.connect(self.show_conversation)
        self.settings.changed.connect(self.apply)
        self.settings.file_asked.connect(files.choose_model)
        self.settings.starter_asked.connect(models.use_starter)
        self.settings.reload_asked.connect(models.load_preferred)
        models.status_changed.connect(self._on_status)
        models.progressed.connect(self.status.show_progress)
        models.fetching.connect(self.status.show_fetching)
        models.fetching.connect(self.start.show_fetching)
        models.loaded.connect(self._on_loaded)
        models.failed.connect(self.say_error)
        self.status.model_asked.connect(self.show_model_settings)
        self.status.cancel_asked.connect(models.cancel)
        self.tasks.failed.connect(self.say_error)
        self.said.acted.connect(library.restore)
        acts = self.actions_
        acts.new_chat.triggered.connect(self._on_new_chat_action)
        acts.bring.triggered.connect(files.choose_import)
        acts.search.triggered.connect(self._on_search_action)
        acts.memory.triggered.connect(self.toggle_memory)
        acts.settings.triggered.connect(self.show_settings)
        acts.model_file.triggered.connect(files.choose_model)
        acts.regions.triggered.connect(self.next_region)
        acts.quit.triggered.connect(self.close)

    # -- begin and end

    def begin(self) -> None:
        """Read the library, load the model used last, and open the conversation used last."""
        self._on_status(self.models.status)
        self.models.load_preferred()
        self.library.begin()

    def _on_library(self) -> None:
        library = self.library
        self.sidebar.show_conversations(library.summaries)
        self.sidebar.show_characters(library.characters)
        self.start.show_characters(library.characters)
        self.new_chat.show_library(library.characters, library.personas)
        if self._first:
            self._first = False
            if library.summaries:
                self.open_conversation(library.summaries[0].id)
            else:
                self.pages.setCurrentWidget(self.start)
        if self._bring_next is not None:
            character_id, self._bring_next = self._bring_next, None
            self.begin_new_chat(character_id)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop what runs, keep what is typed, end the threads."""
        unsaved = self.conversation.drafts.last_words()
        running = self._kotonia.chat.running
        if running is not None:
            self._kotonia.chat.stop(running)
        self.models.close()
        self.remembering.close()
        self.tasks.close()
        for conversation_id, text in unsaved.items():
            self._kotonia.chat.save_composer_draft(conversation_id, text)
        super().closeEvent(event)

    def raise_window(self) -> None:
        """Come to the front."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # -- pages

    def open_conversation(self, conversation_id: int) -> None:
        """Show a conversation from its end."""
        self.pages.setCurrentWidget(self.conversation)
        self.conversation.open(conversation_id)

    def open_message(self, conversation_id: int, ordinal: int) -> None:
        """Show a message where it stands."""
        self.pages.setCurrentWidget(self.conversation)
        self.conversation.open(conversation_id, ordinal)

    def begin_new_chat(self, character_id: int | None = None) -> None:
        """Choose with whom a new chat is."""
        self.new_chat.show_library(self.library.characters, self.library.personas)
        self.new_chat.choose(character_id or None)
        self.pages.setCurrentWidget(self.new_chat)
        self.new_chat.begin.setFocus()

    def show_conversation(self) -> None:
        """Back to the conversation, or to the first start where there is none."""
        none = self.conversation.conversation_id is None
        self.pages.setCurrentWidget(self.start if none else self.conversation)
        if not none:
            self.conversation.composer.setFocus()

    def show_settings(self) -> None:
        """The settings."""
        self.settings.refresh()
        self.pages.setCurrentWidget(self.settings)

    def show_model_settings(self) -> None:
        """The settings of the model."""
        self.show_settings()
        self.settings.show_model_settings()

    def toggle_memory(self) -> None:
        """Show or hide the memory of the conversation that is shown."""
        self.workspace.toggle_memory()

    def _on_memory_toggled(self, shown: bool) -> None:
        self.conversation.header.set_memory_open(shown)
        if shown:
            self.remembering.refresh()
        else:
            self.conversation.composer.setFocus()

    def next_region(self) -> None:
        """Go from region to region: list, page, tools, composer, memory, foot."""
        page = self.conversation
        regions: list[Region] = [Region(self.sidebar.conversations)]
        current = self.pages.currentWidget()
        if current is page:
            regions += [Region(page.header.memory), Region(page.view)]
            regions += [Region(page.overlays.tools, page.overlays.tools.first_usable), Region(page.composer.editor)]
        elif current is not None:
            regions.append(Region(current))
        regions += [Region(self.memory, self.memory.close_button), Region(self.status.model)]
        focus_next(regions, self.focusWidget())

    # -- changes

    def apply(self, changes: Changes) -> None:
        """Something was written: every view that shows it refreshes."""
        if changes.conversations or changes.characters or changes.personas:
            self.library.refresh()
        if changes.settings:
            self._apply_settings()
            if {"model.window", "model.template", "model.reasoning", "model.reasoning_budget"} & set(changes.settings):
                self.say(translate("Window", "This is used when the model is loaded again."))
        self.conversation.apply(changes)
        if changes.memory:
            self.remembering.look()

    def _apply_settings(self) -> None:
        settings = self._kotonia.settings
        language = str(settings.get("ui.language"))
        if language != self._spoken:
            self._spoken = language
            self._translation.use(language)
        self._theme.apply(str(settings.get("ui.theme")), int(settings.number("ui.text_scale")))
        self.conversation.composer.set_send_key(str(settings.get("ui.send_key")))
        self.conversation.view.set_show_thoughts(settings.get("ui.show_thoughts") is True)

    _spoken = "?"

    def _set(self, key: str, value: str) -> None:
        settings = self._kotonia.settings
        self.tasks.run(lambda: settings.set(key, value), self.apply)

    def _on_language_chosen(self, language: str) -> None:
        self._set("ui.language", language)

    def _on_send_key_chosen(self, key: str) -> None:
        self._set("ui.send_key", key)

    # -- conversations

    def _on_opened(self, conversation_id: int) -> None:
        self.sidebar.set_current(conversation_id)
        chat = self._kotonia.chat
        self.tasks.run(lambda: chat.opened(conversation_id), None, self._on_warm_failed)
        self.remembering.show_stats(self.conversation.last_stats())
        self._check_language()
        self.remembering.open(conversation_id)

    def _on_options_set(self, changes: Changes) -> None:
        self.apply(changes)
        self.conversation.refresh_people()
        self.remembering.look()

    def _on_removed(self, conversation_id: int) -> None:
        self.say(translate("Window", "The conversation is off the list."), translate("Window", "Undo"))
        if conversation_id == self.conversation.conversation_id:
            self.conversation.close_conversation()
            self.remembering.open(None)
            self.begin_new_chat()

    def _on_warm_failed(self, _error: KotoniaError) -> None:
        """Reading ahead is a courtesy: the message that is sent will tell what is wrong."""

    def _on_options(self, point: QPoint) -> None:
        people = self.conversation.people
        if people is not None:
            menu = self.conversation_menu.menu(people.conversation, self.library.personas, self)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(point)

    def _on_start_finished(self, character_id: int, name: str, line: str) -> None:
        self.library.start_chat(character_id, 0, name, line, 0)

    def _on_search(self, query: str) -> None:
        chat = self._kotonia.chat
        self.tasks.run(lambda: chat.search(query), self._on_hits)

    def _on_hits(self, hits: list[SearchHit]) -> None:
        self.sidebar.show_hits(hits)

    def _on_search_action(self) -> None:
        self.sidebar.search.setFocus()
        self.sidebar.search.selectAll()

    def _on_new_chat_action(self) -> None:
        self.begin_new_chat()

    # -- files

    def load_model(self, path: Path) -> None:
        """Load a model; once it is there, the first start goes on to its next question."""
        self.models.load(path)

    def _on_imported(self, report: ImportReport) -> None:
        line = texts.import_line(report.kind, report.name)
        notes = len(report.notes)
        if notes:
            line += " " + translate("Import", "%n things were repaired or left out.", "", notes)
        self.say(line)
        if report.conversation_id is not None:
            self.open_conversation(report.conversation_id)
        elif self.pages.currentWidget() is not self.start:
            self._bring_next = report.character_id
        self.library.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files we can read may be dropped anywhere."""
        if local_files(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Import what was dropped; a GGUF file is loaded."""
        self.files.take(local_files(event.mimeData().urls()))
        event.acceptProposedAction()

    # -- the model

    def _on_status(self, status: ModelStatus) -> None:
        self.status.show_status(status)
        model = status.model
        path = model.path if model is not None else str(self._kotonia.settings.get("model.path"))
        self.start.set_model_ready(path if model is not None or status.loading else "")
        self.conversation.composer.set_sendable(model is not None or status.loading)
        self.remembering.show_figures()
        self._check_language()

    def _on_loaded(self, model: LoadedModel) -> None:
        self.settings.refresh()
        self.start.model_loaded()
        self.conversation.error.close_notice()
        if self._error_said:
            self.said.close_notice()
        conversation_id = self.conversation.conversation_id
        if conversation_id is not None:
            chat = self._kotonia.chat
            self.tasks.run(lambda: chat.opened(conversation_id), None, self._on_warm_failed)
        self.remembering.look()

    def _check_language(self) -> None:
        people, model = self.conversation.people, self.models.status.model
        words = ""
        if people is not None and model is not None:
            language = people.conversation.language
            if not self._kotonia.models.speaks(model, language):
                words = translate("Window", "{model} cannot write {language}: {name} needs another model.").format(
                    model=texts.model_name(model),
                    language=LANGUAGE_NAMES.get(language, language),
                    name=people.character.name,
                )
        self.conversation.lines.show_language_warning(words)

    # -- lines

    def say(self, words: str, act: str = "") -> None:
        """Say a line over the page."""
        self._error_said = False
        self.said.say(words, act, milliseconds=_SAID_MS)

    def say_error(self, error: KotoniaError) -> None:
        """Say what went wrong: beside the composer where one is shown."""
        if self.pages.currentWidget() is self.conversation and self.conversation.people is not None:
            self.conversation.say_error(error)
        else:
            self._error_said = True
            self.said.say(texts.error_text(error))

    def say_crash(self, _place: str) -> None:
        """Our own code failed; what was written is safe."""
        self.say(translate("Window", "Something in Kotonia failed. Your text is safe; what happened is in the log."))

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.setWindowTitle("Kotonia")
        self.actions_.retranslate()
        self._check_language()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """The first look at the window begins in the composer."""
        super().showEvent(event)
        self.conversation.composer.setFocus()

    def _on_menu(self, point: QPoint) -> None:
        menu = self.actions_.menu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
