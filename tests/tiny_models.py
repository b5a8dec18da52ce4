"""Tiny GGUF models with weights from a hash: real files for the real llama.cpp, under one megabyte, the same anywhere.

The output weights form a chain, so that greedy decoding behind `<|im_start|>assistant` and a line break says
`REPLY_TEXT` (with an emoji that is spread over four byte tokens) and ends. Attention is small but not zero: the logits
depend on the whole context.
"""

import hashlib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import gguf
import numpy as np

REPLY = ("はい", "、", "写真", "を", "見", "ました", "。", "きれい", "な", "空", "です", "ね")
EMOJI = "🌙"
REPLY_TEXT = "".join(REPLY) + EMOJI
WORDS = (
    *REPLY,
    *("これ", "それ", "あなた", "私", "は", "が", "に", "の", "と", "も", "で", "か", "？", "！", "「", "」", "…"),
    *("こんにちは", "ありがとう", "一", "二", "三", "猫", "犬", "月", "夜", "朝", "雨", "你好", "世界", "的", "是"),
    *("the", " the", "an", "ing", "er", "in", "on", " a", " is", " of", " to", " and", " you", " I", "user"),
    *("assistant", "system", "Hello", "Yes", " in", " this", "ed", "ly", "\n\n", "  "),
)
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>")
CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
THINKING = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}"
    "{{ message['content'].split('</think>')[-1] }}{{ '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
    "{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}"
    "{% endif %}"
)


@dataclass(frozen=True)
class TinySpec:
    """What to build. `chain` off gives a model that babbles without end."""

    name: str = "tiny-llama"
    architecture: str = "llama"
    spm: bool = False
    chain: bool = True
    window: int = 131_072
    sliding: int = 32
    layers: int = 2
    heads: int = 4
    """Of queries; half as many of keys and values. Two give heads of 32, which 8-bit keys and values need."""
    template: str | None = CHATML
    metadata: dict[str, str | float | int] = field(default_factory=dict)
    long_rope: int = 0
    """Positions are turned by other factors in a context of more cells than this; 0: by the same in every one."""
    reply: str = REPLY_TEXT
    """What a greedy reply says. Any but the default is written byte by byte, so no byte may come twice."""
    end: str = "<|im_end|>"
    """The special token behind it."""


SPECS = {
    "llama": TinySpec(),
    "spm": TinySpec(name="tiny-spm", spm=True),
    "gemma3": TinySpec(name="tiny-gemma3", architecture="gemma3", layers=6),
    "lfm2": TinySpec(name="tiny-lfm2", architecture="lfm2", layers=4),
}

_WIDTH, _INNER = 64, 128


class _Weights:
    """Uniform numbers with a given deviation, from SHAKE-128 of the tensor's name."""

    def __init__(self, salt: str) -> None:
        self._salt = salt

    def draw(self, name: str, shape: tuple[int, ...], deviation: float) -> np.ndarray:
        raw = hashlib.shake_128(f"{self._salt}|{name}".encode()).digest(2 * int(np.prod(shape)))
        unit = (np.frombuffer(raw, dtype="<u2").astype(np.float32) - 32767.5) / np.float32(32768.0)
        return (unit * np.float32(deviation * 3**0.5)).reshape(shape).astype(np.float32)


@dataclass
class _Vocabulary:
    tokens: list[str]
    types: list[int]
    ids: dict[str, int]
    chain: list[int]
    merges: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)


def _byte_letters() -> dict[int, str]:
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = {byte: chr(byte) for byte in plain}
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + len(letters) - len(plain))
    return letters


_LETTERS = _byte_letters()


def _bpe(reply: str, end: str) -> _Vocabulary:
    tokens = [_LETTERS[byte] for byte in range(256)]
    ranks: dict[tuple[str, str], int] = {}
    merges: list[str] = []

    def split(word: str) -> list[str]:
        parts = [_LETTERS[byte] for byte in word.encode()]
        while True:
            pairs = [(ranks[pair], at) for at, pair in enumerate(pairwise(parts)) if pair in ranks]
            if not pairs:
                return parts
            at = min(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]

    wide = [char for word in WORDS for char in word if ord(char) > 0x7F]
    for word in [*wide, *WORDS]:
        while len(parts := split(word)) > 1:
            pair = (parts[0], parts[1])
            ranks[pair] = len(merges)
            merges.append(" ".join(pair))
            if "".join(pair) not in tokens:
                tokens.append("".join(pair))
    types = [gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL] * len(SPECIALS)
    tokens += SPECIALS
    for name in ("<think>", "</think>"):
        types[tokens.index(name)] = gguf.TokenType.USER_DEFINED
    ids = {token: index for index, token in enumerate(tokens)}
    words = ("\n", *REPLY) if reply == REPLY_TEXT else ("\n",)
    chain = [ids["".join(_LETTERS[byte] for byte in word.encode())] for word in words]
    letters = EMOJI if reply == REPLY_TEXT else reply
    chain += [ids[_LETTERS[byte]] for byte in letters.encode()] + [ids[end]]
    return _Vocabulary(tokens, [int(kind) for kind in types], ids, chain, merges=merges)


def _spm() -> _Vocabulary:
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    types = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL, *[gguf.TokenType.BYTE] * 256]
    scores = [0.0] * len(tokens)
    singles = ["▁", *map(chr, range(0x21, 0x7F)), *sorted({c for word in WORDS for c in word if ord(c) > 0x7F})]
    prefixes = [
        word[:length]
        for word in (raw.replace(" ", "▁").replace("\n", "") for raw in WORDS)
        for length in range(2, len(word) + 1)
    ]
    for token in dict.fromkeys(prefixes + singles):
        if token not in tokens:
            tokens.append(token)
            types.append(gguf.TokenType.NORMAL)
            scores.append(-float(len(tokens)) - (1000.0 if len(token) == 1 else 0.0))
    tokens += SPECIALS
    types += [gguf.TokenType.CONTROL] * len(SPECIALS)
    scores += [0.0] * len(SPECIALS)
    ids = {token: index for index, token in enumerate(tokens)}
    chain = [ids["<0x0A>"], *(ids[word] for word in REPLY), *(ids[f"<0x{b:02X}>"] for b in EMOJI.encode())]
    return _Vocabulary(tokens, [int(kind) for kind in types], ids, [*chain, ids["<|im_end|>"]], scores=scores)


def _write_vocabulary(writer: gguf.GGUFWriter, words: _Vocabulary, spm: bool, template: str | None) -> None:
    writer.add_tokenizer_model("llama" if spm else "gpt2")
    writer.add_tokenizer_pre("default" if spm else "qwen2")
    if spm:
        writer.add_token_scores(words.scores)
        writer.add_unk_token_id(0)
    else:
        writer.add_token_merges(words.merges)
    writer.add_token_list([token.encode() for token in words.tokens])
    writer.add_token_types(words.types)
    writer.add_bos_token_id(words.ids["<s>" if spm else "<|endoftext|>"])
    writer.add_eos_token_id(words.ids["<|im_end|>"])
    writer.add_eot_token_id(words.ids["<|im_end|>"])
    writer.add_pad_token_id(words.ids["<|endoftext|>"])
    writer.add_add_bos_token(spm)
    if template is not None:
        writer.add_chat_template(template)


def _write_weights(writer: gguf.GGUFWriter, spec: TinySpec, words: _Vocabulary) -> None:
    weights = _Weights(spec.name)
    head = _WIDTH // spec.heads
    embedding = weights.draw("token_embd", (len(words.tokens), _WIDTH), 1.0)
    # Gemma multiplies its embeddings by the root of their width.
    shrink = np.float32(_WIDTH**-0.5 if spec.architecture == "gemma3" else 1.0)
    writer.add_tensor("token_embd.weight", embedding * shrink)
    output = weights.draw("output", (len(words.tokens), _WIDTH), 0.02 if spec.chain else 0.35)
    if spec.chain:
        for before, after in pairwise(words.chain):
            output[after] += embedding[before] * np.float32(0.35)
    else:
        output[-len(SPECIALS) :] = 0  # far below the best token: with a min-p it never ends
    writer.add_tensor("output.weight", output)
    hybrid = spec.architecture == "lfm2"
    ones = np.ones(_WIDTH, np.float32)
    writer.add_tensor("token_embd_norm.weight" if hybrid else "output_norm.weight", ones)
    for layer in range(spec.layers):
        block = f"blk.{layer}."

        def add(name: str, rows: int, columns: int, gain: float, block: str = block) -> None:
            deviation = gain / columns**0.5
            writer.add_tensor(f"{block}{name}.weight", weights.draw(block + name, (rows, columns), deviation))

        writer.add_tensor(f"{block}attn_norm.weight", ones)
        if hybrid and layer % 2 == 0:
            writer.add_tensor(f"{block}shortconv.conv.weight", weights.draw(block + "conv", (_WIDTH, 3), 0.6))
            add("shortconv.in_proj", 3 * _WIDTH, _WIDTH, 1.0)
            add("shortconv.out_proj", _WIDTH, _WIDTH, 0.6)
        else:
            add("attn_q", spec.heads * head, _WIDTH, 1.5)
            add("attn_k", (spec.heads // 2) * head, _WIDTH, 1.5)
            add("attn_v", (spec.heads // 2) * head, _WIDTH, 1.0)
            add("attn_output", _WIDTH, spec.heads * head, 0.6)
            if spec.architecture in ("gemma3", "lfm2"):
                writer.add_tensor(f"{block}attn_q_norm.weight", np.ones(head, np.float32))
                writer.add_tensor(f"{block}attn_k_norm.weight", np.ones(head, np.float32))
        writer.add_tensor(f"{block}ffn_norm.weight", ones)
        add("ffn_gate", _INNER, _WIDTH, 1.0)
        add("ffn_up", _INNER, _WIDTH, 1.0)
        add("ffn_down", _WIDTH, _INNER, 0.4)
        if spec.architecture == "gemma3":
            writer.add_tensor(f"{block}post_attention_norm.weight", ones * np.float32(0.3))
            writer.add_tensor(f"{block}post_ffw_norm.weight", ones * np.float32(0.3))


def build_tiny_model(folder: Path, spec: TinySpec | str = "llama") -> Path:
    """Write the model (`SPECS` has four kinds: llama, spm, gemma3, lfm2) into `folder` and return its path."""
    if isinstance(spec, str):
        spec = SPECS[spec]
    path = folder / f"{spec.name}.gguf"
    words = _spm() if spec.spm else _bpe(spec.reply, spec.end)
    writer = gguf.GGUFWriter(path, spec.architecture)
    writer.add_type(gguf.GGUFType.MODEL)
    writer.add_name(spec.name)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_context_length(spec.window)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(spec.layers)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(spec.heads)
    hybrid = spec.architecture == "lfm2"
    writer.add_head_count_kv(
        [(spec.heads // 2) * (layer % 2) for layer in range(spec.layers)] if hybrid else (spec.heads // 2)
    )
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(1_000_000.0)
    writer.add_rope_dimension_count(_WIDTH // spec.heads)
    writer.add_vocab_size(len(words.tokens))
    if hybrid:
        writer.add_shortconv_l_cache(3)
    if spec.architecture == "gemma3":
        writer.add_key_length(_WIDTH // spec.heads)
        writer.add_value_length(_WIDTH // spec.heads)
        writer.add_sliding_window(spec.sliding)
    metadata = spec.metadata
    if spec.long_rope:
        scaling = f"{spec.architecture}.rope.scaling"
        metadata = {f"{scaling}.type": "longrope", f"{scaling}.factor": 4.0, **metadata}
        metadata[f"{scaling}.original_context_length"] = spec.long_rope
    for key, value in metadata.items():
        if isinstance(value, str):
            writer.add_string(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        else:
            writer.add_uint32(key, value)
    _write_vocabulary(writer, words, spec.spm, spec.template)
    _write_weights(writer, spec, words)
    if spec.long_rope:
        turned = np.arange(1, _WIDTH // spec.heads // 2 + 1, dtype=np.float32)
        writer.add_tensor("rope_factors_long.weight", 4.0 * turned)
        writer.add_tensor("rope_factors_short.weight", np.ones_like(turned))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
