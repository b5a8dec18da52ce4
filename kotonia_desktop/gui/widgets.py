"""Small widgets several pages use: plain labels, pictures with round corners, a scrolled column, a language switch."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.texts import LANGUAGE_NAMES


def plain_label(kind: str = "", parent: QWidget | None = None, *, wrap: bool = True) -> QLabel:
    """A label that shows its text as it is, never as markup."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    if kind:
        label.setProperty("kind", kind)
    return label


def button(kind: str = "", parent: QWidget | None = None) -> QPushButton:
    """A push button of a kind: `primary`, `link`, or the plain one."""
    made = QPushButton(parent)
    if kind:
        made.setProperty("kind", kind)
    return made


def say(widget: QPushButton, words: str) -> None:
    """Give a button its words, for the eye and for a screen reader."""
    widget.setText(words.replace("&", "&&"))
    widget.setAccessibleName(words)


def scrolled_column(width: int) -> tuple[QScrollArea, QVBoxLayout]:
    """A page that scrolls, with one centred column of at most `width` pixels."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    inside = QWidget()
    inside.setProperty("panel", "page")
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    middle = QWidget(inside)
    middle.setMaximumWidth(width)
    row = QHBoxLayout(inside)
    row.setContentsMargins(24, 24, 24, 24)
    row.addStretch(1)
    row.addWidget(middle, 20)
    row.addStretch(1)
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(12)
    area.setWidget(inside)
    return area, column


class Picture(QWidget):
    """A character's picture with round corners; the round letter where there is none."""

    def __init__(self, avatars: Avatars, size: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._avatars = avatars
        self._name = self._sha = ""
        self.setFixedSize(size)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        avatars.arrived.connect(self._on_arrived)

    def show_picture(self, name: str, sha256: str) -> None:
        """Whose picture this is."""
        self._name, self._sha = name, sha256
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, filled to the frame."""
        image = self._avatars.image(self._sha)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if image is None or image.isNull():
                side = min(self.width(), self.height()) * 2 // 3
                letter = self._avatars.round(self._name, "", side, self.devicePixelRatioF())
                painter.drawPixmap((self.width() - side) // 2, (self.height() - side) // 2, letter)
                return
            frame = QPainterPath()
            frame.addRoundedRect(QRectF(self.rect()), 10, 10)
            painter.setClipPath(frame)
            painter.drawImage(QRectF(self.rect()), image, _filling(image, self.width() / self.height()))

    def _on_arrived(self, sha256: str) -> None:
        if sha256 == self._sha:
            self.update()


def _filling(image: QImage, ratio: float) -> QRectF:
    """The part of `image` that fills a frame of this ratio of width to height; the upper part of what is too tall."""
    width, height = float(image.width()), float(image.height())
    if width / height > ratio:
        return QRectF((width - height * ratio) / 2, 0, height * ratio, height)
    return QRectF(0, (height - width / ratio) / 5, width, width / ratio)


class LanguageSwitch(QWidget):
    """The languages of the window, each in its own name."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addStretch(1)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, QPushButton] = {}
        for code, name in LANGUAGE_NAMES.items():
            word = button("link", self)
            word.setCheckable(True)
            say(word, name)
            self._group.addButton(word)
            self.buttons[code] = word
            row.addWidget(word)
        self._group.buttonClicked.connect(self._on_clicked)

    def set_language(self, language: str) -> None:
        """Mark the language that is spoken."""
        if language in self.buttons:
            self.buttons[language].setChecked(True)

    def _on_clicked(self, clicked: QPushButton) -> None:
        for code, word in self.buttons.items():
            if word is clicked:
                self.chosen.emit(code)
