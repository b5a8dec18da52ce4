"""Looks the installation over: what is there, what is missing, what to do. It makes the data folder, nothing else."""

import importlib.metadata
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.paths import resource
from kotonia_desktop.services.kotonia import Kotonia

_LIBRARIES = ("llama-cpp-python", "PySide6-Essentials", "sqlcipher3", "sqlmodel", "jinja2", "numpy", "pillow")
_DISK_WANTED = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `ok` is false where something must be done; `advice` says what."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


def examine(data_dir: Path) -> list[Finding]:
    """Everything the app needs, one finding each."""
    found = [
        Finding("Python", sys.version_info >= (3, 11), platform.python_version(), "Python 3.11 or newer is needed."),
        Finding("System", True, f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
    ]
    for library in _LIBRARIES:
        try:
            found.append(Finding(library, True, importlib.metadata.version(library)))
        except importlib.metadata.PackageNotFoundError:
            # A frozen app carries the library without its metadata.
            frozen = bool(getattr(sys, "frozen", False))
            found.append(Finding(library, frozen, "built in" if frozen else "missing", "Install the app again."))
    memory = psutil.virtual_memory()
    found.append(Finding("Memory", True, f"{memory.available / 1e9:.1f} GB free of {memory.total / 1e9:.1f} GB"))
    try:
        found.append(Finding("Shipped files", True, str(resource("starters").parent)))
    except FileNotFoundError as error:
        found.append(Finding("Shipped files", False, str(error), "Install the app again."))
    return found + _data_findings(data_dir)


def _model_findings(model: LoadedModel) -> list[Finding]:
    """How large the window is and why, what it takes, and how the model runs."""
    window = f"{model.chat_cells:,} tokens for the story, {model.memory_cells:,} for memory work"
    taken = f"{model.file_bytes / 2**20:,.0f} MiB of weights, about {model.cells_mb:,} MiB of cells and buffers"
    stretched = f", stretched {model.yarn} times" if model.yarn else ""
    runs = f"{model.threads} threads, steps of {model.step}, flash attention {'on' if model.flash else 'off'}"
    weights = "weights as they are" if model.plain_weights else "weights rearranged"
    found_by = "measured here" if model.tuned else "by default"
    return [
        Finding(
            "Window",
            True,
            f"{window} ({model.window_reason.value}{stretched}); keys {model.keys}, values {model.values}",
        ),
        Finding("Model's memory", True, taken),
        Finding("It runs with", True, f"{runs}, {weights} ({found_by})"),
    ]


def _data_findings(data_dir: Path) -> list[Finding]:
    try:
        with Kotonia(data_dir) as kotonia:
            free = shutil.disk_usage(data_dir).free
            count = len(kotonia.library.conversations())
            starter = kotonia.models.starter_path()
            chosen = kotonia.models.preferred_path()
            found = [
                Finding("Data folder", True, f"{data_dir}: {count} conversations"),
                Finding("Disk", free > _DISK_WANTED, f"{free / 1e9:.1f} GB free", "Free some space for models."),
                Finding(
                    "Starter model",
                    True,
                    str(starter) if starter else "not fetched (kotonia chat fetches it, or choose a model of your own)",
                ),
            ]
            if chosen is not None:
                try:
                    model = kotonia.models.load(chosen)
                    template = f"{model.template.source.value} {model.template.name} {model.template.reason}".strip()
                    found.append(Finding("Model", True, f"{model.name}: loads; turns: {template}"))
                    found += _model_findings(model)
                except KotoniaError as error:
                    found.append(Finding("Model", False, "does not load", str(error)))
            return found
    except KotoniaError as error:
        return [Finding("Data folder", False, str(data_dir), str(error))]
