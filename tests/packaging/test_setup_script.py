"""The set-up script: what it reads from pip, when it installs again, what it says when it cannot go on."""

import ast
import base64
import importlib
import io
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"

BACKEND = '''
"""A build backend with nothing to fetch: it makes a wheel with one module and one command."""
import zipfile

NAME = "tiny_project-1.0-py3-none-any.whl"
INFO = "tiny_project-1.0.dist-info"


def build_wheel(folder, config_settings=None, metadata_directory=None):
    print("[1/2] Building CXX object ggml.o")
    with zipfile.ZipFile(folder + "/" + NAME, "w") as wheel:
        wheel.writestr("tiny_project.py", "def main():\\n    print('it runs')\\n")
        wheel.writestr(INFO + "/METADATA", "Metadata-Version: 2.1\\nName: tiny-project\\nVersion: 1.0\\n")
        wheel.writestr(INFO + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(INFO + "/entry_points.txt", "[console_scripts]\\nkotonia = tiny_project:main\\n")
        wheel.writestr(INFO + "/RECORD", "")
    return NAME


build_editable = build_wheel
'''
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny-project"
version = "1.0"
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return importlib.import_module("setup")


@pytest.fixture
def packages(script: ModuleType) -> ModuleType:
    return importlib.import_module("system_packages")


@pytest.fixture
def progress(script: ModuleType) -> ModuleType:
    return importlib.import_module("install_progress")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "手元 checkout"
    root.mkdir()
    (root / "backend.py").write_text(BACKEND, "utf-8")
    (root / "pyproject.toml").write_text(PROJECT, "utf-8")
    return root


def test_it_installs_once_and_again_only_when_the_project_file_changed(script: ModuleType, project: Path) -> None:
    environment = script.Environment(project)
    environment.ensure(set())
    said = subprocess.run([str(environment.kotonia)], capture_output=True, text=True, check=True).stdout
    assert said == "it runs\n"
    assert "Building CXX object ggml.o" in environment.log.read_text("utf-8")

    environment.log.write_text("untouched", "utf-8")
    script.Environment(project).ensure(set())
    assert environment.log.read_text("utf-8") == "untouched"

    (project / "pyproject.toml").write_text(PROJECT + "\n# changed\n", "utf-8")
    script.Environment(project).ensure(set())
    assert environment.log.read_text("utf-8") != "untouched"


def test_a_failed_installation_shows_the_end_of_the_log_and_counts_as_not_done(
    script: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "backend.py").write_text("raise RuntimeError('the backend is broken')", "utf-8")
    environment = script.Environment(project)
    with pytest.raises(script.SetupFailed, match=r"kotonia-setup\.log"):
        environment.ensure(set())
    assert "the backend is broken" in capsys.readouterr().out
    assert environment.installed_extras() is None


def test_an_extra_that_is_new_installs_and_one_that_is_there_does_not(script: ModuleType, project: Path) -> None:
    environment = script.Environment(project)
    environment.kotonia.parent.mkdir(parents=True)
    environment.kotonia.touch()
    note = '{"fingerprint": "%s", "extras": ["test"]}'
    environment.stamp.write_text(note % environment.fingerprint(), "utf-8")
    assert environment.installed_extras() == {"test"}
    environment.stamp.write_text(note % "of another project file", "utf-8")
    assert environment.installed_extras() is None
    environment.stamp.write_text("{", "utf-8")
    assert environment.installed_extras() is None


def test_the_progress_counts_what_is_compiled_and_tells_the_minutes_left(progress: ModuleType) -> None:
    state = progress.InstallProgress()
    for line in (
        "Collecting numpy<3,>=1.26",
        "  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.9 MB)",
    ):
        state.read(line, 0.0)
    assert state.describe(1.0) == "downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64, 16.9 MB"
    state.read("  Building wheel for llama-cpp-python (pyproject.toml): started", 2.0)
    assert state.describe(3.0) == "preparing llama-cpp-python"
    state.read("  [1/193] Building C object vendor/llama.cpp/ggml/src/ggml.c.o", 10.0)
    assert state.describe(11.0) == "compiling llama-cpp-python: 1 of 193"
    state.read("  [97/193] Building CXX object vendor/llama.cpp/src/llama.cpp.o", 107.0)
    assert state.describe(107.0) == "compiling llama-cpp-python: 97 of 193, about 1:36 left"
    state.read("  a line that says nothing of progress", 108.0)
    assert state.describe(108.0).startswith("compiling llama-cpp-python: 97 of 193")
    state.read("Installing collected packages: numpy, llama-cpp-python", 200.0)
    assert state.describe(200.0) == "putting the packages in place"


def test_make_and_apt_are_understood_too(progress: ModuleType) -> None:
    state = progress.InstallProgress()
    state.read("[ 42%] Building CXX object src/llama.o", 0.0)
    assert state.describe(1.0) == "compiling llama.cpp: 42 of 100"
    state.read("Get:12 http://deb.debian.org/debian bookworm/main amd64 libegl1 amd64 1.6.0-1 [33.7 kB]", 2.0)
    assert state.describe(2.0) == "fetching libegl1"
    state.read("Setting up libegl1:amd64 (1.6.0-1) ...", 3.0)
    assert state.describe(3.0) == "Setting up libegl1"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_one_line_that_changes_and_a_file_none_before_its_time(progress: ModuleType) -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        ticker = progress.Ticker(stream)
        ticker.show("looking for numpy")
        ticker.show("downloading numpy")
        ticker.close()
    assert terminal.getvalue().count("\r") == 4
    assert "\n" not in terminal.getvalue()
    assert "downloading numpy" in terminal.getvalue()
    assert file.getvalue() == ""


def test_a_file_gets_a_line_when_the_time_has_come(progress: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "HEARTBEAT_S", 0.0)
    file = io.StringIO()
    progress.Ticker(file).show("looking for numpy")
    assert file.getvalue() == "  0:00  looking for numpy\n"


def test_a_run_keeps_the_whole_output_and_hands_on_the_status(progress: ModuleType, tmp_path: Path) -> None:
    log = tmp_path / "below" / "run.log"
    command = [sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"]
    assert progress.run_with_progress(command, log) == 3
    assert sorted(log.read_text("utf-8").split()) == ["err", "out"]
    assert progress.tail(log, 1) in ("out", "err")


def test_a_need_is_met_by_a_package_a_library_or_a_program_whoever_brought_it(packages: ModuleType) -> None:
    need = packages.Need
    assert need(("libglib2.0-0t64", "libglib2.0-0"), "libnone.so.9").met({"libglib2.0-0"})
    assert not need(("libglib2.0-0t64", "libglib2.0-0"), "libnone.so.9").met({"libglib2.0"})
    assert need(("nobody-has-this",), program=sys.executable).met(set())
    assert not need(("nobody-has-this",), program="kotonia-no-such-program").met(set())
    assert not need(("nobody-has-this",)).met(set())


@pytest.mark.skipif(sys.platform != "linux", reason="names a library of Linux")
def test_a_library_that_the_loader_finds_counts_as_installed(packages: ModuleType) -> None:
    assert packages.Need(("nobody-has-this",), "libc.so.6").met(set())


def test_a_cjk_font_is_known_by_its_package(packages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages.shutil, "which", lambda _: None)
    assert packages.cjk_font_found({"fonts-dejavu-core", "fonts-vlgothic"})
    assert not packages.cjk_font_found({"fonts-dejavu-core"})


def test_an_old_python_is_told_what_to_do(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/x" if name == "python3.12" else None)
    with pytest.raises(script.SetupFailed, match=r"this is Python 3\.10\.2\. Try: python3\.12 packaging"):
        script.check_python((3, 10, 2))
    monkeypatch.setattr(script.shutil, "which", lambda _: None)
    with pytest.raises(script.SetupFailed, match="Install Python"):
        script.check_python((3, 10, 2))
    script.check_python((3, 11, 0))


@pytest.mark.parametrize("name", ["setup.py", "system_packages.py", "install_progress.py"])
def test_an_old_python_can_read_the_script_up_to_that_sentence(name: str) -> None:
    source = (PACKAGING / name).read_text("utf-8")
    ast.parse(source, feature_version=(3, 8))
    with pytest.raises(SyntaxError):  # the check would notice newer syntax
        ast.parse(source + "\nmatch 1:\n    case 1:\n        pass\n", feature_version=(3, 8))


def test_the_data_folder_of_the_app_is_the_one_the_starter_model_goes_to(script: ModuleType) -> None:
    assert script.data_dir_option(["--data-dir", "/tmp/a b", "chat"]) == ["--data-dir", "/tmp/a b"]
    assert script.data_dir_option(["--data-dir=/tmp/a b"]) == ["--data-dir", "/tmp/a b"]
    assert script.data_dir_option(["chat", "--say", "--data-dir"]) == []


def test_an_unknown_command_is_bad_input(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        script.main(["dance"])
    assert ended.value.code == 2
    assert "run" in capsys.readouterr().err


def test_what_follows_the_two_dashes_is_passed_on(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(script, "install_system_packages", lambda freeze, log: None)
    monkeypatch.setitem(script.COMMANDS, "run", lambda arguments: seen.append(list(arguments)) or 0)
    assert script.main(["run", "--", "chat", "--say", "--", "x y"]) == 0
    assert script.main(["run"]) == 0
    assert seen == [["chat", "--say", "--", "x y"], []]


def test_the_smoke_test_brings_a_card_that_is_a_real_picture(script: ModuleType, tmp_path: Path) -> None:
    smoke = importlib.import_module("smoke")
    path = tmp_path / "card.png"
    path.write_bytes(smoke.card_png("Wick", "The lamp is lit."))
    with Image.open(path) as picture:
        picture.load()
        assert picture.size == (2, 2)
        card = json.loads(base64.b64decode(picture.info["chara"]))
    assert card["data"]["first_mes"] == "The lamp is lit."
