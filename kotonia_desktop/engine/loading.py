"""Loads a model: its header is checked, its turn grammar found, its weights read, its two contexts made."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kotonia_desktop.domain.errors import LoadCancelled, ModelUnsupported, NotEnoughMemory
from kotonia_desktop.domain.models import (
    LoadedModel,
    LoadOptions,
    SamplingDefaults,
    TemplateHealth,
    TemplateSource,
    WindowReason,
)
from kotonia_desktop.domain.ports import Lane
from kotonia_desktop.engine.families import COMPLETION, FAMILIES, family_grammar, family_of
from kotonia_desktop.engine.gguf_header import GgufHeader, read_header
from kotonia_desktop.engine.keeper import ChatKeeper
from kotonia_desktop.engine.llama import Context, LlamaError, Model, has_gpu
from kotonia_desktop.engine.llama_library import library_version
from kotonia_desktop.engine.prompt_ids import PromptEncoder
from kotonia_desktop.engine.sampling import Samplers
from kotonia_desktop.engine.sequences import CachedSequence, Use, make_neighbours
from kotonia_desktop.engine.shape import Shape, shapes
from kotonia_desktop.engine.snapshots import SnapshotStore, digest_of_model
from kotonia_desktop.engine.template_process import TEMPLATE_LIMIT, TemplateProcess
from kotonia_desktop.engine.tuning import Tuned, Tuner, recall, remember
from kotonia_desktop.engine.turn_grammar import TakenGrammar, TurnGrammar
from kotonia_desktop.engine.window_fit import (
    Cells,
    Fit,
    cell_cost,
    choose_fit,
    default_threads,
    machine_memory,
    on_one_side,
    rope_limit,
    smaller_cells,
    spare_bytes,
    trained_window,
    wished_cells,
    yarn_factor,
)

SEQUENCES = 4
_WEIGHTS_SHARE = 0.9
_TRIED = 4
"""More than one: a batch takes other paths through the processor than a single token."""


@dataclass(slots=True)
class Engine:
    """A model with all that answers from it. Owns their memory: `free`."""

    model: Model
    contexts: dict[Lane, Context]
    sequences: dict[Lane, CachedSequence]
    encoder: PromptEncoder
    samplers: Samplers
    loaded: LoadedModel
    stage: CachedSequence | None = None
    """The sequence in which the next beginning of a prompt is built; None where only the vocabulary is there."""
    fork: CachedSequence | None = None
    """For questions that are asked behind what the chronicler has read."""
    keeper: ChatKeeper | None = None

    def free(self) -> None:
        """Save the open conversation, and give all memory back, in the order llama.cpp wants."""
        if self.keeper is not None:
            self.keeper.park()
            self.keeper.close()
        self.samplers.free()
        for context in self.contexts.values():
            context.free()
        self.model.free()


def check_options(options: LoadOptions) -> GgufHeader:
    """What can be said before anything is unloaded: the file's header, the template's name. Raises `ModelError`."""
    header = read_header(options.path)
    if options.template and options.template != COMPLETION:
        family_grammar(options.template)
    return header


def load_engine(
    options: LoadOptions, header: GgufHeader, cells: Cells | None, progress: Callable[[float], bool]
) -> Engine:
    """Load. `cells` repeats the sizes of an earlier load; `progress` answers whether to go on. Raises `ModelError`."""
    started = time.monotonic()
    yarn = yarn_factor(header, options.window)
    trained = trained_window(header) * max(1, yarn)
    tuned = _recalled(options)
    options = _with(options, tuned)
    process = TemplateProcess() if _has_template_to_ask(header, options) else None
    try:
        model = _load_model(options, progress)
        try:
            if tuned is None and _may_tune(options):
                tuned, model = _tune(options, header, model, progress)
                options = _with(options, tuned)
            if options.vocabulary_only:
                fit = Fit(cells or wished_cells(options, trained), Shape(), WindowReason.ASKED)
            else:
                fit = choose_fit(options, header, trained, _shapes(options, yarn), SEQUENCES, cells)
            plain, thinking, health = _grammar(header, options, model, process)
            return _make_contexts(options, header, model, fit, (plain, thinking, health), started)
        except BaseException:
            model.free()
            raise
    finally:
        if process is not None:
            process.close()


def _may_tune(options: LoadOptions) -> bool:
    on_gpu = has_gpu() and options.gpu_layers != 0
    return bool(options.tuning) and not options.vocabulary_only and not on_gpu


def _recalled(options: LoadOptions) -> Tuned | None:
    if not _may_tune(options):
        return None
    with contextlib.suppress(OSError):
        return recall(Path(options.tuning), digest_of_model(options.path))
    return None


def _with(options: LoadOptions, tuned: Tuned | None) -> LoadOptions:
    """The options with what was found out, where they leave it open."""
    if tuned is None:
        return options
    return replace(
        options,
        # Weights that were never to be rearranged again (the process died over it) stay as they are.
        plain_weights=options.plain_weights or tuned.plain_weights,
        flash=tuned.flash if options.flash is None and not options.kv_type else options.flash,
        threads=options.threads or tuned.threads,
        step=options.step or tuned.step,
    )


def _tune(
    options: LoadOptions, header: GgufHeader, model: Model, progress: Callable[[float], bool]
) -> tuple[Tuned, Model]:
    """Find out how the model runs fastest, and remember it; the model to go on with."""
    free, total = machine_memory()
    make = None
    if not options.plain_weights and 2 * header.tensor_bytes + spare_bytes(total) < free + header.tensor_bytes:
        make = partial(_load_weights, options)
    cancelled = False

    def goes_on(share: float) -> bool:
        nonlocal cancelled
        cancelled = cancelled or not progress(_WEIGHTS_SHARE + (1 - _WEIGHTS_SHARE) * share)
        return not cancelled

    threads = options.threads or default_threads()
    tuned, chosen = Tuner(model, options.plain_weights, make, threads, goes_on).run()
    if cancelled:
        chosen.free()
        raise LoadCancelled
    with contextlib.suppress(OSError):
        remember(Path(options.tuning), digest_of_model(options.path), tuned)
    return tuned, chosen


def _load_weights(options: LoadOptions, plain_weights: bool) -> Model:
    return Model(options.path, options.gpu_layers, plain_weights=plain_weights)


def _load_model(options: LoadOptions, progress: Callable[[float], bool]) -> Model:
    cancelled = False

    def on_progress(value: float) -> bool:
        nonlocal cancelled
        cancelled = cancelled or not progress(value * _WEIGHTS_SHARE)
        return not cancelled

    try:
        model = Model(
            options.path,
            options.gpu_layers,
            on_progress,
            plain_weights=options.plain_weights,
            vocabulary_only=options.vocabulary_only,
        )
    except LlamaError as error:
        if cancelled:
            raise LoadCancelled from error
        raise ModelUnsupported(path=options.path, detail=str(error) or "llama.cpp refused it") from error
    if not options.vocabulary_only and (not model.has_decoder or model.has_encoder):
        model.free()
        raise ModelUnsupported(path=options.path, detail="it is no model that writes text in one pass")
    return model


def _make_contexts(
    options: LoadOptions,
    header: GgufHeader,
    model: Model,
    fit: Fit,
    grammar: tuple[TurnGrammar | None, TurnGrammar | None, TemplateHealth],
    started: float,
) -> Engine:
    contexts: dict[Lane, Context] = {}
    if not options.vocabulary_only:
        fit, contexts = _largest_contexts(options, header, model, fit)
    sizes = fit.cells
    cells = {Lane.CHAT: sizes.chat, Lane.MEMORY: sizes.memory}
    uses = {Lane.CHAT: Use.CHAT, Lane.MEMORY: Use.CHRONICLER}
    sequences = {lane: CachedSequence(context, 0, cells[lane], uses[lane]) for lane, context in contexts.items()}
    stage = fork = keeper = None
    if sequences:
        _try_out(sequences[Lane.MEMORY], model)
        stage, fork = (
            CachedSequence(contexts[Lane.MEMORY], number, sizes.memory, use)
            for number, use in ((1, Use.STAGE), (2, Use.FORK))
        )
        make_neighbours((sequences[Lane.MEMORY], stage, fork))
        limit = rope_limit(header)
        side = f"rope={int(sizes.chat > limit)}" if limit else ""
        snapshots = _snapshots(options, contexts[Lane.CHAT], side)
        keeper = ChatKeeper(sequences[Lane.CHAT], stage, snapshots)
    plain, thinking, health = grammar
    loaded = LoadedModel(
        path=options.path,
        # The file's name is what people know a model by; `general.name` is often left over from its training.
        name=Path(options.path).stem,
        architecture=header.architecture,
        parameters=model.parameters or header.parameters,
        file_bytes=header.file_bytes,
        trained_window=trained_window(header),
        chat_cells=sizes.chat,
        memory_cells=sizes.memory,
        tokenizer=header.tokenizer,
        template=health,
        thinks=thinking is not None,
        languages=header.texts("general.languages"),
        sampling=_sampling(header),
        rewind="checkpoint" if any(sequence.needs_checkpoints for sequence in sequences.values()) else "any",
        load_seconds=time.monotonic() - started,
        plain_weights=options.plain_weights,
        vocabulary_only=options.vocabulary_only,
        keys=fit.shape.key,
        values=fit.shape.value,
        flash=fit.shape.flash,
        step=fit.shape.step,
        threads=fit.shape.threads,
        window_reason=fit.reason,
        cells_mb=0 if options.vocabulary_only else cell_cost(header, SEQUENCES, fit.shape).of(sizes) // 2**20,
        tuned=_may_tune(options),
        yarn=fit.shape.yarn,
    )
    encoder = PromptEncoder(model, plain, thinking)
    return Engine(model, contexts, sequences, encoder, Samplers(model), loaded, stage, fork, keeper)


def _snapshots(options: LoadOptions, context: Context, side: str) -> SnapshotStore | None:
    """The snapshots of this way of running this model (`side`: by which factors it turns positions); None where none
    are wanted, or the file is gone already."""
    if not options.snapshots:
        return None
    try:
        model = digest_of_model(options.path)
    except OSError:
        return None
    weights = f"plain={int(options.plain_weights)} gpu={options.gpu_layers}"
    identity = f"{model} {library_version()} {context.shape} {weights} {side}".rstrip()
    return SnapshotStore(Path(options.snapshots), identity, options.snapshot_mb * 2**20)


def _try_out(sequence: CachedSequence, model: Model) -> None:
    """Read a few tokens. A processor that cannot do what it promises ends the process here, where the app expects it
    (it loads again with plain weights), and not in the middle of a reply."""
    token = max(model.bos, 0)
    for _ in sequence.read([token] * _TRIED, False):
        pass
    sequence.clear()


def _shapes(options: LoadOptions, yarn: int) -> list[Shape]:
    on_gpu = has_gpu() and options.gpu_layers != 0
    threads = options.threads or default_threads()
    return shapes(
        on_gpu=on_gpu, kv_type=options.kv_type, flash=options.flash, threads=threads, step=options.step, yarn=yarn
    )


def _largest_contexts(
    options: LoadOptions, header: GgufHeader, model: Model, fit: Fit
) -> tuple[Fit, dict[Lane, Context]]:
    """Both contexts, smaller where llama.cpp cannot have the memory and no window was asked for."""
    while True:
        fit = replace(fit, cells=on_one_side(fit.cells, rope_limit(header)))
        contexts: dict[Lane, Context] = {}
        try:
            for lane, cells in ((Lane.CHAT, fit.cells.chat), (Lane.MEMORY, fit.cells.memory)):
                contexts[lane] = Context(model, cells, SEQUENCES, fit.shape)
            return fit, contexts
        except LlamaError as error:
            for context in contexts.values():
                context.free()
            smaller = smaller_cells(fit.cells)
            if options.window or smaller == fit.cells:
                need = cell_cost(header, SEQUENCES, fit.shape).of(fit.cells) + header.tensor_bytes
                raise NotEnoughMemory(need_mb=need // 2**20, free_mb=machine_memory()[0] // 2**20) from error
            fit = Fit(smaller, fit.shape, WindowReason.MEMORY)


def _sampling(header: GgufHeader) -> SamplingDefaults:
    top_k = header.number("general.sampling.top_k", -1)
    return SamplingDefaults(
        temperature=header.real("general.sampling.temp"),
        top_k=top_k if top_k >= 0 else None,
        top_p=header.real("general.sampling.top_p"),
        min_p=header.real("general.sampling.min_p"),
        repeat_penalty=header.real("general.sampling.penalty_repeat"),
    )


def _has_template_to_ask(header: GgufHeader, options: LoadOptions) -> bool:
    template = header.text("tokenizer.chat_template")
    return not options.template and bool(template) and len(template.encode()) <= TEMPLATE_LIMIT


def _grammar(
    header: GgufHeader, options: LoadOptions, model: Model, process: TemplateProcess | None
) -> tuple[TurnGrammar | None, TurnGrammar | None, TemplateHealth]:
    """The grammar without and with thinking (None: plain text), and where it comes from."""
    if options.template == COMPLETION:
        return None, None, TemplateHealth(TemplateSource.COMPLETION, COMPLETION)
    if options.template:
        grammar = family_grammar(options.template)
        health = TemplateHealth(TemplateSource.OVERRIDE, options.template)
        return grammar, grammar if grammar.think_opener else None, health
    template = header.text("tokenizer.chat_template")
    family = family_of(template, header.architecture)
    if process is not None:
        taken = process.ask(template, _token_text(model, model.bos), _token_text(model, model.eos))
    else:
        taken = TakenGrammar(reason="too_long" if template else "missing")
    if taken.plain is not None:
        # An adapted template is still the file's: its marks are, only their place is the same everywhere.
        reason = "not_growing" if taken.adapted else ""
        return taken.plain, taken.thinking, TemplateHealth(TemplateSource.FILE, family, reason)
    grammar = FAMILIES[family]
    health = TemplateHealth(TemplateSource.FAMILY, family, taken.reason)
    return grammar, grammar if grammar.think_opener else None, health


def _token_text(model: Model, token: int) -> str:
    return model.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""
