"""Every code of the core has its words in the window, and every word its translation."""

import ast
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib import util
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from kotonia_desktop.domain.errors import ModelTruncated, error_classes
from kotonia_desktop.domain.models import TemplateHealth, TemplateSource
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.error_texts import ERRORS
from kotonia_desktop.gui.setting_texts import SETTINGS
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.paths import resource
from kotonia_desktop.services.settings import DEFINITIONS

LANGUAGES = {"kotonia_ja": "ja", "kotonia_zh_CN": "zh"}
ROOT = Path(__file__).resolve().parents[2]


def test_every_error_has_its_sentences_in_the_window() -> None:
    assert {code: (cls.happened, cls.kept, cls.advice) for code, cls in error_classes().items()} == ERRORS


def test_every_setting_has_its_title_and_explanation_in_the_window() -> None:
    assert {d.key: (d.title, d.explanation) for d in DEFINITIONS} == SETTINGS


def test_every_choice_of_a_setting_has_a_word(qapp: QApplication, translation: Translation) -> None:
    for definition in DEFINITIONS:
        for choice in definition.choices:
            assert texts.setting_choice(definition.key, choice) not in ("", choice), definition.key


def test_every_section_and_reason_has_a_word(qapp: QApplication, translation: Translation) -> None:
    assert all(texts.section_title(kind) for kind in SectionKind)
    for reason in (
        "missing",
        "syntax",
        "not_growing",
        "differs",
        "refuses_roles",
        "no_roles",
        "too_slow",
        "unsafe",
        "too_long",
    ):
        line = texts.template_line(TemplateHealth(TemplateSource.FAMILY, "chatml", reason))
        assert line.endswith("using chatml")
        assert reason not in line or reason == "missing"


def test_a_template_of_the_file_that_is_used_in_another_way_is_called_adapted(
    qapp: QApplication, translation: Translation
) -> None:
    as_it_is = texts.template_line(TemplateHealth(TemplateSource.FILE, "chatml"))
    adapted = texts.template_line(TemplateHealth(TemplateSource.FILE, "chatml", "not_growing"))
    assert (as_it_is, adapted) == ("Template: from the file, checked", "Template: from the file, adapted")


def messages(name: str) -> list[tuple[str, str, ET.Element]]:
    root = ET.parse(resource(f"i18n/{name}.ts")).getroot()
    return [
        (str(context.findtext("name")), str(message.findtext("source")), message)
        for context in root.iter("context")
        for message in context.iter("message")
    ]


def translations(message: ET.Element) -> list[str]:
    translation = message.find("translation")
    assert translation is not None
    assert translation.get("type") is None, "unfinished or obsolete"
    forms = [form.text or "" for form in translation.iter("numerusform")]
    return forms or [translation.text or ""]


PLACEHOLDER = re.compile(r"\{\w*\}|%n")


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_text_is_translated_and_keeps_its_placeholders(name: str) -> None:
    found = messages(name)
    assert len(found) > 300
    for context, source, message in found:
        for words in translations(message):
            assert words.strip(), (context, source)
            assert sorted(PLACEHOLDER.findall(words)) == sorted(PLACEHOLDER.findall(source)), (context, source)


def test_english_has_its_plurals() -> None:
    for _, source, message in messages("kotonia_en"):
        forms = translations(message)
        assert len(forms) == 2, source
        assert all(form.strip() for form in forms)


def load_tool():
    spec = util.spec_from_file_location("translations_tool", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_translations_are_those_of_the_code_and_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = load_tool()
    for name in tool.FILES.values():
        shutil.copy(resource(f"i18n/{name}.ts"), tmp_path / f"{name}.ts")
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    tool.update()
    tool.build()
    for name in tool.FILES.values():
        assert (tmp_path / f"{name}.ts").read_text("utf-8") == resource(f"i18n/{name}.ts").read_text("utf-8"), name
        assert (tmp_path / f"{name}.qm").read_bytes() == resource(f"i18n/{name}.qm").read_bytes(), name


def test_an_error_is_told_in_the_windows_language(qapp: QApplication, translation: Translation) -> None:
    error = ModelTruncated(path="m.gguf", have=10, need=20)
    assert texts.error_text(error) == str(error)
    translation.use("ja")
    assert texts.error_text(error).startswith("モデルのファイル m.gguf が途中で切れています（20 バイト中 10 バイト）。")
    translation.use("zh")
    assert "20 字节中只有 10 字节" in texts.error_text(error)


def test_a_moment_is_said_as_one_says_it(qapp: QApplication, translation: Translation) -> None:
    now = 1_800_000_000.0
    assert texts.when(now - 5, now) == "just now"
    assert texts.when(now - 150, now) == "2 min ago"
    assert re.fullmatch(r"\w{3}", texts.when(now - 3 * 86_400, now))
    assert texts.when(now - 30 * 86_400, now) == "2026-12-16"
    assert texts.when(0, now) == ""


def test_every_text_that_the_code_translates_is_known_to_the_translators() -> None:
    """The tools miss calls inside f-strings and with computed texts; the window would show English there."""
    known = {(context, source) for context, source, _ in messages("kotonia_ja")}
    asked = set()
    for path in (ROOT / "kotonia_desktop" / "gui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("translate", "QT_TRANSLATE_NOOP"):
                context, source = node.args[:2]
                assert isinstance(context, ast.Constant), (path, node.lineno)
                assert not isinstance(source, ast.JoinedStr), (path, node.lineno)
                if isinstance(source, ast.Constant):
                    asked.add((context.value, source.value))
    assert len(asked) > 300
    assert asked == known


def test_no_signal_is_connected_to_something_that_is_no_method() -> None:
    """A lambda or partial on a worker's signal runs in the worker's thread."""
    pattern = re.compile(r"\.connect\(\s*(lambda|partial|functools)")
    guilty = [path for path in (ROOT / "kotonia_desktop" / "gui").rglob("*.py") if pattern.search(path.read_text())]
    assert guilty == []


def test_model_text_never_goes_through_markup() -> None:
    pattern = re.compile(r"\.(setHtml|setMarkdown|insertHtml|insertMarkdown|appendHtml)\(")
    guilty = [path for path in (ROOT / "kotonia_desktop" / "gui").rglob("*.py") if pattern.search(path.read_text())]
    assert guilty == []


def test_qt_keeps_its_references_to_none() -> None:
    """PySide6 6.12.0 drops one reference of None per void call on Python 3.11 and aborts after some thousands."""
    code = (
        "import sys; from PySide6.QtGui import QGuiApplication, QTextDocument; app = QGuiApplication([]);"
        "document = QTextDocument(); document.setTextWidth(200.0); before = sys.getrefcount(None);"
        "[document.setTextWidth(200.0) for _ in range(1000)]; print(before - sys.getrefcount(None))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"QT_QPA_PLATFORM": "offscreen"}
    )
    assert int(done.stdout) < 100
