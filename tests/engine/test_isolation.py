"""The app's own process holds neither llama.cpp nor what only the engine needs."""

import subprocess
import sys


def loaded(module: str) -> set[str]:
    code = f"import {module}, sys; print(' '.join(m for m in ('llama_cpp', 'numpy') if m in sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_services_load_no_engine() -> None:
    assert loaded("kotonia_desktop.services.kotonia") == set()


def test_the_engine_does() -> None:
    """The control."""
    assert loaded("kotonia_desktop.engine.server") == {"llama_cpp", "numpy"}
