"""`kotonia eval`: what the memory is worth, in figures; see the modules of `kotonia_desktop.evaluation`."""

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kotonia_desktop.cli.numbers import at_least
from kotonia_desktop.evaluation.dialogues import read_measured, read_wrong_questions
from kotonia_desktop.evaluation.lies import LieCounts, measure_lies
from kotonia_desktop.evaluation.retrieval import ARMS, AT, Recall, evidence_recall, planted_recall
from kotonia_desktop.services.folding import WriterKind

if TYPE_CHECKING:
    Parsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  (argparse names it nowhere else)


def add_parsers(commands: "Parsers") -> None:
    """The command line's grammar of `eval`."""
    what = commands.add_parser("eval", help="measure the memory").add_subparsers(dest="eval", required=True)
    retrieval = what.add_parser("retrieval", help="how often the line that answers a question is found; needs no model")
    retrieval.add_argument("file", type=Path, nargs="+", help="dialogues (JSON)")
    retrieval.add_argument(
        "--planted",
        type=at_least(0),
        default=8,
        metavar="N",
        help="plant facts with random seeds 1 to N (default 8, 0: none)",
    )
    retrieval.add_argument("--errors", type=Path, help="JSON list of questions whose key is wrong, to leave out")
    retrieval.add_argument("--json", action="store_true", help="one JSON object")
    lies = what.add_parser("lies", help="what memory makes of planted lies and open matters")
    lies.add_argument("file", type=Path, nargs="+", help="dialogues (JSON)")
    lies.add_argument("--model", type=Path, required=True, help="GGUF file; of a writer that is none its vocabulary")
    lies.add_argument("--writer", type=WriterKind, default=WriterKind.MODEL, help="model, extract or first-sentence")
    lies.add_argument("--window", type=at_least(512), default=4096, help="tokens the model sees (default 4096)")
    lies.add_argument("--planted", type=at_least(1), default=1, metavar="N", help="random seeds 1 to N (default 1)")
    lies.add_argument("--turns", type=at_least(0), default=0, help="first turns of each dialogue (default: all)")


def run(options: argparse.Namespace) -> int:
    """Run one measurement. Raises `KotoniaError`."""
    return _lies(options) if options.eval == "lies" else _retrieval(options)


def _lies(options: argparse.Namespace) -> int:
    total = LieCounts()
    for path in options.file:
        dialogue = read_measured(path)
        if options.turns:
            dialogue = replace(dialogue, turns=dialogue.turns[: options.turns])
        for seed in range(1, options.planted + 1):
            found = measure_lies(dialogue, seed, options.model, options.writer, options.window)
            print(json.dumps({"file": dialogue.name, "seed": seed, **asdict(found)}, ensure_ascii=False), flush=True)
            total.add(found)
    print(json.dumps({"summary": {"model": options.model.name, "writer": options.writer.value, **asdict(total)}}))
    return 0


def _retrieval(options: argparse.Namespace) -> int:
    wrong = read_wrong_questions(options.errors) if options.errors else frozenset()
    seeds = range(1, max(0, options.planted) + 1)
    totals = {"planted": Recall(), "evidence": Recall()}
    files: dict[str, dict[str, Recall]] = {}
    for path in options.file:
        dialogue = read_measured(path)
        found = {"planted": planted_recall(dialogue, seeds), "evidence": evidence_recall(dialogue, wrong)}
        files[dialogue.name] = found
        for kind, recall in found.items():
            totals[kind].add(recall)
            if recall.asked and not options.json:
                print(_line(f"{dialogue.name} {kind}", recall), flush=True)
    if options.json:
        whole = {kind: _as_json(recall) for kind, recall in totals.items()}
        each = {name: {kind: _as_json(recall) for kind, recall in found.items()} for name, found in files.items()}
        print(json.dumps({"recall_at": AT, "seeds": list(seeds), "all": whole, "files": each}, ensure_ascii=False))
        return 0
    if len(files) > 1:
        for kind, recall in totals.items():
            if recall.asked:
                print(_line(f"all {kind}", recall))
    return 0


def _line(name: str, recall: Recall) -> str:
    figures = ", ".join(f"{arm} {recall.share(arm):.3f}" for arm in ARMS)
    return f"{name}: {figures} ({recall.asked} questions, recall at {AT})"


def _as_json(recall: Recall) -> dict[str, float]:
    return {"questions": recall.asked, **{arm: round(recall.share(arm), 4) for arm in ARMS}}
