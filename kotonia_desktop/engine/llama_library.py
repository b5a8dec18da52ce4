"""llama.cpp's library itself: made quiet, its backends loaded, its last complaints kept."""

import ctypes
import os
import re
from pathlib import Path
from typing import Final

os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # else an abort forks and runs a debugger from PATH

import llama_cpp as _package
from llama_cpp import llama_cpp as lib

__all__ = [
    "clear_errors",
    "features_of",
    "last_errors",
    "lib",
    "library_version",
    "load_backends",
    "processor_features",
    "start_library",
]

_ERROR: Final = 4
_KEPT_LINES: Final = 40
_LONGEST_REASON: Final = 160

_log_lines: list[str] = []


@lib.llama_log_callback  # type: ignore[untyped-decorator]
def _keep_log_line(level: int, text: bytes, user_data: ctypes.c_void_p) -> None:
    if level == _ERROR:
        _log_lines.append(text.decode("utf-8", "replace").strip())
        del _log_lines[_KEPT_LINES:]


def start_library() -> None:
    """Make llama.cpp ready: quiet, and with its backends loaded. Call once."""
    lib.llama_log_set(_keep_log_line, ctypes.c_void_p(0))
    load_backends(Path(_package.__file__).parent / "lib")
    lib.llama_backend_init()


def library_version() -> str:
    """Which llama.cpp this is: a state that another wrote is not read."""
    return str(_package.__version__)


def processor_features() -> frozenset[str]:
    """What of the processor this build of llama.cpp uses, as `features_of` names it. Call `start_library` first."""
    return features_of(lib.llama_print_system_info().decode("utf-8", "replace"))


def features_of(system_info: str) -> frozenset[str]:
    """The names that llama.cpp's line about a build says are on (`AVX2 = 1`), without the backend's (`CPU : `)."""
    return frozenset(re.findall(r"(\w+) = 1\b", system_info))


def load_backends(folder: Path) -> None:
    """Load the backends of a build that keeps them in files of their own (`GGML_BACKEND_DL`); others have them inside.

    The symbol must come from libllama's own handle: libggml lies in a wheel under several names, and a handle of
    another of them has a register of its own, so the backend loads there and the model still finds none.
    """
    handle = lib._lib  # noqa: SLF001  the handle has no public name
    if os.name == "nt":  # Windows looks for a symbol in the named library alone
        from llama_cpp import _ggml

        handle = _ggml.libggml
    handle.ggml_backend_reg_count.restype = ctypes.c_size_t
    if handle.ggml_backend_reg_count() == 0:
        handle.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
        handle.ggml_backend_load_all_from_path.restype = None
        handle.ggml_backend_load_all_from_path(os.fsencode(folder))


def last_errors() -> str:
    """What llama.cpp first complained about since `clear_errors`; it names keys and tensors, never a text."""
    if not _log_lines:
        return ""
    # "llama_model_load: error loading model: check_tensor_dims: tensor ..." : the names of functions tell nobody much.
    reason = re.sub(r"^(\w+: |error loading model(?: \w+)?: )+", "", _log_lines[0])
    return "".join(char for char in reason if char.isprintable())[:_LONGEST_REASON]


def clear_errors() -> None:
    """Forget earlier complaints, before something that may bring new ones."""
    _log_lines.clear()
