"""Where things lie: the data folder, and the files shipped with the app.

Works from a checkout, an editable install, a wheel and a frozen app. Knows nothing else of ours.
"""

from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def default_data_dir() -> Path:
    """The data folder of this user on this system; it is not created here."""
    return Path(platformdirs.user_data_dir("kotonia", appauthor=False))


def resource(name: str) -> Path:
    """A shipped file by its path below `resources/`. A checkout wins, so that an edit is seen at once."""
    for root in (_PACKAGE.parent / "resources", _PACKAGE / "resources"):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(f"this copy of Kotonia lacks its file resources/{name}; install it again")
