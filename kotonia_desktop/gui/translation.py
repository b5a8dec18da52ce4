"""The window's language: our translations and Qt's own, switched while the window is open."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.paths import resource

LANGUAGES = ("en", "ja", "zh")
_FILES = {"en": "kotonia_en", "ja": "kotonia_ja", "zh": "kotonia_zh_CN"}
_QT_FILES = {"ja": "qtbase_ja", "zh": "qtbase_zh_CN"}


def system_language() -> str:
    """The first of the system's languages that we speak, else English."""
    for name in QLocale.system().uiLanguages():
        code = name.partition("-")[0]
        if code in LANGUAGES:
            return code
    return "en"


class Translation:
    """Installs the translators of one language; installing others sends every widget a `LanguageChange`."""

    def __init__(self) -> None:
        self._installed: list[QTranslator] = []
        self.language = "en"

    def use(self, language: str) -> str:
        """Speak `language` (`en`, `ja`, `zh`; "" for the system's). Returns the one now spoken."""
        chosen = language if language in LANGUAGES else system_language()
        for translator in self._installed:
            QCoreApplication.removeTranslator(translator)
        self._installed = []
        self.language = chosen
        if chosen in _QT_FILES:
            self._install(_QT_FILES[chosen], QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        self._install(_FILES[chosen], str(resource("i18n")))
        QApplication.setFont(ui_font(chosen))
        return chosen

    def _install(self, name: str, folder: str) -> None:
        translator = QTranslator()
        if translator.load(name, folder):
            QCoreApplication.installTranslator(translator)
            self._installed.append(translator)
