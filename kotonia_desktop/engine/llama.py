"""A thin typed face of llama.cpp's low-level API: a model, its contexts, one batch with numpy views on its arrays.

Runs in the engine's process only, because llama.cpp ends the process where it meets a case it did not expect. The cases
that are known are looked for here before a call is made, and are a `LlamaError`: more tokens than a batch holds, a
token or a sequence that there is not, logits that were not computed, memory that was given back, a model that goes
before its contexts. Knows nothing of chats. The facts are those of `llama.h`; the API changes between minor releases of
llama-cpp-python.
"""

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kotonia_desktop.engine.llama_library import clear_errors, last_errors, lib
from kotonia_desktop.engine.shape import KV_TYPES, Shape

DECODED: Final = 0
NO_CELLS: Final = 1
ABORTED: Final = 2

_PARTIAL_ONLY = 1
_YARN = 2
_MANY = 16


class LlamaError(Exception):
    """llama.cpp refused; the text is its own."""


class Model:
    """A model in memory. Owns it: call `free` after its contexts are freed."""

    def __init__(
        self,
        path: str,
        gpu_layers: int = -1,
        progress: Callable[[float], bool] | None = None,
        *,
        plain_weights: bool = False,
        vocabulary_only: bool = False,
    ) -> None:
        """Load the file. `progress` gets 0.0 to 1.0 and answers whether to go on. Raises `LlamaError`.

        `plain_weights`: they are not rearranged for this processor. With `vocabulary_only` there is nothing to decode
        with, and what is known of the weights is 0.
        """
        params = lib.llama_model_default_params()
        params.vocab_only = vocabulary_only
        params.use_extra_bufts = not plain_weights
        params.n_gpu_layers = gpu_layers

        def on_progress(value: float, _user_data: ctypes.c_void_p) -> bool:
            return True if progress is None else progress(value)

        callback = lib.llama_progress_callback(on_progress)
        params.progress_callback = callback
        clear_errors()
        self.pointer: Any = lib.llama_model_load_from_file(os.fsencode(path), params)
        if not self.pointer:
            raise LlamaError(last_errors())
        self.vocab: Any = lib.llama_model_get_vocab(self.pointer)
        self.vocab_size = int(lib.llama_vocab_n_tokens(self.vocab))
        self.trained_window = int(lib.llama_model_n_ctx_train(self.pointer))
        self.parameters = int(lib.llama_model_n_params(self.pointer))
        self.window_slides = int(lib.llama_model_n_swa(self.pointer))
        """Tokens of the sliding window, 0 where every layer sees all."""
        self.is_recurrent = bool(lib.llama_model_is_recurrent(self.pointer) or lib.llama_model_is_hybrid(self.pointer))
        self.has_decoder = bool(lib.llama_model_has_decoder(self.pointer))
        self.has_encoder = bool(lib.llama_model_has_encoder(self.pointer))
        self.adds_bos = bool(lib.llama_vocab_get_add_bos(self.vocab))
        self.bos = int(lib.llama_vocab_bos(self.vocab))
        self.eos = int(lib.llama_vocab_eos(self.vocab))
        self._pieces: dict[int, bytes] = {}
        self._special_pieces: dict[int, bytes] = {}
        self._buffer = ctypes.create_string_buffer(512)
        self.contexts: list[Context] = []
        """Those that were made and not given back."""
        self._lead = self._find_lead()

    def _check(self, token: int | None = None) -> None:
        """Raise `LlamaError` where the model was given back, or has no such token."""
        if not self.pointer:
            raise LlamaError("the model was given back")
        if token is not None and not 0 <= token < self.vocab_size:
            raise LlamaError("there is no such token")

    def _find_lead(self) -> tuple[str, int]:
        # A SentencePiece tokenizer puts a space before a text. Texts are tokenised apart, so each would get one that
        # the template's text does not have: behind a line break, which merges with nothing, there is none.
        if self.tokenize_raw("a", special=False) and self._text_of_first("a").startswith(b" "):
            return ("\n", len(self.tokenize_raw("\n", special=False)))
        return ("", 0)

    def _text_of_first(self, text: str) -> bytes:
        return self.piece(self.tokenize_raw(text, special=False)[0])

    def tokenize_raw(self, text: str, special: bool) -> list[int]:
        """Ids of `text` as the tokenizer gives them; `special`: names of control tokens become those tokens."""
        self._check()
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        ids = (lib.llama_token * room)()
        count = lib.llama_tokenize(self.vocab, data, len(data), ids, room, False, special)
        if count < 0:
            raise LlamaError("the tokenizer gave more tokens than bytes")
        return list(ids[:count])

    def tokenize(self, text: str, special: bool) -> list[int]:
        """Ids of a piece of a larger text: as `tokenize_raw`, without the space some tokenizers put in front."""
        if not text:
            return []
        lead, length = self._lead
        return self.tokenize_raw(lead + text, special)[length:] if lead else self.tokenize_raw(text, special)

    def piece(self, token: int, special: bool = False) -> bytes:
        """The bytes of a token; those of a control token only with `special`."""
        cache = self._special_pieces if special else self._pieces
        found = cache.get(token)
        if found is None:
            self._check(token)
            count = lib.llama_token_to_piece(self.vocab, token, self._buffer, len(self._buffer), 0, special)
            if count < 0:
                self._buffer = ctypes.create_string_buffer(-count)
                count = lib.llama_token_to_piece(self.vocab, token, self._buffer, len(self._buffer), 0, special)
            found = cache[token] = self._buffer.raw[: max(0, count)]
        return found

    def is_end(self, token: int) -> bool:
        """True for a token that ends a generation."""
        self._check(token)
        return bool(lib.llama_vocab_is_eog(self.vocab, token))

    def is_control(self, token: int) -> bool:
        """True for a token that stands for no text of its own."""
        self._check(token)
        return bool(lib.llama_vocab_is_control(self.vocab, token))

    def free(self) -> None:
        """Give the memory back, that of contexts first: without their model they end the process."""
        for context in list(self.contexts):
            context.free()
        if self.pointer:
            lib.llama_model_free(self.pointer)
            self.pointer = None


class Context:
    """Cells for the sequences of a model, and the decoding on them. Owns its memory: call `free`."""

    def __init__(self, model: Model, cells: int, sequences: int, shape: Shape) -> None:
        """`cells` is rounded up to 256 by llama.cpp; `shape.step` is the most tokens one `decode` takes."""
        model._check()  # noqa: SLF001  (both are of this module)
        step = shape.step
        params = lib.llama_context_default_params()
        params.n_ctx = cells
        params.n_batch = params.n_ubatch = step
        params.n_seq_max = sequences
        params.n_outputs_max = sequences
        params.n_threads = params.n_threads_batch = shape.threads
        params.flash_attn_type = 1 if shape.flash else 0
        params.type_k, params.type_v = KV_TYPES[shape.key], KV_TYPES[shape.value]
        if shape.yarn:
            params.rope_scaling_type = _YARN
            params.yarn_orig_ctx = model.trained_window
            params.rope_freq_scale = 1 / shape.yarn
        params.swa_full = False  # a sliding window holds its window; `sequences.py` knows what that forgets
        params.kv_unified = True
        params.no_perf = True
        self.aborting = False
        self.decode_seconds = 0.0
        """What all its decodes have taken."""
        self._read_tokens = 0
        self._read_seconds = 0.0
        # Asked by llama.cpp between two nodes of its graph, some hundred times a token; the price does not show.
        self._callback = lib.ggml_abort_callback(lambda _data: self.aborting)
        params.abort_callback = self._callback
        clear_errors()
        self.model = model
        self.step = step
        self.cells = cells
        self.sequences = sequences
        self.shape = shape
        self.pointer: Any = lib.llama_init_from_model(model.pointer, params)
        if not self.pointer:
            raise LlamaError(last_errors())
        model.contexts.append(self)
        self._has_logits = False
        self._memory: Any = lib.llama_get_memory(self.pointer)
        self._batch: Any = lib.llama_batch_init(step, 0, 1)
        self._tokens = np.ctypeslib.as_array(self._batch.token, (step,))
        self._positions = np.ctypeslib.as_array(self._batch.pos, (step,))
        self._wanted = np.ctypeslib.as_array(self._batch.logits, (step,))
        np.ctypeslib.as_array(self._batch.n_seq_id, (step,))[:] = 1
        self._owners = [self._batch.seq_id[index] for index in range(step)]
        self._owner = -1

    def decode(self, tokens: Sequence[int], sequence: int, position: int, logits: bool) -> int:
        """Read at most `step` tokens into a sequence; with `logits` those of the last are computed.

        `DECODED`, `NO_CELLS` (nothing changed) or `ABORTED`; raises `LlamaError` for all else.
        """
        count = len(tokens)
        self._check(sequence)
        if not 0 < count <= self.step:
            raise LlamaError(f"{count} tokens are no step of at most {self.step}")
        if min(tokens) < 0 or max(tokens) >= self.model.vocab_size:
            raise LlamaError("there is no such token")
        if position != self.last_position(sequence) + 1:
            raise LlamaError("the position does not follow the last one")
        self._has_logits = False
        self._tokens[:count] = tokens
        self._positions[:count] = np.arange(position, position + count)
        self._wanted[:count] = 0
        if logits:
            self._wanted[count - 1] = 1
        if sequence != self._owner:
            for owner in self._owners:
                owner[0] = sequence
            self._owner = sequence
        self._batch.n_tokens = count
        started = time.perf_counter()
        code = int(lib.llama_decode(self.pointer, self._batch))
        seconds = time.perf_counter() - started
        self.decode_seconds += seconds
        if code == DECODED and count >= _MANY:
            self._read_tokens += count
            self._read_seconds += seconds
        if code not in (DECODED, NO_CELLS, ABORTED):
            raise LlamaError(f"decode answered {code}")
        self._has_logits = logits and code == DECODED
        return code

    def _check(self, *sequences: int) -> None:
        """Raise `LlamaError` where the context was given back, or has no such sequence."""
        if not self.pointer:
            raise LlamaError("the context was given back")
        if not all(0 <= sequence < self.sequences for sequence in sequences):
            raise LlamaError("there is no such sequence")

    def check_logits(self) -> None:
        """Raise `LlamaError` where the last `decode` computed none."""
        self._check()
        if not self._has_logits:
            raise LlamaError("no logits were computed")

    def logits(self) -> NDArray[np.float32]:
        """The logits of the last token read: a view, valid until the next `decode`. Raises as `check_logits`."""
        self.check_logits()
        return np.ctypeslib.as_array(lib.llama_get_logits_ith(self.pointer, -1), (self.model.vocab_size,))

    def remove(self, sequence: int, start: int) -> bool:
        """Forget a sequence from position `start` on; False where this kind of memory cannot."""
        self._check(sequence)
        return bool(lib.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def first_position(self, sequence: int) -> int:
        """The lowest position that is still held, -1 where the sequence is empty."""
        self._check(sequence)
        return int(lib.llama_memory_seq_pos_min(self._memory, sequence))

    def last_position(self, sequence: int) -> int:
        """The highest position held, -1 where the sequence is empty."""
        self._check(sequence)
        return int(lib.llama_memory_seq_pos_max(self._memory, sequence))

    def copy(self, source: int, target: int) -> None:
        """Let sequence `target` hold what `source` holds; the cells are shared."""
        self._check(source, target)
        lib.llama_memory_seq_rm(self._memory, target, -1, -1)
        lib.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def state_size(self, sequence: int) -> int:
        """Bytes of a sequence's whole state."""
        self._check(sequence)
        return int(lib.llama_state_seq_get_size(self.pointer, sequence))

    def reading_rate(self) -> float:
        """Tokens a second of the steps that read many at once; 0.0 before the first."""
        return self._read_tokens / self._read_seconds if self._read_seconds else 0.0

    def save(self, sequence: int) -> NDArray[np.uint8]:
        """The whole state of a sequence, as llama.cpp writes it."""
        self._check(sequence)
        size = self.state_size(sequence)
        state: NDArray[np.uint8] = np.empty(size, dtype=np.uint8)
        written = int(lib.llama_state_seq_get_data(self.pointer, _bytes_of(state), size, sequence))
        if written != size:
            raise LlamaError(f"a state of {size} bytes came as {written}")
        return state

    def restore(self, sequence: int, state: NDArray[np.uint8]) -> bool:
        """Put a whole state into a sequence, in place of what it holds; False where llama.cpp refuses it, and then the
        sequence is empty. The state must be whole: llama.cpp ends the process over some that are not."""
        self._check(sequence)
        if not len(state):
            return False
        lib.llama_memory_seq_rm(self._memory, sequence, -1, -1)
        read = int(lib.llama_state_seq_set_data(self.pointer, _bytes_of(state), len(state), sequence))
        if read != len(state):
            lib.llama_memory_seq_rm(self._memory, sequence, -1, -1)
            return False
        return True

    def save_partial(self, sequence: int) -> bytes:
        """The part of a sequence's state that cannot be rewound (sliding window, recurrent)."""
        self._check(sequence)
        size = int(lib.llama_state_seq_get_size_ext(self.pointer, sequence, _PARTIAL_ONLY))
        buffer = (ctypes.c_uint8 * size)()
        written = int(lib.llama_state_seq_get_data_ext(self.pointer, buffer, size, sequence, _PARTIAL_ONLY))
        return bytes(memoryview(buffer)[:written])

    def restore_partial(self, sequence: int, state: bytes) -> bool:
        """Put back what `save_partial` gave; False where llama.cpp refuses it."""
        self._check(sequence)
        if not state:
            return False
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        read = int(lib.llama_state_seq_set_data_ext(self.pointer, buffer, len(state), sequence, _PARTIAL_ONLY))
        return read == len(state)

    def free(self) -> None:
        """Give the memory back."""
        if self.pointer:
            lib.llama_batch_free(self._batch)
            lib.llama_free(self.pointer)
            self.pointer = None
            self.model.contexts.remove(self)


def _bytes_of(state: NDArray[np.uint8]) -> Any:  # noqa: ANN401  (a pointer of ctypes)
    return state.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))


def has_gpu() -> bool:
    """True where the library was built with a backend for a graphics card, and there is one."""
    return bool(lib.llama_supports_gpu_offload())
