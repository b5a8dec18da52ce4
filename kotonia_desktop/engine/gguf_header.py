"""Reads and checks the header of a GGUF file before llama.cpp sees it.

A wrong download must be named for what it is, and numbers in a header must not drive anybody's arithmetic. Format:
the GGUF specification (`docs/gguf.md` of the ggml repository), versions 2 and 3, little endian.
"""

import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final, cast

from kotonia_desktop.domain.errors import (
    ModelDamaged,
    ModelFileMissing,
    ModelFileUnreadable,
    ModelTruncated,
    ModelUnsupported,
    NotAModel,
)
from kotonia_desktop.engine.tensor_types import TENSOR_TYPES

HEADER_LIMIT: Final = 64 * 2**20
STRING_LIMIT: Final = 16 * 2**20
ARRAY_LIMIT: Final = 4_000_000
COUNT_LIMIT: Final = 100_000
ALIGNMENT_LIMIT: Final = 4096
NAME_LIMIT: Final = 63
"""Letters in a tensor's name: ggml's own limit less its end mark."""

_KEPT_ARRAY = 1024
_STRING, _ARRAY = 8, 9
_NUMBERS: Final = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_INTEGERS: Final = (0, 1, 2, 3, 4, 5, 10, 11)
_FLOAT32, _INT32, _UINT32 = 6, 5, 4
_LONG_ROPE = b"rope_factors_long.weight"

Value = str | int | float | bool | tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a file says of itself. Of long arrays (the tokenizer's) only the start is kept."""

    path: str
    version: int
    file_bytes: int
    values: dict[str, Value]
    tensors: int
    tensor_bytes: int
    tokenizer: str
    """A hash of the tokenizer's values: the same for files that give the same ids for the same text."""
    parameters: int = 0
    """Numbers in all tensors."""
    long_rope: bool = False
    """It holds two kinds of factors by which positions are turned, one for longer contexts."""

    def text(self, key: str) -> str:
        """A value as text, "" where it is none."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""

    def number(self, key: str, default: int = 0) -> int:
        """A value as a whole number, `default` where it is none."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def real(self, key: str) -> float | None:
        """A value as a number, None where it is none."""
        value = self.values.get(key)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """An array of texts, empty where it is none."""
        value = self.values.get(key, ())
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, tuple) else ()

    def numbers(self, key: str) -> tuple[int, ...]:
        """An array of whole numbers, or one number as such an array; empty where it is neither."""
        value = self.values.get(key, ())
        if isinstance(value, tuple):
            return tuple(int(item) for item in value if isinstance(item, int))
        return (value,) if isinstance(value, int) and not isinstance(value, bool) else ()

    @property
    def architecture(self) -> str:
        """Such as `llama`."""
        return self.text("general.architecture")


class _Ended(Exception):
    """The file ends inside its header; `need` is the least size it should have."""

    def __init__(self, need: int) -> None:
        super().__init__(need)
        self.need = need


class _Damaged(Exception):
    """The text says what is wrong."""


class _Unsupported(Exception):
    """The text says what this engine does not know."""


class _Reader:
    """Takes values off the front of a file; reads no more of it than it has to."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._data = bytearray()
        self.at = 0

    def need(self, count: int) -> None:
        """Have the next `count` bytes at hand."""
        end = self.at + count
        if end <= len(self._data):
            return
        if end > self._size:
            raise _Ended(end)
        if end > HEADER_LIMIT:
            raise _Damaged(f"it is larger than {HEADER_LIMIT // 2**20} MB")
        self._data += self._file.read(max(end - len(self._data), min(2**20, self._size - len(self._data))))
        if end > len(self._data):
            raise _Ended(end)

    def take(self, code: str) -> int | float | bool:
        """One number of a `struct` code."""
        layout = struct.Struct("<" + code)
        self.need(layout.size)
        value = layout.unpack_from(self._data, self.at)[0]
        self.at += layout.size
        return cast("int | float | bool", value)

    def take_count(self, code: str = "Q") -> int:
        """One number that counts something."""
        return int(self.take(code))

    def take_bytes(self) -> bytes:
        """A text's bytes."""
        length = self.take_count()
        if length > STRING_LIMIT:
            raise _Damaged(f"a text is said to be {length} bytes long")
        self.need(length)
        self.at += length
        return bytes(self._data[self.at - length : self.at])

    def skip(self, count: int) -> None:
        """Pass over `count` bytes."""
        self.need(count)
        self.at += count

    def since(self, start: int) -> bytes:
        """The bytes from `start` to where it stands."""
        return bytes(self._data[start : self.at])


def _take_array(reader: _Reader, key: str, check: Callable[[str, bytes], None]) -> tuple[tuple[Value, ...], int, int]:
    kind, length = reader.take_count("I"), reader.take_count()
    if length > ARRAY_LIMIT:
        raise _Damaged(f"the list {key} is said to have {length} entries")
    if kind == _STRING:
        kept = []
        for index in range(length):
            text = reader.take_bytes()
            check(key, text)
            if index < _KEPT_ARRAY:
                kept.append(text.decode("utf-8", "replace"))
        return tuple(kept), length, kind
    if kind not in _NUMBERS:
        raise _Damaged(f"the list {key} holds values of the unknown kind {kind}")
    width = struct.calcsize("<" + _NUMBERS[kind])
    reader.need(width * length)
    numbers = tuple(reader.take(_NUMBERS[kind]) for _ in range(min(length, _KEPT_ARRAY)))
    reader.skip(width * (length - len(numbers)))
    return numbers, length, kind


def _check_token(key: str, text: bytes) -> None:
    # llama.cpp reads the two digits of a byte token without looking whether they are some.
    if key == "tokenizer.ggml.tokens" and text.startswith(b"<0x") and text.endswith(b">"):
        digits = text[3:-1]
        if len(digits) != 2 or any(digit not in b"0123456789ABCDEFabcdef" for digit in digits):
            raise _Damaged("a byte token of its tokenizer is malformed")


def _check_tokenizer(lengths: dict[str, int], kinds: dict[str, int]) -> None:
    tokens = lengths.get("tokenizer.ggml.tokens", 0)
    wanted = {
        "tokenizer.ggml.tokens": (_STRING,),
        "tokenizer.ggml.merges": (_STRING,),
        "tokenizer.ggml.scores": (_FLOAT32,),
        "tokenizer.ggml.token_type": (_INT32, _UINT32),
    }
    for key, allowed in wanted.items():
        if key in kinds and kinds[key] not in allowed:
            raise _Damaged(f"the list {key} holds values of the wrong kind")
    for key in ("tokenizer.ggml.scores", "tokenizer.ggml.token_type"):
        if key in lengths and lengths[key] != tokens:
            raise _Damaged(f"the list {key} has {lengths[key]} entries for {tokens} tokens")


def _take_values(reader: _Reader, count: int) -> tuple[dict[str, Value], str]:
    tokenizer = hashlib.blake2b(digest_size=16)
    values: dict[str, Value] = {}
    lengths: dict[str, int] = {}
    kinds: dict[str, int] = {}
    for _ in range(count):
        key = reader.take_bytes().decode("utf-8", "replace")
        if not key or key in values:
            raise _Damaged("a key is empty" if not key else f"the key {key} stands there twice")
        start = reader.at
        kind = reader.take_count("I")
        if kind == _STRING:
            values[key] = reader.take_bytes().decode("utf-8", "replace")
        elif kind == _ARRAY:
            kept, lengths[key], kinds[key] = _take_array(reader, key, _check_token)
            values[key] = cast("Value", kept)
        elif kind in _NUMBERS:
            values[key] = reader.take(_NUMBERS[kind])
        else:
            raise _Damaged(f"the key {key} has a value of the unknown kind {kind}")
        if key == "general.alignment" and kind not in _INTEGERS:
            raise _Damaged("its alignment is no number")
        if key.startswith("tokenizer.ggml."):
            tokenizer.update(key.encode() + reader.since(start))
    _check_tokenizer(lengths, kinds)
    return values, tokenizer.hexdigest()


def _alignment(values: dict[str, Value]) -> int:
    value = values.get("general.alignment", 32)
    if not isinstance(value, int) or not 0 < value <= ALIGNMENT_LIMIT or value & (value - 1):
        raise _Damaged("its alignment is no power of two up to 4096")
    return value


def _take_tensors(reader: _Reader, count: int, alignment: int, size: int) -> tuple[int, int, bool]:
    """Bytes of all tensors, how many numbers they hold, and whether LongRoPE's factors are among them. Raises `_Ended`
    where they reach behind the file's end."""
    names: set[bytes] = set()
    spans: list[tuple[int, int]] = []
    parameters = 0
    for _ in range(count):
        name = reader.take_bytes()
        if name in names or not 0 < len(name) <= NAME_LIMIT:
            raise _Damaged("a tensor's name is empty, too long, or used twice")
        names.add(name)
        dimensions = reader.take_count("I")
        if not 1 <= dimensions <= 4:
            raise _Damaged(f"a tensor has {dimensions} dimensions")
        shape = [int(reader.take("q")) for _ in range(dimensions)]
        kind, offset = reader.take_count("I"), reader.take_count()
        if min(shape) < 1:
            raise _Damaged("a tensor has an empty dimension")
        if kind not in TENSOR_TYPES:
            raise _Unsupported(f"its weights are stored in the unknown type {kind}")
        block, width = TENSOR_TYPES[kind]
        if shape[0] % block:
            raise _Damaged("a tensor's rows are no whole number of blocks")
        elements = 1
        for length in shape:
            elements *= length
        if elements >= 2**62 or offset % alignment:
            raise _Damaged("a tensor's size or place is impossible")
        spans.append((offset, elements // block * width))
        parameters += elements
    start = (reader.at + alignment - 1) // alignment * alignment
    ends = [start + offset + length for offset, length in spans]
    total = sum(length for _, length in spans)
    if ends and max(ends) > size:
        # Where the tensors stand back to back the file is whole but for its end; else the numbers are nonsense.
        if max(ends) <= start + total + alignment * count:
            raise _Ended(max(ends))
        raise _Damaged("a tensor lies outside the file")
    return total, parameters, _LONG_ROPE in names


def _first_bytes(start: bytes) -> str:
    head = start.lstrip()[:64].lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page"
    if head.startswith(b"version https://git-lfs"):
        return "a Git LFS pointer (the name of the model, not the model)"
    if start[:2] == b"PK":
        return "a ZIP archive"
    if start[:4] in (b"FUGG", b"tjgg", b"GGML", b"lmgg", b"ggml", b"ggjt"):
        return "an older or foreign model format"
    if start and all(byte >= 32 or byte in b"\t\r\n" for byte in start[:64]):
        return "plain text"
    return "other data" if start else "nothing (it is empty)"


def read_header(path: str) -> GgufHeader:
    """Read and check the header of a model file.

    Raises `ModelFileMissing`, `ModelFileUnreadable`, `NotAModel`, `ModelTruncated`, `ModelDamaged`, `ModelUnsupported`.
    """
    if Path(path).is_dir():
        raise ModelFileUnreadable(path=path, detail="it is a folder")
    if not Path(path).is_file():
        raise ModelFileMissing(path=path)
    try:
        with Path(path).open("rb") as file:
            return _read(file, path, Path(path).stat().st_size)
    except OSError as error:
        raise ModelFileUnreadable(path=path, detail=error.strerror or type(error).__name__) from error


def _read(file: BinaryIO, path: str, size: int) -> GgufHeader:
    start = file.read(64)
    file.seek(0)
    if start[:4] != b"GGUF":
        if 0 < size < 4 and b"GGUF".startswith(start):
            raise ModelTruncated(path=path, have=size, need=24)
        raise NotAModel(path=path, found=_first_bytes(start))
    reader = _Reader(file, size)
    try:
        reader.skip(4)
        version = reader.take_count("I")
        if version not in (2, 3):
            raise ModelUnsupported(path=path, detail=f"GGUF version {version}")
        tensors, keys = reader.take_count(), reader.take_count()
        if tensors > COUNT_LIMIT or keys > COUNT_LIMIT:
            raise _Damaged(f"it claims {tensors} tensors and {keys} keys")
        values, tokenizer = _take_values(reader, keys)
        header = GgufHeader(path, version, size, values, tensors, 0, tokenizer)
        _refuse_what_is_no_chat_model(header)
        tensor_bytes, parameters, long_rope = _take_tensors(reader, tensors, _alignment(values), size)
    except _Ended as ended:
        raise ModelTruncated(path=path, have=size, need=ended.need) from ended
    except _Unsupported as unknown:
        raise ModelUnsupported(path=path, detail=str(unknown)) from unknown
    except _Damaged as damaged:
        raise ModelDamaged(path=path, detail=str(damaged)) from damaged
    return replace(header, tensor_bytes=tensor_bytes, parameters=parameters, long_rope=long_rope)


def _refuse_what_is_no_chat_model(header: GgufHeader) -> None:
    if header.architecture == "clip" or header.text("general.type") in ("mmproj", "adapter", "imatrix"):
        raise ModelUnsupported(path=header.path, detail="it is an add-on (vision or adapter), not a model of its own")
    parts = header.number("split.count", 1)
    if parts > 1:
        for name in split_names(header.path, header.number("split.no"), parts):
            if not Path(name).is_file():
                raise ModelUnsupported(
                    path=header.path,
                    detail=f"it is part {header.number('split.no') + 1} of {parts}, and others do not lie beside it",
                )


def split_names(path: str, number: int, count: int) -> list[str]:
    """The files of a model in parts, as llama.cpp names them (`-00001-of-00003.gguf`)."""
    stem = path.removesuffix(f"-{number + 1:05d}-of-{count:05d}.gguf")
    return [f"{stem}-{part + 1:05d}-of-{count:05d}.gguf" for part in range(min(count, 1000))]
