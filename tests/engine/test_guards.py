"""What ends a process over llama.cpp is an error here. Each guard has its control: the bare call does end it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kotonia_desktop.domain.models import Sampling
from kotonia_desktop.engine.grammar import GrammarChain, _Grammar
from kotonia_desktop.engine.llama import Context, LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sampling import Samplers
from kotonia_desktop.engine.shape import Shape

IDS = list(range(20, 36))
BARE = """
import os, sys, ctypes
os.environ["GGML_NO_BACKTRACE"] = "1"
from kotonia_desktop.engine.llama_library import lib, start_library
from kotonia_desktop.engine.llama import Context, Model
from kotonia_desktop.engine.shape import Shape
start_library()
model = Model(sys.argv[1])
context = Context(model, 512, 4, Shape(step=16))
chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_greedy())
print("alive", flush=True)
"""


def ends(tiny_model: Path, code: str) -> bool:
    """Whether a process that runs the bare calls dies over them."""
    done = subprocess.run([sys.executable, "-c", BARE + code, str(tiny_model)], capture_output=True, check=False)
    assert done.stdout.startswith(b"alive"), done.stderr
    died = {-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGBUS} if sys.platform != "win32" else set()
    return done.returncode in died or (sys.platform == "win32" and done.returncode not in (0, 1))


@pytest.fixture
def model(tiny_model: Path) -> Iterator[Model]:
    start_library()
    loaded = Model(str(tiny_model))
    yield loaded
    loaded.free()


@pytest.fixture
def context(model: Model) -> Context:
    return Context(model, 512, 4, Shape(step=16))


def test_a_bare_process_lives_without_a_fault(tiny_model: Path) -> None:
    assert not ends(tiny_model, "assert context.decode([20, 21], 0, 0, True) == 0")


def test_no_token_is_drawn_without_logits(tiny_model: Path, model: Model, context: Context) -> None:
    chain = Samplers(model).reply_chain(Sampling(temperature=0), 1)
    bound = GrammarChain(Samplers(model).of_reply(Sampling(temperature=0), 1), model, 'root ::= "a"')
    for drawn in (chain, bound):
        with pytest.raises(LlamaError):
            drawn.draw(context)
    context.decode(IDS, 0, 0, False)
    with pytest.raises(LlamaError):
        chain.draw(context)
    with pytest.raises(LlamaError):
        context.logits()
    context.decode(IDS[:1], 0, 16, True)
    assert chain.draw(context) >= 0
    chain.free()
    with pytest.raises(LlamaError):
        chain.draw(context)
    bound.free()
    assert ends(tiny_model, "lib.llama_sampler_sample(chain, context.pointer, -1)")


def test_a_step_holds_no_more_than_a_batch(tiny_model: Path, context: Context) -> None:
    for tokens in ([], IDS * 2):
        with pytest.raises(LlamaError):
            context.decode(tokens, 0, 0, True)
    assert context.decode(IDS, 0, 0, True) == 0
    bare = """
batch = lib.llama_batch_init(64, 0, 1)
batch.n_tokens = 64
for i in range(64):
    batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.seq_id[i][0], batch.logits[i] = 20, i, 1, 0, 0
lib.llama_decode(context.pointer, batch)
"""
    assert ends(tiny_model, bare)


def test_tokens_positions_and_sequences_that_there_are_not_are_refused(model: Model, context: Context) -> None:
    for token in (-1, model.vocab_size, 2**31 - 1):
        with pytest.raises(LlamaError):
            context.decode([token], 0, 0, True)
        for ask in (model.piece, model.is_end, model.is_control):
            with pytest.raises(LlamaError):
                ask(token)
    with pytest.raises(LlamaError):
        context.decode(IDS, 0, -1, True)
    with pytest.raises(LlamaError):
        context.decode(IDS, 0, 2**31 - 1, True)
    with pytest.raises(LlamaError):
        context.decode(IDS, 0, 5, True)  # a gap
    for number in (-1, 4, 10**6):
        with pytest.raises(LlamaError):
            context.decode(IDS, number, 0, True)
        for act in (context.save, context.state_size, context.save_partial, context.first_position):
            with pytest.raises(LlamaError):
                act(number)
        with pytest.raises(LlamaError):
            context.remove(number, -1)
        with pytest.raises(LlamaError):
            context.copy(0, number)
    assert context.decode(IDS, 3, 0, True) == 0


def test_a_grammar_goes_on_with_allowed_tokens_only(tiny_model: Path, model: Model) -> None:
    grammar = _Grammar(model, 'root ::= "Hello"', ())
    (wrong,) = model.tokenize("Yes", False)
    with pytest.raises(LlamaError):
        grammar.accept(wrong)
    (right,) = model.tokenize("Hello", False)
    grammar.accept(right)
    grammar.free()
    with pytest.raises(LlamaError):
        grammar.accept(right)
    bare = """
grammar = lib.llama_sampler_init_grammar(model.vocab, b'root ::= "Hello"', b"root")
lib.llama_sampler_accept(grammar, model.tokenize("Yes", False)[0])
"""
    assert ends(tiny_model, bare)


def test_memory_is_given_back_in_order_and_not_used_afterwards(tiny_model: Path) -> None:
    start_library()
    model = Model(str(tiny_model))
    context, other = (Context(model, 512, 4, Shape(step=16)) for _ in range(2))
    other.free()
    other.free()
    model.free()  # the context goes first
    model.free()
    context.free()
    for act in (lambda: context.decode(IDS, 0, 0, True), context.logits, lambda: context.save(0)):
        with pytest.raises(LlamaError):
            act()
    for act in (lambda: model.tokenize("a", False), lambda: model.piece(1), lambda: Context(model, 512, 4, Shape())):
        with pytest.raises(LlamaError):
            act()
    assert ends(tiny_model, "lib.llama_model_free(model.pointer); context.decode([20] * 16, 0, 0, True)")
    assert ends(tiny_model, "lib.llama_free(context.pointer); lib.llama_free(context.pointer)")


def test_a_state_that_is_cut_or_wild_is_refused(tiny_model: Path, context: Context) -> None:
    context.decode(IDS, 0, 0, True)
    state = context.save(0)
    cut = [state[:0], state[: len(state) // 2], state[:7], state[:-20], np.zeros(64, dtype=np.uint8)]
    for wrong in cut:
        assert not context.restore(1, np.ascontiguousarray(wrong))
        assert context.last_position(1) == -1
    assert context.restore(1, state)
    assert context.last_position(1) == 15
    assert not context.restore_partial(2, b"")
    # From a file llama.cpp takes what is there: snapshots are checked by length and checksum before it sees them.
    bare = """
context.decode([20] * 16, 0, 0, True)
tokens = (lib.llama_token * 16)(*[20] * 16)
lib.llama_state_seq_save_file(context.pointer, b"whole.kv", 0, tokens, 16)
data = open("whole.kv", "rb").read()
open("cut.kv", "wb").write(data[:-20])
out = (lib.llama_token * 16)()
lib.llama_state_seq_load_file(context.pointer, b"cut.kv", 1, out, 16, ctypes.byref(ctypes.c_size_t()))
"""
    folder = f"import os, tempfile; os.chdir(tempfile.mkdtemp())\n{bare}"
    assert ends(tiny_model, folder)
