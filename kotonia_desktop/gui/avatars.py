"""Round pictures of characters and personas: the picture where there is one, else the first letter on a quiet colour.

Foreign bytes are decoded beside the window, under Qt's allocation limit, and only scaled copies are kept.
"""

import zlib

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QImage, QImageReader, QPainter, QPainterPath, QPixmap

from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia

_COLOURS = ("#4F7A5B", "#5B6D8E", "#7A5C3E", "#9A6A4E", "#6F5B86", "#4A7480", "#86604F", "#5F7048")
"""Backgrounds that white letters keep at least 4.5 to 1 on."""
LARGEST = 480
"""Pixels of the longer side of a kept picture."""


def decode(data: bytes, longest: int = LARGEST) -> QImage:
    """A picture from foreign bytes, scaled so that its longer side is at most `longest`; null where it is none."""
    array = QByteArray(data)
    buffer = QBuffer(array)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > 64_000_000:
        return QImage()
    if max(size.width(), size.height()) > longest:
        reader.setScaledSize(size.scaled(QSize(longest, longest), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


def letter_of(name: str) -> str:
    """What stands for a name without a picture."""
    return name.strip()[:1].upper() or "·"


class Avatars(QObject):
    """Round pictures by name and picture hash. Emits `arrived` when one that was asked for can be drawn."""

    arrived = Signal(str)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kotonia = kotonia
        self._tasks = tasks
        self._images: dict[str, QImage] = {}
        self._asked: set[str] = set()
        self._round: dict[tuple[str, str, int, float], QPixmap] = {}

    def image(self, sha256: str) -> QImage | None:
        """The picture itself; None while it is fetched (then `arrived` follows), a null image where there is none."""
        if not sha256:
            return QImage()
        found = self._images.get(sha256)
        if found is None and sha256 not in self._asked:
            self._asked.add(sha256)
            self._tasks.run(lambda: (sha256, self._fetch(sha256)), self._on_fetched)
        return found

    def round(self, name: str, sha256: str, size: int, ratio: float) -> QPixmap:
        """A round picture of `size` pixels for a screen of pixel ratio `ratio`."""
        image = self.image(sha256)
        key = (name, sha256 if image is not None and not image.isNull() else "", size, ratio)
        pixmap = self._round.get(key)
        if pixmap is None:
            pixmap = self._round[key] = _round(name, image, size, ratio)
        return pixmap

    def _fetch(self, sha256: str) -> QImage:
        asset = self._kotonia.library.picture(sha256)
        return decode(asset.data) if asset is not None else QImage()

    def _on_fetched(self, result: tuple[str, QImage]) -> None:
        sha256, image = result
        self._images[sha256] = image
        self.arrived.emit(sha256)


def _round(name: str, image: QImage | None, size: int, ratio: float) -> QPixmap:
    pixels = round(size * ratio)
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        circle = QPainterPath()
        circle.addEllipse(QRectF(0, 0, pixels, pixels))
        painter.setClipPath(circle)
        if image is not None and not image.isNull():
            side = min(image.width(), image.height())
            # Portraits have their face in the upper part.
            source = QRectF((image.width() - side) / 2, (image.height() - side) / 6, side, side)
            painter.drawImage(QRectF(0, 0, pixels, pixels), image, source)
        else:
            painter.fillPath(circle, QColor(_COLOURS[zlib.crc32(name.encode()) % len(_COLOURS)]))
            font = QFont(ui_font("ja", max(8, round(pixels * 0.42))))
            painter.setFont(font)
            painter.setPen(QColor("#FFFFFF"))
            painter.drawText(QRectF(0, 0, pixels, pixels), Qt.AlignmentFlag.AlignCenter, letter_of(name))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
