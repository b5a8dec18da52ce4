"""`kotonia bench`: what this machine does with a model, in figures; see the modules of `kotonia_desktop.bench`."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from kotonia_desktop.bench import cache, preempt, speed, tune
from kotonia_desktop.bench.measuring import Result
from kotonia_desktop.bench.reuse import TurnRow, measure, summary
from kotonia_desktop.cli.numbers import at_least, seconds
from kotonia_desktop.services.models import TUNING

if TYPE_CHECKING:
    Parsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  (argparse names it nowhere else)

_SPEED = {
    "decode": (speed.decode, "tokens a second of a reply", 2000, 32),
    "prefill": (speed.prefill, "tokens a second of reading a prompt", 2000, 1),
    "turn": (speed.turn, "milliseconds until the first token of a reply to a short line", 2000, 60),
    "grammar": (speed.grammar, "what a text that must follow a grammar costs", 500, 48),
}


def add_parsers(commands: "Parsers") -> None:
    """The command line's grammar of `bench`."""
    bench = commands.add_parser("bench", help="measure this machine").add_subparsers(dest="bench", required=True)
    reuse = bench.add_parser("reuse", help="what each turn of a dialogue reads again")
    reuse.add_argument("file", type=Path, nargs="+", help="dialogues or chats; their user lines are sent")
    reuse.add_argument("--model", type=Path, required=True)
    reuse.add_argument("--turns", type=at_least(1), default=60)
    reuse.add_argument("--window", type=at_least(1), default=8192)
    reuse.add_argument("--reply-tokens", type=at_least(1), default=16)
    reuse.add_argument("--language", default="en", choices=("en", "ja", "zh"), help="which starter answers")
    reuse.add_argument("--break-prefix", action="store_true", help="the control: change the greeting before each turn")
    reuse.add_argument("--json", action="store_true", help="one JSON object a line, the summary last")
    for name, (_, explanation, depth, tokens) in _SPEED.items():
        parser = _common(bench.add_parser(name, help=explanation))
        parser.add_argument(
            "--depth", type=at_least(1), default=depth, help=f"tokens before the work (default {depth})"
        )
        parser.add_argument("--tokens", type=at_least(1), default=tokens, help=f"tokens of it (default {tokens})")
        if name != "grammar":
            parser.add_argument("--peer", action="store_true", help="beside llama.cpp's server (extra `bench`)")
    tuned = bench.add_parser("tune", help="find out how a model runs fastest here, and keep to it from now on")
    tuned.add_argument("--model", type=Path, required=True, help="GGUF file")
    tuned.add_argument("--seconds", type=seconds(1.0), default=120.0, help="most time it may take (default 120)")
    tuned.add_argument("--json", action="store_true", help="the result as one JSON object, last")
    fold = _common(bench.add_parser("fold", help="what the turn pays at which the memory head changes"))
    fold.add_argument("--live", type=at_least(1), default=8000, help="tokens of the open conversation (default 8000)")
    fold.add_argument("--new", type=at_least(1), default=4000, help="tokens of the new prefix (default 4000)")
    fold.add_argument("--tokens", type=at_least(1), default=60, help="tokens of a turn (default 60)")
    fold.add_argument("--peer", action="store_true", help="beside llama.cpp's server (extra `bench`)")
    restore = _common(bench.add_parser("restore", help="opening a conversation again, instead of reading it"), runs=10)
    restore.add_argument("--live", type=at_least(1), default=10_000, help="tokens of the conversation (default 10000)")
    restore.add_argument("--settings", nargs="+", default=["f16", "q8_0"], choices=["f16", "q8_0"])
    flow = bench.add_parser("stream", help="what the window pays for each token of a reply; needs no model")
    flow.add_argument("--model", type=Path, help="only named in the result: the window does the same with any")
    flow.add_argument("--runs", type=at_least(1), default=5, help="how many replies; the median counts (default 5)")
    flow.add_argument("--messages", type=at_least(1), default=200, help="messages above the reply (default 200)")
    flow.add_argument("--tokens", type=at_least(1), default=300, help="tokens of a reply (default 300)")
    flow.add_argument("--json", action="store_true", help="the result as one JSON object, last")
    arrive = _common(bench.add_parser("preempt", help="how long a reply waits while a chapter is written"), runs=3)
    arrive.add_argument("--arrivals", type=at_least(1), default=30, help="replies that are asked for (default 30)")
    arrive.add_argument("--depth", type=at_least(1), default=1000, help="tokens before a reply (default 1000)")
    arrive.add_argument("--chapter", type=at_least(1), default=1600, help="tokens that a chapter reads (default 1600)")


def _common(parser: argparse.ArgumentParser, runs: int = 5) -> argparse.ArgumentParser:
    parser.add_argument("--model", type=Path, required=True, help="GGUF file")
    parser.add_argument("--runs", type=at_least(1), default=runs, help=f"how often; the median counts (default {runs})")
    parser.add_argument("--threads", type=at_least(0), default=0, help="0: all cores but one")
    parser.add_argument("--json", action="store_true", help="the result as one JSON object, last")
    return parser


def run(options: argparse.Namespace, data_dir: Path) -> int:
    """Run one measurement. Raises `KotoniaError`."""
    if options.bench == "reuse":
        return _reuse(options)
    if options.bench == "tune":
        return show(tune.tune(options.model, data_dir / TUNING, options.seconds, tell), as_json=options.json)
    return show(_measured(options), as_json=options.json)


def _measured(options: argparse.Namespace) -> Result:
    runs = max(1, options.runs)
    if options.bench == "stream":
        from kotonia_desktop.bench import stream  # only here is Qt needed

        return stream.stream(
            stream.StreamOptions(
                model="" if options.model is None else options.model.name,
                messages=max(0, options.messages),
                tokens=max(1, options.tokens),
                runs=runs,
            ),
            tell,
        )
    if options.bench == "preempt":
        return preempt.preempt(
            preempt.PreemptOptions(
                model=options.model,
                arrivals=max(1, options.arrivals),
                depth=options.depth,
                chapter=options.chapter,
                runs=runs,
                threads=options.threads,
            ),
            tell,
        )
    if options.bench == "restore":
        return cache.restore(
            cache.CacheOptions(
                model=options.model,
                live=options.live,
                runs=runs,
                threads=options.threads,
                settings=tuple(options.settings),
            ),
            tell,
        )
    if options.bench == "fold":
        return cache.fold(
            cache.CacheOptions(
                model=options.model,
                live=options.live,
                new=options.new,
                turn=options.tokens,
                runs=runs,
                peer=options.peer,
                threads=options.threads,
            ),
            tell,
        )
    return _SPEED[options.bench][0](
        speed.SpeedOptions(
            model=options.model,
            depth=max(1, options.depth),
            tokens=max(1, options.tokens),
            runs=runs,
            peer=getattr(options, "peer", False),
            threads=options.threads,
        ),
        tell,
    )


def tell(line: str) -> None:
    """Progress, beside the result."""
    print(line, file=sys.stderr, flush=True)


def show(result: Result, *, as_json: bool) -> int:
    """Print a result."""
    for series in result.series:
        print(series)
    for name, value in result.results.items():
        if "ratio" in name or not any(series.name.replace(" ", "_") == name for series in result.series):
            print(f"{name}: {value}")
    for note in result.notes:
        print(f"({note})")
    if as_json:
        print(json.dumps(result.as_json()))
    return 0


def _reuse(options: argparse.Namespace) -> int:
    def tell_row(row: TurnRow) -> None:
        if options.json:
            print(json.dumps({**asdict(row), "reuse": row.reuse}), flush=True)
        else:
            print(
                f"turn {row.turn}: prompt {row.prompt}, reused {row.reused}, read again {row.reread} {row.exception}",
                flush=True,
            )

    rows = measure(
        options.file,
        options.model,
        options.turns,
        window=options.window,
        reply_tokens=options.reply_tokens,
        language=options.language,
        break_prefix=options.break_prefix,
        tell=tell_row,
    )
    print(json.dumps({"summary": summary(rows)}))
    return 0
