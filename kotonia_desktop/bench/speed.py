"""`decode`, `prefill`, `turn`, `grammar`: how fast ours is, beside the peer where one is asked for.

With a peer the work is done in turn, ours, the peer with our settings, the peer as it comes, so that whatever else the
machine does falls on all of them. Speed ratios are tokens a second, ours over theirs; time ratios seconds, ours over
theirs. Processor ratios say the same of the processor's time.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kotonia_desktop.bench.measuring import TICK, Result, Series, ratio, timed
from kotonia_desktop.bench.peer import Peer
from kotonia_desktop.bench.subject import Subject, line
from kotonia_desktop.domain.ports import PromptItem
from kotonia_desktop.engine.llama_library import features_of, processor_features
from kotonia_desktop.engine.states import common_prefix
from kotonia_desktop.memory.chronicler import chapter_grammar

Tell = Callable[[str], None]
_JSON = r"""
root ::= object
object ::= "{" ws pair ("," ws pair)* "}"
pair ::= string ":" ws value
value ::= string | number | object | "[" ws value ("," ws value)* "]" | "true" | "false" | "null"
string ::= "\"" [^"\\\x00-\x1f]* "\"" ws
number ::= "-"? [0-9]+ ("." [0-9]+)? ws
ws ::= [ \n]?
"""
"""A loose grammar: most texts break it at once, so that its tokens are drawn again far more often than a chapter's."""
_SEEDS = 100
_LEAST_WRITTEN = 12
ARMS = ("ours", "peer", "peer_defaults")


@dataclass(frozen=True, slots=True)
class SpeedOptions:
    """What to measure: `depth` tokens lie before the work, `tokens` are the work."""

    model: Path
    depth: int = 2000
    tokens: int = 32
    runs: int = 5
    peer: bool = False
    threads: int = 0


class _Stand:
    """Ours and, where asked for, the peer twice."""

    def __init__(self, stack: ExitStack, options: SpeedOptions, bench: str, extra: int = 0) -> None:
        window = options.depth + options.tokens + extra + 256
        self.subject = stack.enter_context(Subject(options.model, window, threads=options.threads))
        loaded = self.subject.loaded
        self.result = Result(bench, options.model.name)
        self.peers: dict[str, Peer] = {}
        if options.peer:
            for name in ARMS[1:]:
                peer = Peer(options.model, window, loaded.threads, loaded.step, same=name == "peer")
                self.peers[name] = stack.enter_context(peer)
            build = self.peers["peer"].build
            self.result.notes.append(
                f"the peer is another build of llama.cpp ({build}): a comparison of builds as well"
            )
            ours, theirs = processor_features(), features_of(self.peers["peer"].processor)
            self.result.results["same_processor_features"] = ours == theirs
            if ours != theirs:
                self.result.notes.append(
                    f"ratios are also of what the builds use of the processor: only ours {sorted(ours - theirs)}, "
                    f"only theirs {sorted(theirs - ours)}"
                )
        self.result.notes.append(f"{loaded.threads} threads, steps of {loaded.step}, flash attention {loaded.flash}")

    def report(self, wall: dict[str, Series], cpu: dict[str, Series], *, speed: bool) -> Result:
        """The medians, and ours over theirs."""
        self.result.add(*wall.values(), *cpu.values())
        for name, key in (("peer", "ratio_to_peer"), ("peer_defaults", "ratio_to_peer_defaults")):
            if name in self.peers:
                self.result.results[key] = round(ratio(wall["ours"], wall[name]), 4)
                self.result.results[f"{key}_cpu"] = round(ratio(cpu["ours"], cpu[name]), 4)
        if not speed:
            self.result.notes.append("ratios of time: less is better")
        return self.result


def _series(names: list[str], unit: str, suffix: str) -> dict[str, Series]:
    return {name: Series(f"{name} {suffix}", unit) for name in names}


def decode(options: SpeedOptions, tell: Tell) -> Result:
    """Tokens a second of a reply at some depth."""
    with ExitStack() as stack:
        stand = _Stand(stack, options, "decode")
        subject = stand.subject
        items = [line(subject.vocabulary.ids(0, options.depth))]
        ids = subject.vocabulary.prompt(items)
        names = ["ours", *stand.peers]
        wall, cpu = _series(names, "tok/s", "tokens per second"), _series(names, "tok/s", "tokens per cpu second")
        subject.answer(items, 1, "c")  # the depth is read before anything is measured
        for peer in stand.peers.values():
            peer.complete(ids, 1)
        for run in range(options.runs):
            for seed in range(run * _SEEDS, (run + 1) * _SEEDS):
                answer, seconds = timed(subject.pid, partial(subject.answer, items, options.tokens, "c", seed=seed))
                written = answer.finished.reply_tokens
                if written >= min(_LEAST_WRITTEN, options.tokens):
                    break  # else the model ended its reply too early
            wall["ours"].values.append(written / answer.finished.reply_seconds)
            cpu["ours"].values.append(written / max(TICK, seconds.cpu - answer.first.cpu))
            for name, peer in stand.peers.items():
                done = peer.complete(ids, options.tokens)
                # Its clock starts with the first token, which needs no decode; ours reads the last one as well.
                decodes = max(1, done.written_tokens - 1)
                wall[name].values.append(decodes / done.written_seconds)
                cpu[name].values.append(decodes / max(TICK, done.whole.cpu - done.first.cpu))
            tell(f"run {run + 1}: " + ", ".join(f"{name} {wall[name].values[-1]:.1f} tok/s" for name in names))
        return stand.report(wall, cpu, speed=True)


def prefill(options: SpeedOptions, tell: Tell) -> Result:
    """Tokens a second of reading a prompt of `depth` tokens cold."""
    with ExitStack() as stack:
        stand = _Stand(stack, options, "prefill")
        subject = stand.subject
        names = ["ours", *stand.peers]
        wall, cpu = _series(names, "tok/s", "tokens per second"), _series(names, "tok/s", "tokens per cpu second")
        for run in range(options.runs):
            items = [line(subject.vocabulary.ids(run + 1, options.depth))]
            ids = subject.vocabulary.prompt(items)
            read, seconds = timed(subject.pid, partial(subject.engine.read, items, f"{run}"))
            fresh = read.prompt_tokens - read.reused_tokens
            wall["ours"].values.append(fresh / read.seconds)
            cpu["ours"].values.append(fresh / seconds.cpu)
            for name, peer in stand.peers.items():
                done = peer.complete(ids, 1)
                wall[name].values.append(done.prompt_tokens / done.prompt_seconds)
                cpu[name].values.append(done.prompt_tokens / done.first.cpu)
            tell(f"run {run + 1}: " + ", ".join(f"{name} {wall[name].values[-1]:.1f} tok/s" for name in names))
        return stand.report(wall, cpu, speed=True)


def turn(options: SpeedOptions, tell: Tell) -> Result:
    """Milliseconds until the first token of a reply to a line of `tokens` tokens, behind a prefix that is read."""
    with ExitStack() as stack:
        stand = _Stand(stack, options, "turn", extra=64)
        subject = stand.subject
        prefix = line(subject.vocabulary.ids(0, options.depth))
        names = ["ours", *stand.peers]
        wall, cpu = _series(names, "ms", "first token ms"), _series(names, "ms", "first token cpu ms")
        own = _own_tokens(subject, prefix, options.tokens)
        before = [prefix, line(subject.vocabulary.ids(1, own))]
        subject.answer(before, 1, "c")
        for peer in stand.peers.values():
            peer.complete(subject.vocabulary.prompt(before), 1)
        read: set[int] = set()
        for run in range(options.runs):
            items = [prefix, line(subject.vocabulary.ids(run + 2, own))]
            answer = subject.answer(items, 2, "c")
            read.add(answer.finished.prompt_tokens - answer.finished.reused_tokens)
            wall["ours"].values.append(answer.first.wall * 1000)
            cpu["ours"].values.append(answer.first.cpu * 1000)
            for name, peer in stand.peers.items():
                done = peer.complete(subject.vocabulary.prompt(items), 2)
                read.add(done.prompt_tokens)
                wall[name].values.append(done.first.wall * 1000)
                cpu[name].values.append(done.first.cpu * 1000)
            tell(f"run {run + 1}: " + ", ".join(f"{name} {wall[name].values[-1]:.0f} ms" for name in names))
        stand.result.notes.append(f"tokens read in a turn: {sorted(read)}")
        return stand.report(wall, cpu, speed=False)


def _own_tokens(subject: Subject, prefix: PromptItem, tokens: int) -> int:
    """How many ids of a line make `tokens` new ones with its marks and the reply's opener."""

    def new(count: int) -> int:
        first, second = (
            subject.vocabulary.prompt([prefix, line(subject.vocabulary.ids(number, count))]) for number in (1, 2)
        )
        return len(second) - common_prefix(first, second)

    return next((count for count in range(tokens, 1, -1) if new(count) <= tokens), 1)


def grammar(options: SpeedOptions, tell: Tell) -> Result:
    """Seconds of a token that a grammar allows over those of one that nothing binds: a chapter's grammar
    (`ratio_to_free`), and JSON (`ratio_to_free_json`)."""
    with ExitStack() as stack:
        stand = _Stand(stack, options, "grammar")
        subject = stand.subject
        items = [line(subject.vocabulary.ids(0, options.depth))]
        bound = chapter_grammar("en", 6, 12, ["Mira", "Sam", "The captain"])
        rules = {"free": "", "bound": bound, "json": _JSON}
        series = {name: Series(f"{name} ms per token", "ms") for name in rules}
        subject.answer(items, 1, "c")
        written: list[int] = []
        for run in range(options.runs):
            for name, rule in rules.items():
                for seed in range(run * _SEEDS, (run + 1) * _SEEDS):
                    answer = subject.answer(items, options.tokens, "c", seed=seed, grammar=rule)
                    if answer.finished.reply_tokens >= min(_LEAST_WRITTEN, options.tokens):
                        break
                written.append(answer.finished.reply_tokens)
                series[name].values.append(answer.finished.reply_seconds * 1000 / answer.finished.reply_tokens)
            tell(f"run {run + 1}: " + ", ".join(f"{name} {one.values[-1]:.1f} ms" for name, one in series.items()))
        stand.result.add(*series.values())
        for key, name in (("ratio_to_free", "bound"), ("ratio_to_free_json", "json")):
            stand.result.results[key] = round(ratio(series[name], series["free"]), 4)
        stand.result.notes.append(f"tokens written in a run: {min(written)} to {max(written)}")
        return stand.result
