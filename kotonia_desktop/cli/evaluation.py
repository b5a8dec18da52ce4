"""`kotonia eval`: what the memory is worth, in figures; see the modules of `kotonia_desktop.evaluation`."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from kotonia_desktop.evaluation.dialogues import read_measured, read_wrong_questions
from kotonia_desktop.evaluation.retrieval import ARMS, AT, Recall, evidence_recall, planted_recall

if TYPE_CHECKING:
    Parsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  (argparse names it nowhere else)


def add_parsers(commands: "Parsers") -> None:
    """The command line's grammar of `eval`."""
    what = commands.add_parser("eval", help="measure the memory").add_subparsers(dest="eval", required=True)
    retrieval = what.add_parser("retrieval", help="how often the line that answers a question is found; needs no model")
    retrieval.add_argument("file", type=Path, nargs="+", help="dialogues (JSON)")
    retrieval.add_argument(
        "--planted", type=int, default=8, metavar="N", help="plant facts with random seeds 1 to N (default 8, 0: none)"
    )
    retrieval.add_argument("--errors", type=Path, help="JSON list of questions whose key is wrong, to leave out")
    retrieval.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """Run one measurement. Raises `KotoniaError`."""
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
