"""The memory's log: every fold, what it cost, what was rejected and why, with the text; and the forced cuts."""

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import Attempt, Fold, HeadState
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.widgets import button, plain_label
from kotonia_desktop.services.memory_views import MemoryLog

_AT_ONCE = 15
_TEXT_HEIGHT = 130


class AttemptView(QWidget):
    """What was written in one attempt, and what became of it."""

    def __init__(self, attempt: Attempt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attempt = attempt
        self.verdict = plain_label("quiet", self)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "reading")
        self.text.setFixedHeight(_TEXT_HEIGHT)
        self.text.setPlainText(attempt.text)
        self.text.setVisible(bool(attempt.text))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 2, 0, 4)
        column.addWidget(self.verdict)
        column.addWidget(self.text)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        attempt = self._attempt
        words = memory_texts.attempt_line(
            attempt.rejected, attempt.finish, attempt.stats.settings, attempt.stats.detail
        )
        self.verdict.setText(words)
        self.text.setAccessibleName(words)


class FoldRow(QWidget):
    """One fold; opened, its attempts."""

    def __init__(self, fold: Fold, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fold = fold
        self.title = button("link", self)
        self.title.setCheckable(True)
        self.figures = plain_label("quiet", self)
        self.figures.setContentsMargins(7, 0, 0, 0)
        self.attempts: list[AttemptView] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 6)
        self._column.setSpacing(1)
        self._column.addWidget(self.title)
        self._column.addWidget(self.figures)
        self.title.toggled.connect(self._on_toggled)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        line = memory_texts.fold_line(self.fold)
        sign = "▾" if self.title.isChecked() else "▸"
        self.title.setText(f"{sign} {line}" if self.fold.attempts else f"  {line}")
        self.title.setEnabled(bool(self.fold.attempts))
        figures = memory_texts.fold_figures(self.fold)
        self.figures.setText(figures)
        self.title.setAccessibleName(f"{line}. {figures}")
        for attempt in self.attempts:
            attempt.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_toggled(self, opened: bool) -> None:
        if opened and not self.attempts:
            for attempt in self.fold.attempts:
                shown = AttemptView(attempt, self)
                self.attempts.append(shown)
                self._column.addWidget(shown)
        for shown in self.attempts:
            shown.setVisible(opened)
        self.retranslate()


class LogPage(QWidget):
    """Shows a `MemoryLog`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log = MemoryLog()
        self.rows: list[FoldRow] = []
        self.empty = plain_label("soft", self)
        self.cuts = plain_label("quiet", self)
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 8, 20, 20)
        column.addWidget(self.empty)
        column.addLayout(self._list)
        column.addWidget(self.cuts)
        column.addStretch(1)
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self._add_rows)
        self.retranslate()

    def show_log(self, log: MemoryLog) -> None:
        """What was done; rows that did not change stay open."""
        known = {row.fold: row for row in self.rows}
        self._log = log
        wanted = set(log.folds)
        for row in self.rows:
            if row.fold not in wanted:
                self._list.removeWidget(row)
                row.deleteLater()
        self.rows = [known[fold] for fold in log.folds if fold in known]
        self._add_rows()
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.empty.setText(translate("Memory", "No chapter has been written yet."))
        self.empty.setVisible(not self._log.folds and not self._log.cuts)
        self.cuts.setText("\n".join(_cut_line(cut) for cut in self._log.cuts))
        self.cuts.setVisible(bool(self._log.cuts))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _add_rows(self) -> None:
        """Some more rows, each in its place; the rest when the window has had its turn."""
        made = 0
        shown = {row.fold for row in self.rows}
        for place, fold in enumerate(self._log.folds):
            if fold in shown:
                continue
            if made == _AT_ONCE:
                self._later.start()
                return
            row = FoldRow(fold, self)
            self.rows.insert(place, row)
            self._list.insertWidget(place, row)
            made += 1
        self._later.stop()


def _cut_line(cut: HeadState) -> str:
    return memory_texts.cut_line(cut.until if cut.until is not None else -1, cut.created_at)
