"""The command line: the same services without the window."""

from kotonia_desktop.cli.commands import WindowOptions, parser, run, split_window_options

__all__ = ["WindowOptions", "parser", "run", "split_window_options"]
