"""What goes through the pipes between the app and its engine: length-prefixed JSON, and values as JSON and back.

A frame is four bytes of length, big endian, and that many bytes of UTF-8. The first side to see a broken frame treats
it as the other's end.
"""

import json
import struct
from dataclasses import asdict
from typing import IO, Any, Final

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import (
    LoadedModel,
    LoadOptions,
    ReasoningMode,
    Sampling,
    SamplingDefaults,
    TemplateHealth,
    TemplateSource,
    WindowReason,
)
from kotonia_desktop.domain.ports import (
    Finished,
    GenerateEvent,
    GenerateRequest,
    Lane,
    PromptCount,
    PromptItem,
    PromptProgress,
    PromptRead,
    PromptRole,
    TextPiece,
)

FRAME_LIMIT: Final = 256 * 2**20
VOCABULARY_ONLY: Final = "only the model's vocabulary is loaded"
"""Why a model that was loaded to count refuses everything else, on both sides."""
_LENGTH: Final = struct.Struct(">I")

Message = dict[str, Any]


def write_frame(stream: IO[bytes], message: Message) -> None:
    """Write one message and flush."""
    data = json.dumps(message, separators=(",", ":")).encode()
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Message | None:
    """The next message, or None where the other side has gone or sends nonsense."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > FRAME_LIMIT:
        return None
    data = stream.read(length)
    if len(data) < length:
        return None
    try:
        message = json.loads(data)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def pack_items(items: tuple[PromptItem, ...]) -> list[list[Any]]:
    """Items of a prompt as plain values."""
    return [[item.role.value, item.text, item.ids, item.name] for item in items]


def unpack_items(values: list[list[Any]]) -> tuple[PromptItem, ...]:
    """The reverse of `pack_items`."""
    return tuple(
        PromptItem(PromptRole(role), text, None if ids is None else tuple(ids), name)
        for role, text, ids, name in values
    )


def pack_request(request: GenerateRequest) -> Message:
    """A request as plain values."""
    return {
        "items": pack_items(request.items),
        "sampling": asdict(request.sampling),
        "lane": request.lane.value,
        "reasoning": request.reasoning.value,
        "reasoning_budget": request.reasoning_budget,
        "prefix_text": request.prefix_text,
        "prefix_ids": request.prefix_ids,
        "penalty_ids": request.penalty_ids,
        "dry_breakers": request.dry_breakers,
        "conversation": request.conversation,
        "grammar": request.grammar,
        "seconds": request.seconds,
    }


def unpack_request(values: Message) -> GenerateRequest:
    """The reverse of `pack_request`."""
    prefix = values["prefix_ids"]
    sampling = values["sampling"]
    return GenerateRequest(
        items=unpack_items(values["items"]),
        sampling=Sampling(**{**sampling, "stop": tuple(sampling["stop"])}),
        lane=Lane(values["lane"]),
        reasoning=ReasoningMode(values["reasoning"]),
        reasoning_budget=values["reasoning_budget"],
        prefix_text=values["prefix_text"],
        prefix_ids=None if prefix is None else tuple(prefix),
        penalty_ids=tuple(values["penalty_ids"]),
        dry_breakers=tuple(values["dry_breakers"]),
        conversation=values["conversation"],
        grammar=values["grammar"],
        seconds=values["seconds"],
    )


def pack_event(event: GenerateEvent) -> Message:
    """An event of a reply as plain values."""
    if isinstance(event, PromptProgress):
        return {"kind": "prompt", "read": event.read, "total": event.total, "reused": event.reused}
    if isinstance(event, TextPiece):
        return {"kind": "text", "text": event.text, "reasoning": event.reasoning}
    return {"kind": "finished", **asdict(event)}


def unpack_event(values: Message) -> GenerateEvent:
    """The reverse of `pack_event`."""
    if values["kind"] == "prompt":
        return PromptProgress(values["read"], values["total"], values["reused"])
    if values["kind"] == "text":
        return TextPiece(values["text"], values["reasoning"])
    fields = {key: value for key, value in values.items() if key != "kind"}
    fields |= {"reason": FinishReason(fields["reason"]), "ids": tuple(fields["ids"])}
    return Finished(**{**fields, "id_bytes": tuple(fields["id_bytes"])})


def pack_count(count: PromptCount) -> Message:
    """A count as plain values."""
    return {"items": count.items, "opener": count.opener, "total": count.total}


def unpack_count(values: Message) -> PromptCount:
    """The reverse of `pack_count`."""
    return PromptCount(tuple(values["items"]), values["opener"], values["total"])


def pack_read(read: PromptRead) -> Message:
    """What reading a prompt cost as plain values."""
    return asdict(read)


def unpack_read(values: Message) -> PromptRead:
    """The reverse of `pack_read`."""
    return PromptRead(**values)


def pack_options(options: LoadOptions) -> Message:
    """Load options as plain values."""
    return asdict(options)


def unpack_options(values: Message) -> LoadOptions:
    """The reverse of `pack_options`."""
    return LoadOptions(**{**values, "reasoning": ReasoningMode(values["reasoning"])})


def pack_model(model: LoadedModel) -> Message:
    """A loaded model as plain values."""
    return asdict(model)


def unpack_model(values: Message) -> LoadedModel:
    """The reverse of `pack_model`."""
    template = values["template"]
    return LoadedModel(
        **{
            **values,
            "template": TemplateHealth(TemplateSource(template["source"]), template["name"], template["reason"]),
            "languages": tuple(values["languages"]),
            "window_reason": WindowReason(values["window_reason"]),
            "sampling": SamplingDefaults(**values["sampling"]),
        }
    )
