"""Every setting, declared once: key, kind, default, range, English title and explanation. The window's page and the
command line come from this list. Values live in the store as JSON.
"""

from dataclasses import dataclass
from typing import Literal

from kotonia_desktop.domain.errors import SettingInvalid
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.domain.models import ReasoningMode, Sampling, SamplingDefaults
from kotonia_desktop.store.worker import StoreThread

Value = str | int | float | bool
Kind = Literal["text", "choice", "int", "float", "bool"]


@dataclass(frozen=True, slots=True)
class SettingDef:
    """A setting. `minimum` and `maximum` bound numbers; `choices` are the values of a choice."""

    key: str
    kind: Kind
    default: Value
    title: str
    explanation: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


_AUTO = -1.0
DEFINITIONS: tuple[SettingDef, ...] = (
    SettingDef(
        "ui.language",
        "choice",
        "",
        "Language",
        "The language of the window. Empty: the system's.",
        ("", "en", "ja", "zh"),
    ),
    SettingDef("ui.theme", "choice", "system", "Theme", "Light or dark page.", ("system", "light", "dark")),
    SettingDef(
        "ui.send_key",
        "choice",
        "",
        "Send with",
        "The key that sends a message; the other one begins a new line. Empty: ask.",
        ("", "enter", "ctrl_enter"),
    ),
    SettingDef("ui.text_scale", "int", 100, "Text size", "Size of the conversation's text, in percent.", (), 85, 200),
    SettingDef("ui.show_thoughts", "bool", True, "Show thoughts", "Show what characters think without saying it."),
    SettingDef("model.path", "text", "", "Model", "The GGUF file that is loaded at start."),
    SettingDef(
        "model.window", "int", 0, "Window", "Tokens the model sees at once. 0: as many as fit.", (), 0, 1_048_576
    ),
    SettingDef(
        "model.template",
        "text",
        "",
        "Chat template",
        "How turns are marked. Empty: the file's own. `completion`: plain text, for base models.",
    ),
    SettingDef(
        "model.reasoning",
        "choice",
        "off",
        "Thinking before the reply",
        "For models that reason: off, a short block that is closed for them, or as long as they like.",
        ("off", "short", "free"),
    ),
    SettingDef(
        "model.reasoning_budget",
        "int",
        150,
        "Thinking budget",
        "Tokens of a short thinking block.",
        (),
        16,
        4096,
    ),
    SettingDef(
        "model.snapshot_mb",
        "int",
        4096,
        "Room for what was read",
        "MiB of disk for what the model has read of conversations, so that opening one takes no time. It holds their "
        "content, for your account alone. 0: keep nothing.",
        (),
        0,
        1_048_576,
    ),
    SettingDef(
        "chat.persona_guard",
        "bool",
        True,
        "Don't play me",
        "A reply ends before the first line that speaks or acts as you; what was cut can be shown.",
    ),
    SettingDef(
        "memory.wait",
        "float",
        20.0,
        "Quiet before a chapter",
        "Seconds without typing, scrolling or a reply before old messages are written into memory. It shrinks to 0 as "
        "the room fills.",
        (),
        0,
        3600,
    ),
    SettingDef(
        "memory.recall",
        "bool",
        True,
        "Bring back old lines",
        "Old lines that a message calls for are shown to the model again, word for word, before that message: at most "
        "350 tokens, in at most one turn of four unless you ask.",
    ),
    SettingDef("reply.max_tokens", "int", 400, "Reply length", "Most tokens of one reply.", (), 16, 4096),
    SettingDef(
        "reply.soft_landing",
        "bool",
        True,
        "Tidy endings",
        "A reply near its length ends with its sentence instead of in the middle of one.",
    ),
    SettingDef(
        "sampling.temperature",
        "float",
        _AUTO,
        "Temperature",
        "How freely the model chooses. 0: always the likeliest. -1: what the model's author advises.",
        (),
        -1,
        5,
    ),
    SettingDef(
        "sampling.top_k", "int", -1, "Top k", "Choose among the k likeliest only. 0: off. -1: advised.", (), -1, 1000
    ),
    SettingDef(
        "sampling.top_p",
        "float",
        _AUTO,
        "Top p",
        "Choose among the likeliest that make up this share. 1: off. -1: advised.",
        (),
        -1,
        1,
    ),
    SettingDef(
        "sampling.min_p",
        "float",
        _AUTO,
        "Min p",
        "Leave out what is less likely than this share of the likeliest. 0: off. -1: advised.",
        (),
        -1,
        1,
    ),
    SettingDef(
        "sampling.repeat_penalty",
        "float",
        _AUTO,
        "Repetition penalty",
        "Discourages words of the character's own recent replies. 1: off. -1: advised.",
        (),
        -1,
        2,
    ),
    SettingDef(
        "sampling.presence_penalty", "float", 0.0, "Presence penalty", "Discourages any word used already.", (), -2, 2
    ),
    SettingDef(
        "sampling.frequency_penalty",
        "float",
        0.0,
        "Frequency penalty",
        "Discourages words by how often they were used.",
        (),
        -2,
        2,
    ),
    SettingDef(
        "sampling.dry_multiplier", "float", 0.8, "DRY", "Discourages repeating whole phrases. 0: off.", (), 0, 5
    ),
    SettingDef(
        "sampling.xtc_probability",
        "float",
        0.0,
        "XTC probability",
        "How often the likeliest choices are left out. 0: off.",
        (),
        0,
        1,
    ),
    SettingDef(
        "sampling.xtc_threshold", "float", 0.1, "XTC threshold", "From which likelihood XTC leaves out.", (), 0, 0.5
    ),
    SettingDef("sampling.seed", "int", -1, "Random seed", "-1: a new one for each reply.", (), -1, 2**31 - 1),
    SettingDef(
        "sampling.stop",
        "text",
        "",
        "Stop strings",
        "A reply ends before any of these; one a line.",
        (),
    ),
)
_BY_KEY = {definition.key: definition for definition in DEFINITIONS}


class SettingsService:
    """Reads and writes settings. Values that were never set are the defaults."""

    def __init__(self, store: StoreThread) -> None:
        self._store = store
        self._values: dict[str, Value] = {}
        for key, value in store.run(lambda s: s.all_settings()).items():
            if key in _BY_KEY and isinstance(value, str | int | float | bool):
                self._values[key] = value

    def definitions(self) -> tuple[SettingDef, ...]:
        """Every setting there is."""
        return DEFINITIONS

    def get(self, key: str) -> Value:
        """The value of `key`; its default where it was never set."""
        return self._values.get(key, _BY_KEY[key].default)

    def text(self, key: str) -> str:
        """The value of a text or choice."""
        return str(self.get(key))

    def number(self, key: str) -> float:
        """The value of a number."""
        value = self.get(key)
        return value if isinstance(value, int | float) else 0.0

    def flag(self, key: str) -> bool:
        """The value of a switch."""
        return self.get(key) is True

    def set(self, key: str, value: Value) -> Changes:
        """Store a value. Raises `SettingInvalid` where it is of another kind or outside its range."""
        checked = _checked(key, value)
        self._store.run(lambda s: s.set_setting(key, checked))
        self._values[key] = checked
        return Changes(settings=(key,))

    def override(self, key: str, value: Value) -> None:
        """Use a value until the program ends, without storing it. Raises `SettingInvalid`."""
        self._values[key] = _checked(key, value)

    def sampling(self, advised: SamplingDefaults | None = None) -> Sampling:
        """The sampler's values: the user's where set, else what the model's file advises, else ours."""
        advice = advised or SamplingDefaults()
        ours = Sampling()

        def pick(key: str, advised_value: float | None, own: float) -> float:
            mine = self.number(f"sampling.{key}")
            if mine >= 0:
                return mine
            return own if advised_value is None else advised_value

        return Sampling(
            temperature=pick("temperature", advice.temperature, ours.temperature),
            top_k=int(pick("top_k", advice.top_k, ours.top_k)),
            top_p=pick("top_p", advice.top_p, ours.top_p),
            min_p=pick("min_p", advice.min_p, ours.min_p),
            repeat_penalty=pick("repeat_penalty", advice.repeat_penalty, ours.repeat_penalty),
            presence_penalty=self.number("sampling.presence_penalty"),
            frequency_penalty=self.number("sampling.frequency_penalty"),
            dry_multiplier=self.number("sampling.dry_multiplier"),
            xtc_probability=self.number("sampling.xtc_probability"),
            xtc_threshold=self.number("sampling.xtc_threshold"),
            seed=int(self.number("sampling.seed")),
            max_tokens=int(self.number("reply.max_tokens")),
            soft_landing=self.flag("reply.soft_landing"),
            stop=tuple(line for line in self.text("sampling.stop").splitlines() if line),
        )

    def reasoning(self) -> ReasoningMode:
        """What a model that reasons may do."""
        return ReasoningMode(self.text("model.reasoning"))


def _checked(key: str, value: Value) -> Value:
    definition = _BY_KEY.get(key)
    if definition is None:
        raise SettingInvalid(name=key, value=str(value), detail="there is no such setting")
    if definition.kind == "bool":
        if not isinstance(value, bool):
            raise SettingInvalid(name=key, value=str(value), detail="it is true or false")
        return value
    if definition.kind in ("text", "choice"):
        text = str(value)
        if definition.choices and text not in definition.choices:
            raise SettingInvalid(name=key, value=text, detail="choose " + ", ".join(definition.choices))
        return text
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingInvalid(name=key, value=str(value), detail="it is a number")
    number = int(value) if definition.kind == "int" else float(value)
    low, high = definition.minimum, definition.maximum
    if (low is not None and number < low) or (high is not None and number > high) or number != number:
        raise SettingInvalid(name=key, value=number, detail=f"it lies between {low} and {high}")
    return number
