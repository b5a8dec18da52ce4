"""Every error the user can meet: a code, its values, and an English text: what happened, what was kept, what to do.

The window translates by code (`gui/texts.py`), the command line prints `str(error)`. Nothing of a message's text ever
stands in an error, because errors are logged.
"""

from typing import ClassVar


class KotoniaError(Exception):
    """Something the user should know. Values fill the placeholders of the three sentences."""

    code: ClassVar[str] = "error"
    happened: ClassVar[str] = ""
    kept: ClassVar[str] = ""
    advice: ClassVar[str] = ""
    bad_input: ClassVar[bool] = False
    """The user's input was wrong: the command line exits with 2 instead of 1."""

    def __init__(self, **values: str | int | float) -> None:
        super().__init__(values)
        self.values = values

    def __str__(self) -> str:
        return " ".join(part.format(**self.values) for part in (self.happened, self.kept, self.advice) if part)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.code, self.values))


class PromptError(KotoniaError):
    """The prompt cannot be built or sent."""


class EngineError(KotoniaError):
    """The engine cannot answer."""


class ModelError(KotoniaError):
    """A model cannot be loaded."""


class StoreError(KotoniaError):
    """The data cannot be read or written."""


class ImportingError(KotoniaError):
    """A file cannot be imported."""


class MessageTooLong(PromptError):
    """Code `message_too_long`."""

    code = "message_too_long"
    bad_input = True
    happened = "The message takes {tokens} tokens with the character's card; the window holds {window}."
    kept = "Nothing was sent; the text is still in the composer."
    advice = "Shorten it by {over} tokens, or load the model with a larger window."


class CardTooLong(PromptError):
    """Code `card_too_long`."""

    code = "card_too_long"
    bad_input = True
    happened = "The character's card alone takes {tokens} tokens; the window holds {window}."
    kept = "Nothing was sent; your text is kept."
    advice = "Load the model with a larger window, or choose a character with a shorter card."


class EmptyMessage(PromptError):
    """Code `empty_message`."""

    code = "empty_message"
    bad_input = True
    happened = "The message is empty."
    kept = "Nothing was sent."
    advice = "Write something first."


class BadMemoryAct(PromptError):
    """Code `bad_memory_act`."""

    code = "bad_memory_act"
    bad_input = True
    happened = "That cannot be done to this part of the memory: {detail}."
    kept = "The memory is as it was."
    advice = "Choose another act, or write other words."


class NothingToContinue(PromptError):
    """Code `nothing_to_continue`."""

    code = "nothing_to_continue"
    bad_input = True
    happened = "There is no reply to continue."
    kept = "Nothing was changed."
    advice = "Send a message first."


class NoModel(EngineError):
    """Code `no_model`."""

    code = "no_model"
    happened = "No model is loaded."
    kept = "Your text is kept."
    advice = "Choose a model, then send again."


class ModelFileMissing(ModelError):
    """Code `model_missing`."""

    code = "model_missing"
    bad_input = True
    happened = "The model file {path} does not exist."
    kept = "The model loaded before stays as it was."
    advice = "Check the drive and the name, or choose another file."


class ModelFileUnreadable(ModelError):
    """Code `model_unreadable`."""

    code = "model_unreadable"
    bad_input = True
    happened = "The model file {path} cannot be read ({detail})."
    kept = "The model loaded before stays as it was."
    advice = "Check the permissions of the file, or choose another."


class NotAModel(ModelError):
    """Code `not_a_model`."""

    code = "not_a_model"
    bad_input = True
    happened = "{path} is not a GGUF model: it begins with {found}."
    kept = "The model loaded before stays as it was."
    advice = (
        "Choose a file whose name ends in .gguf and that was downloaded whole; a web page or a "
        "pointer file saved under that name is no model."
    )


class ModelTruncated(ModelError):
    """Code `model_truncated`."""

    code = "model_truncated"
    bad_input = True
    happened = "The model file {path} is cut off: {have} of {need} bytes are there."
    kept = "The model loaded before stays as it was."
    advice = "Download it again; the first part is good, the rest is missing."


class ModelDamaged(ModelError):
    """Code `model_damaged`."""

    code = "model_damaged"
    bad_input = True
    happened = "The header of the model file {path} is damaged: {detail}."
    kept = "The model loaded before stays as it was."
    advice = "Download the file again."


class ModelUnsupported(ModelError):
    """Code `model_unsupported`."""

    code = "model_unsupported"
    bad_input = True
    happened = "This engine cannot run the model {path}: {detail}."
    kept = "The model loaded before was unloaded; your conversations are untouched."
    advice = "Choose another model, or a newer version of the app."


class NotEnoughMemory(ModelError):
    """Code `not_enough_memory`."""

    code = "not_enough_memory"
    happened = "The model needs about {need_mb} MB of memory; {free_mb} MB are free."
    kept = "The model was not loaded; your conversations are untouched."
    advice = "Close other programs, choose a smaller model, or a smaller window."


class LoadCancelled(ModelError):
    """Code `load_cancelled`."""

    code = "load_cancelled"
    happened = "Loading the model was stopped."
    kept = "Your conversations are untouched."
    advice = "Choose a model when you are ready."


class UnknownTemplate(ModelError):
    """Code `unknown_template`."""

    code = "unknown_template"
    bad_input = True
    happened = "There is no chat template named {name}."
    kept = "The template in use stays."
    advice = "Known names: {known}."


class EngineStopped(EngineError):
    """Code `engine_stopped`."""

    code = "engine_stopped"
    happened = "The engine stopped ({detail}) and was started again."
    kept = "Your text and all that was written so far are kept."
    advice = "Send again; if it happens again, choose a smaller window or another model."


class EngineFailed(EngineError):
    """Code `engine_failed`."""

    code = "engine_failed"
    happened = "The engine reported an error: {detail}."
    kept = "Your text and all that was written so far are kept."
    advice = "Try again; if it happens again, load the model anew."


class BrokenLogits(EngineError):
    """Code `broken_logits`."""

    code = "broken_logits"
    happened = "The model computes no usable numbers (not a number)."
    kept = "What was written before is kept."
    advice = "The model file is damaged or does not fit this engine; choose another."


class EngineBusy(EngineError):
    """Code `engine_busy`."""

    code = "engine_busy"
    happened = "Another reply is still being written."
    kept = "Your text is kept."
    advice = "Wait for it or stop it, then send again."


class DataFolderBusy(StoreError):
    """Code `data_folder_busy`."""

    code = "data_folder_busy"
    happened = "Kotonia is already open with the data folder {path}."
    kept = "Nothing was changed."
    advice = "Use the open window, close it first, or name another folder: kotonia --data-dir FOLDER."


class DataTooNew(StoreError):
    """Code `data_too_new`."""

    code = "data_too_new"
    happened = "The data in {path} was written by a newer version ({found}; this one knows {known})."
    kept = "The file was not touched."
    advice = "Install the newer version again, or use another data folder."


class DataDamaged(StoreError):
    """Code `data_damaged`."""

    code = "data_damaged"
    happened = "The data file {path} is damaged ({detail})."
    kept = "The file was not touched."
    advice = "Copy the data folder to a safe place; then open an older copy of the folder."


class NotOurData(StoreError):
    """Code `not_our_data`."""

    code = "not_our_data"
    happened = "The file {path} is a database of another program."
    kept = "The file was not touched."
    advice = "Choose another data folder."


class DiskFull(StoreError):
    """Code `disk_full`."""

    code = "disk_full"
    happened = "The disk is full: {path} could not be written."
    kept = "All that was saved before is intact; your text is still in the composer."
    advice = "Free some space, then send again."


class WriteFailed(StoreError):
    """Code `write_failed`."""

    code = "write_failed"
    happened = "{path} could not be written ({detail})."
    kept = "All that was saved before is intact; your text is still in the composer."
    advice = "Check the disk and the folder's permissions, then try again."


class SqliteTooOld(StoreError):
    """Code `sqlite_too_old`."""

    code = "sqlite_too_old"
    happened = "The database library is too old ({found}; {need} is needed): it can damage the data."
    kept = "The data was not opened."
    advice = "Install the app again: python3 packaging/setup.py run."


class NotFound(StoreError):
    """Code `not_found`."""

    code = "not_found"
    bad_input = True
    happened = "There is no {what} {key}."
    kept = "Nothing was changed."
    advice = "Choose one from the list."


class ImportFailed(ImportingError):
    """Code `import_failed`."""

    code = "import_failed"
    bad_input = True
    happened = "{name} could not be imported: {detail}."
    kept = "Nothing was imported; the library is as it was."
    advice = (
        "Check that the file is whole; supported are cards (PNG, JSON; V1, V2, V3), SillyTavern "
        "chats (JSONL) and dialogues (JSON)."
    )


class ImportTooLarge(ImportingError):
    """Code `import_too_large`."""

    code = "import_too_large"
    bad_input = True
    happened = "{name} is too large: {what} is over the limit of {limit}."
    kept = "Nothing was imported; the library is as it was."
    advice = "Split it or remove what is not needed."


class ImportTimedOut(ImportingError):
    """Code `import_timed_out`."""

    code = "import_timed_out"
    bad_input = True
    happened = "{name} took longer than {seconds} seconds to read."
    kept = "Nothing was imported; the library is as it was."
    advice = "The file is damaged or made to do harm; get it from another source."


class StarterUnavailable(ModelError):
    """Code `starter_unavailable`."""

    code = "starter_unavailable"
    happened = "The starter model could not be fetched: {detail}."
    kept = "Nothing was installed."
    advice = "Check the connection and run the command again, or choose a GGUF file you have."


class SettingInvalid(KotoniaError):
    """Code `setting_invalid`."""

    code = "setting_invalid"
    bad_input = True
    happened = "{value} is no valid value for {name}: {detail}."
    kept = "The old value stays."
    advice = "Give a value in the range named."


def _all_errors(base: type[KotoniaError]) -> list[type[KotoniaError]]:
    found = []
    for sub in base.__subclasses__():
        if "code" in vars(sub):
            found.append(sub)
        found += _all_errors(sub)
    return found


def error_classes() -> dict[str, type[KotoniaError]]:
    """Every error by its code."""
    return {cls.code: cls for cls in _all_errors(KotoniaError)}


def _rebuild(code: str, values: dict[str, str | int | float]) -> KotoniaError:
    return error_classes().get(code, KotoniaError)(**values)


def error_from_wire(code: str, values: dict[str, str | int | float]) -> KotoniaError:
    """The error that another process reported by its code; an unknown code is an `EngineFailed`."""
    cls = error_classes().get(code)
    return cls(**values) if cls else EngineFailed(detail=code)
