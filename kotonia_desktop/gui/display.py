"""Is there a display? Asked before anything of Qt is imported, because Qt aborts the process where there is none."""

import os
import sys
from collections.abc import Mapping

_NEEDS_NO_DISPLAY = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """True where a window can be opened. On Windows and macOS that is taken for granted."""
    if platform in ("win32", "darwin", "cygwin"):
        return True
    wanted = environment.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if wanted in _NEEDS_NO_DISPLAY:
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
