"""One window per data folder: a second start asks the first to come to the front over a local socket.

Who holds the folder is decided by its lock, not here; this only carries the wish.
"""

import hashlib
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 2000
RAISE = b"raise\n"


def socket_name(data_dir: Path) -> str:
    """The name of the socket of a data folder, the same for every spelling of its path."""
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:24]
    return str(Path(tempfile.gettempdir()) / f"kotonia-{digest}")


def ask_to_raise(data_dir: Path) -> bool:
    """Ask the window that is open with this folder to come to the front; False where none answers."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name(data_dir))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(RAISE)
    sent = socket.waitForBytesWritten(_WAIT_MS)
    answered = socket.waitForReadyRead(_WAIT_MS) and bytes(socket.readAll().data()) == b"ok\n"
    socket.disconnectFromServer()
    return sent and answered


class RaiseServer(QObject):
    """Listens while this process holds the folder. Emits `raise_asked`."""

    raise_asked = Signal()

    def __init__(self, data_dir: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        name = socket_name(data_dir)
        # We hold the folder's lock, so a socket that is there was left by a process that died.
        QLocalServer.removeServer(name)
        self.listening = self._server.listen(name)

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(self._on_ready)
            socket.disconnected.connect(socket.deleteLater)
            if socket.bytesAvailable():
                self._read(socket)

    def _on_ready(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket):
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if bytes(socket.readAll().data()) == RAISE:
            socket.write(b"ok\n")
            socket.flush()
            self.raise_asked.emit()
