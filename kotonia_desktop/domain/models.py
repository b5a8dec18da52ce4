"""What the app knows of a model: its file, its template's health, how it is loaded and sampled."""

from dataclasses import dataclass, field
from enum import StrEnum


class ReasoningMode(StrEnum):
    """What a model that thinks before it answers may do. Role-play wants `OFF`."""

    OFF = "off"
    SHORT = "short"
    """It may think for `LoadOptions.reasoning_budget` tokens, then the block is closed for it."""
    FREE = "free"


class TemplateSource(StrEnum):
    """Where the turn grammar comes from."""

    FILE = "file"
    """From the template in the GGUF, checked by probes."""
    FAMILY = "family"
    """Built in, by family: the file's template is missing or failed the probes."""
    OVERRIDE = "override"
    """Chosen by the user."""
    COMPLETION = "completion"
    """Plain text completion, for base models: no roles, names and colons."""


@dataclass(frozen=True, slots=True)
class TemplateHealth:
    """Which turn grammar is in use, and why not the file's own where it is not. `reason` is a code of `texts`.

    Reasons: "" (fine), `missing`, `syntax`, `not_growing`, `differs`, `refuses_roles`, `no_roles`, `too_slow`,
    `unsafe`, `too_long`. With `FILE` only `not_growing` occurs: the marks are the file's, but the template writes the
    opener of a reply (or the place of the system text) in two ways, and here it is the same everywhere.
    """

    source: TemplateSource
    name: str
    """The family's name, such as `chatml`; for `FILE` the family it looks like, or ""."""
    reason: str = ""


class WindowReason(StrEnum):
    """Why a window is as large as it is."""

    ASKED = "asked"
    TRAINED = "trained"
    """The model was trained for no more."""
    MOST = "most"
    """More than this tells no better stories, and costs."""
    MEMORY = "memory"
    """More does not fit into this machine's memory, beside what the system needs."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load a model. Zero means: choose."""

    path: str
    window: int = 0
    """Tokens of the chat context, at most what the model was trained for; the memory context gets three fifths of it
    beside. 0 takes what the model and the memory allow, 65,536 cells for both at most."""
    threads: int = 0
    gpu_layers: int = -1
    """-1: all that fit, where the build has a GPU backend."""
    template: str = ""
    """"" (the file's own), a family's name, or `completion`."""
    reasoning: ReasoningMode = ReasoningMode.OFF
    reasoning_budget: int = 150
    chat_cells: int = 0
    """Cells of the chat context; 0: five eighths of the window's cells."""
    kv_type: str = ""
    """`f16`, `q8_0` (half the memory, a little less exact), or "" (f16 where it fits)."""
    flash: bool | None = None
    """Flash attention; None: with a graphics card only."""
    step: int = 0
    """Tokens of one decode step, 0: 64 on a CPU, 512 on a graphics card."""
    breaks_off: bool = True
    """A background step is broken off when a reply is asked for. Without, the reply waits for it: for measuring."""
    plain_weights: bool = False
    """Leave the weights as the file has them, not rearranged for this processor: slower, but some virtual machines
    promise instructions (AMX) that end the process."""
    vocabulary_only: bool = False
    """Only the tokenizer is loaded: it counts, with the sizes it would have, and every other request is refused."""
    tuning: str = ""
    """File of what was found out about this machine and its models; where it says nothing of this one, that is found
    out while it is loaded, in seconds. "" leaves the defaults."""
    snapshots: str = ""
    """Folder for what was read of conversations, so that it need not be read again after a restart; "" keeps none."""
    snapshot_mb: int = 4096
    """MiB that folder may take."""


@dataclass(frozen=True, slots=True)
class SamplingDefaults:
    """Sampling values that the GGUF's author wrote into it (`general.sampling.*`); None where it says nothing."""

    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repeat_penalty: float | None = None


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is in memory and answers."""

    path: str
    name: str
    architecture: str
    parameters: int
    file_bytes: int
    trained_window: int
    chat_cells: int
    """Cells of the chat context: the room a conversation has, in tokens."""
    memory_cells: int
    tokenizer: str
    """Identity of the tokenizer: the same string means the same ids for the same text."""
    template: TemplateHealth
    thinks: bool
    """The template knows a reasoning block."""
    languages: tuple[str, ...] = ()
    """What `general.languages` says, as codes; empty where it says nothing."""
    sampling: SamplingDefaults = field(default_factory=SamplingDefaults)
    rewind: str = "any"
    """`any`, `checkpoint` (sliding window, recurrent, hybrid: rewinding restores a checkpoint or reads again)."""
    load_seconds: float = 0.0
    plain_weights: bool = False
    """The weights are not rearranged for this processor, because the engine died with those that were."""
    vocabulary_only: bool = False
    """Only its tokenizer is there: it counts and does nothing else."""
    keys: str = "f16"
    """The type of the keys in the cells, `values` that of the values."""
    values: str = "f16"
    flash: bool = False
    step: int = 64
    """Tokens of one decode step."""
    threads: int = 1
    window_reason: WindowReason = WindowReason.ASKED
    cells_mb: int = 0
    """MiB that both contexts were estimated to take, with what they compute in."""
    yarn: int = 0
    """How many times the trained window is stretched (YaRN), 0: not at all."""
    tuned: bool = False
    """How it runs was found out by measuring."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """The sampler chain's values. Each has a neutral value that switches it off, given in parentheses.

    Order: penalties, DRY, top-k, top-p, min-p, XTC, temperature, then the draw. Penalties and DRY see the
    character's own recent reply tokens only, never the card, the memory or the user: those hold the very names and
    numbers a reply is there to repeat.
    """

    temperature: float = 0.8
    """(0: greedy)"""
    top_k: int = 60
    """(0)"""
    top_p: float = 1.0
    """(1.0)"""
    min_p: float = 0.06
    """(0.0)"""
    repeat_penalty: float = 1.05
    """(1.0)"""
    repeat_last: int = 256
    """How many reply tokens the penalty sees."""
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    dry_multiplier: float = 0.8
    """(0.0)"""
    dry_base: float = 1.75
    dry_allowed_length: int = 3
    dry_last: int = 1024
    xtc_probability: float = 0.0
    """(0.0)"""
    xtc_threshold: float = 0.1
    seed: int = -1
    """-1: a new one for each reply; the one used is stored with the reply."""
    max_tokens: int = 400
    """A reply's limit; always set."""
    soft_landing: bool = True
    """From three quarters of `max_tokens` on a reply may end at the next sentence end."""
    stop: tuple[str, ...] = ()
