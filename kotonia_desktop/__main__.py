"""The door: the app's own child processes first, then the window or the command line.

Children are started as this same program with `--engine` or `--import-worker`; they must not pay for Qt or the store.
"""

import os
import sys


def main() -> int:
    """Run what the command line asks for; returns the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--engine"]:
        from kotonia_desktop.engine.child import main as engine_main

        return engine_main()
    if arguments[:1] == ["--engine-template"]:
        from kotonia_desktop.engine.template_process import main as template_main

        return template_main()
    if arguments[:1] == ["--import-worker"]:
        from kotonia_desktop.interop.worker import child_main

        return child_main()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # a windowed program on Windows has none; prints must not fail
            setattr(sys, name, open(os.devnull, "r" if number == 0 else "w"))  # noqa: SIM115  lives as long as we do
    return _person(arguments)


def _person(arguments: list[str]) -> int:
    from kotonia_desktop import cli

    options, commands = cli.split_window_options(arguments)
    if commands:
        return cli.run(commands)
    from kotonia_desktop.gui.display import has_display

    if has_display():
        from kotonia_desktop import app

        return app.run(options.data_dir, smoke=options.smoke)
    print("There is no display here: chatting in the terminal instead.", file=sys.stderr)
    return cli.run([*arguments, "chat"])


if __name__ == "__main__":
    sys.exit(main())
