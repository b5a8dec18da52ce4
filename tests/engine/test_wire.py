"""What goes through the pipes comes out as it went in."""

import io

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import (
    LoadedModel,
    LoadOptions,
    ReasoningMode,
    Sampling,
    SamplingDefaults,
    TemplateHealth,
    TemplateSource,
)
from kotonia_desktop.domain.ports import (
    Finished,
    GenerateRequest,
    Lane,
    PromptCount,
    PromptItem,
    PromptProgress,
    PromptRead,
    PromptRole,
    TextPiece,
)
from kotonia_desktop.engine import wire


def through(message: wire.Message) -> wire.Message:
    pipe = io.BytesIO()
    wire.write_frame(pipe, message)
    pipe.seek(0)
    read = wire.read_frame(pipe)
    assert read is not None
    return read


def test_a_request_survives():
    request = GenerateRequest(
        items=(
            PromptItem(PromptRole.SYSTEM, "猫\ud800"),
            PromptItem(PromptRole.ASSISTANT, "b", (1, 2), "Mira"),
        ),
        sampling=Sampling(temperature=0.5, stop=("a", "b")),
        lane=Lane.MEMORY,
        reasoning=ReasoningMode.SHORT,
        reasoning_budget=7,
        prefix_text="p",
        prefix_ids=(3,),
        penalty_ids=(4, 5),
        dry_breakers=("x",),
        conversation="c",
        grammar='root ::= "# " [^\n]{2,40}',
    )
    assert wire.unpack_request(through(wire.pack_request(request))) == request


def test_events_survive():
    finished = Finished(
        FinishReason.STOP, "t", "r", (1, 2), (1, 0), 10, 5, 2, 3, 0.5, 0.25, 42, "END", True, "broken_logits", True
    )
    for event in (PromptProgress(1, 2, 3), TextPiece("猫", True), finished):
        assert wire.unpack_event(through(wire.pack_event(event))) == event


def test_a_model_its_options_and_a_count_survive():
    model = LoadedModel(
        "p", "n", "llama", 1, 2, 3, 4, 5, "t", TemplateHealth(TemplateSource.FAMILY, "chatml", "missing"), True,
        ("en", "ja"), SamplingDefaults(temperature=0.7), "checkpoint", 1.5, True, True,
    )  # fmt: skip
    options = LoadOptions("p", window=3, reasoning=ReasoningMode.FREE, vocabulary_only=True)
    count = PromptCount((1, 2), 3, 6)
    assert wire.unpack_model(through(wire.pack_model(model))) == model
    assert wire.unpack_options(through(wire.pack_options(options))) == options
    assert wire.unpack_count(through(wire.pack_count(count))) == count
    read = PromptRead(7, 3, 0.5)
    assert wire.unpack_read(through(wire.pack_read(read))) == read


def test_a_cut_or_broken_frame_is_the_other_sides_end():
    whole = io.BytesIO()
    wire.write_frame(whole, {"id": 1})
    data = whole.getvalue()
    assert wire.read_frame(io.BytesIO(data)) == {"id": 1}
    for broken in (b"", data[:3], data[:-1], data[:4] + b"x" * (len(data) - 4), b"\xff" * 8):
        assert wire.read_frame(io.BytesIO(broken)) is None
