"""Keeps the window's translations: takes the texts out of the code, and compiles what was translated.

    .venv/bin/python packaging/translations.py update    # after a text of the window changed
    .venv/bin/python packaging/translations.py build     # after a .ts file was edited

The .ts files under `resources/i18n` are edited by hand; the .qm files beside them are built and belong to the commit.
English has a file too, for its plurals only.
"""

import argparse
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
SOURCES = ROOT / "kotonia_desktop" / "gui"
FILES = {"ja_JP": "kotonia_ja", "zh_CN": "kotonia_zh_CN", "en_GB": "kotonia_en"}
_FORMS = {"ja_JP": 1, "zh_CN": 1, "en_GB": 2}
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'


def update() -> None:
    """Bring the .ts files in line with the code; texts that are gone go."""
    tool = Path(sys.executable).with_name("pyside6-lupdate")
    sources = sorted(str(path) for path in SOURCES.rglob("*.py"))
    for language, name in FILES.items():
        target = FOLDER / f"{name}.ts"
        command = [str(tool), *sources, "-no-obsolete", "-locations", "none", "-target-language", language]
        kept = plural_forms(target)
        quiet = subprocess.DEVNULL
        subprocess.run([*command, "-ts", str(target)], check=True, stdout=quiet, stderr=quiet)
        mark_plurals(target, language, kept)


def plural_forms(target: Path) -> dict[str, list[str]]:
    """The translated plural forms of a file, by source: the tool drops them, because it does not see the number."""
    if not target.exists():
        return {}
    messages = ET.parse(target).getroot().iter("message")
    forms = {m.findtext("source", ""): [form.text or "" for form in m.iter("numerusform")] for m in messages}
    return {source: texts for source, texts in forms.items() if any(texts)}


def mark_plurals(target: Path, language: str, kept: dict[str, list[str]]) -> None:
    """Texts with a number get their plural forms: the tool sees that only in `tr`. English keeps nothing else."""
    tree = ET.parse(target)
    root = tree.getroot()
    for context in list(root.iter("context")):
        for message in list(context.iter("message")):
            source = message.findtext("source", "")
            translation = message.find("translation")
            if "%n" not in source:
                if language == "en_GB":
                    context.remove(message)
                continue
            message.set("numerus", "yes")
            if translation is None:
                continue
            for form in list(translation):
                translation.remove(form)
            translation.text = None
            for text in kept.get(source, [None] * _FORMS[language]):
                ET.SubElement(translation, "numerusform").text = text
            if source in kept:
                translation.attrib.pop("type", None)
        if context.find("message") is None:
            root.remove(context)
    ET.indent(root, "    ")
    target.write_text(_HEAD + ET.tostring(root, "unicode") + "\n", encoding="utf-8")


def build() -> None:
    """Compile every .ts file."""
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    for name in FILES.values():
        command = [str(tool), "-silent", str(FOLDER / f"{name}.ts"), "-qm", str(FOLDER / f"{name}.qm")]
        subprocess.run(command, check=True)


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description="Keep the window's translations.")
    parser.add_argument("act", choices=("update", "build"))
    {"update": update, "build": build}[parser.parse_args().act]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
