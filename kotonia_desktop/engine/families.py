"""Turn grammars by model family, for files whose own template is missing or cannot be used.

The marks are those of the families' published chat formats. `completion` is for base models: no roles, but names and
colons.
"""

from typing import Final

from kotonia_desktop.domain.errors import UnknownTemplate
from kotonia_desktop.engine.turn_grammar import TurnGrammar

CHATML: Final = "chatml"
COMPLETION: Final = "completion"


def _grammar(
    start: str,
    system: tuple[str, str] | None,
    user: tuple[str, str],
    reply: tuple[str, str],
    think_opener: str = "",
    tags: tuple[str, str] = ("<think>", "</think>"),
) -> TurnGrammar:
    """Marks from the pair around each role's text; without a system pair its text stands in the first user turn."""
    if system is None:
        start_system, system_user = start + user[0], "\n\n"
    else:
        start_system, system_user = start + system[0], system[1] + user[0]
    return TurnGrammar(
        start_system=start_system,
        start_user=start + user[0],
        system_user=system_user,
        user_reply=user[1] + reply[0],
        reply_user=reply[1] + user[0],
        think_opener=user[1] + think_opener if think_opener else "",
        think_open=tags[0],
        think_close=tags[1],
    )


_CHATML_USER = ("<|im_start|>user\n", "<|im_end|>\n")
_CHATML_SYSTEM = ("<|im_start|>system\n", "<|im_end|>\n")
_NO_THINK = "<think>\n\n</think>\n\n"

FAMILIES: Final[dict[str, TurnGrammar]] = {
    CHATML: _grammar("", _CHATML_SYSTEM, _CHATML_USER, ("<|im_start|>assistant\n", "<|im_end|>\n")),
    "qwen3": _grammar(
        "",
        _CHATML_SYSTEM,
        _CHATML_USER,
        (f"<|im_start|>assistant\n{_NO_THINK}", "<|im_end|>\n"),
        "<|im_start|>assistant\n<think>\n",
    ),
    "llama3": _grammar(
        "<|begin_of_text|>",
        ("<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"),
        ("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"),
    ),
    "llama2": TurnGrammar(
        start_system="<s>[INST] <<SYS>>\n",
        start_user="<s>[INST] ",
        system_user="\n<</SYS>>\n\n",
        user_reply=" [/INST] ",
        reply_user=" </s><s>[INST] ",
    ),
    "mistral": _grammar("<s>", None, ("[INST] ", " [/INST]"), (" ", "</s>")),
    "mistral-v7": _grammar("<s>", ("[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"), ("[INST]", "[/INST]"), ("", "</s>")),
    "gemma": _grammar(
        "<bos>", None, ("<start_of_turn>user\n", "<end_of_turn>\n"), ("<start_of_turn>model\n", "<end_of_turn>\n")
    ),
    "phi3": _grammar(
        "",
        ("<|system|>\n", "<|end|>\n"),
        ("<|user|>\n", "<|end|>\n"),
        ("<|assistant|>\n", "<|end|>\n"),
    ),
    "phi4": _grammar(
        "",
        ("<|im_start|>system<|im_sep|>", "<|im_end|>"),
        ("<|im_start|>user<|im_sep|>", "<|im_end|>"),
        ("<|im_start|>assistant<|im_sep|>", "<|im_end|>"),
    ),
    "command-r": _grammar(
        "<BOS_TOKEN>",
        ("<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
        ("<|START_OF_TURN_TOKEN|><|USER_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
        ("<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
    ),
    "deepseek": _grammar(
        "<｜begin▁of▁sentence｜>",
        ("", ""),
        ("<｜User｜>", ""),
        (f"<｜Assistant｜>{_NO_THINK}", "<｜end▁of▁sentence｜>"),
        "<｜Assistant｜><think>\n",
    ),
    "glm": _grammar(
        "[gMASK]<sop>",
        ("<|system|>\n", ""),
        ("<|user|>\n", ""),
        ("<|assistant|>\n<think></think>\n", ""),
        "<|assistant|>\n<think>",
    ),
    "granite": _grammar(
        "",
        ("<|start_of_role|>system<|end_of_role|>", "<|end_of_text|>\n"),
        ("<|start_of_role|>user<|end_of_role|>", "<|end_of_text|>\n"),
        ("<|start_of_role|>assistant<|end_of_role|>", "<|end_of_text|>\n"),
    ),
    "harmony": _grammar(
        "",
        ("<|start|>developer<|message|># Instructions\n\n", "<|end|>"),
        ("<|start|>user<|message|>", "<|end|>"),
        ("<|start|>assistant<|channel|>final<|message|>", "<|end|>"),
        "<|start|>assistant<|channel|>analysis<|message|>",
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ),
    "vicuna": _grammar("<s>", ("", "\n\n"), ("USER: ", "\n"), ("ASSISTANT: ", "</s>\n")),
    "alpaca": _grammar("", ("", "\n\n"), ("### Instruction:\n", "\n\n"), ("### Response:\n", "\n\n")),
}
"""The built-in grammars by the names a user may choose."""

_BY_MARK: Final = (
    ("<|im_sep|>", "phi4"),
    ("<|start_header_id|>", "llama3"),
    ("<|start_of_role|>", "granite"),
    ("<|START_OF_TURN_TOKEN|>", "command-r"),
    ("<|channel|>", "harmony"),
    ("<start_of_turn>", "gemma"),
    ("<｜Assistant｜>", "deepseek"),
    ("[gMASK]", "glm"),
    ("[SYSTEM_PROMPT]", "mistral-v7"),
    ("<<SYS>>", "llama2"),
    ("[INST]", "mistral"),
    ("<|end|>", "phi3"),
    ("### Instruction", "alpaca"),
    ("ASSISTANT:", "vicuna"),
)
_BY_ARCHITECTURE: Final = {
    "qwen3": "qwen3",
    "qwen3moe": "qwen3",
    "gemma": "gemma",
    "gemma2": "gemma",
    "gemma3": "gemma",
    "gemma3n": "gemma",
    "phi3": "phi3",
    "command-r": "command-r",
    "cohere2": "command-r",
    "deepseek2": "deepseek",
    "glm4": "glm",
    "glm4moe": "glm",
    "granite": "granite",
    "granitemoe": "granite",
    "gpt-oss": "harmony",
    "llama4": "llama3",
}


def family_of(template: str, architecture: str) -> str:
    """The family a template's text looks like; where it says nothing, that of the architecture; else ChatML."""
    if "<|im_start|>" in template and "<|im_sep|>" not in template:
        return "qwen3" if "<think>" in template else CHATML
    for mark, family in _BY_MARK:
        if mark in template:
            return family
    return CHATML if template else _BY_ARCHITECTURE.get(architecture, CHATML)


def family_grammar(name: str) -> TurnGrammar:
    """A built-in grammar by its name. Raises `UnknownTemplate`."""
    if name not in FAMILIES:
        raise UnknownTemplate(name=name, known=", ".join([*FAMILIES, COMPLETION]))
    return FAMILIES[name]
