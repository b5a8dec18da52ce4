"""The sentences of every error as translation sources: what happened, what was kept, what to do.

The words are those of `domain.errors`, repeated because the translation tools read literals only; a test compares them.
"""

from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP

CONTEXT = "Errors"
ERRORS: dict[str, tuple[str, ...]] = {
    "message_too_long": (
        QT_TRANSLATE_NOOP(
            "Errors",
            "The message takes {tokens} tokens with the character's card; the window holds {window}.",
        ),
        QT_TRANSLATE_NOOP("Errors", "Nothing was sent; the text is still in the composer."),
        QT_TRANSLATE_NOOP("Errors", "Shorten it by {over} tokens, or load the model with a larger window."),
    ),
    "card_too_long": (
        QT_TRANSLATE_NOOP("Errors", "The character's card alone takes {tokens} tokens; the window holds {window}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was sent; your text is kept."),
        QT_TRANSLATE_NOOP("Errors", "Load the model with a larger window, or choose a character with a shorter card."),
    ),
    "bad_memory_act": (
        QT_TRANSLATE_NOOP("Errors", "That cannot be done to this part of the memory: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "The memory is as it was."),
        QT_TRANSLATE_NOOP("Errors", "Choose another act, or write other words."),
    ),
    "empty_message": (
        QT_TRANSLATE_NOOP("Errors", "The message is empty."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was sent."),
        QT_TRANSLATE_NOOP("Errors", "Write something first."),
    ),
    "nothing_to_continue": (
        QT_TRANSLATE_NOOP("Errors", "There is no reply to continue."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was changed."),
        QT_TRANSLATE_NOOP("Errors", "Send a message first."),
    ),
    "no_model": (
        QT_TRANSLATE_NOOP("Errors", "No model is loaded."),
        QT_TRANSLATE_NOOP("Errors", "Your text is kept."),
        QT_TRANSLATE_NOOP("Errors", "Choose a model, then send again."),
    ),
    "engine_stopped": (
        QT_TRANSLATE_NOOP("Errors", "The engine stopped ({detail}) and was started again."),
        QT_TRANSLATE_NOOP("Errors", "Your text and all that was written so far are kept."),
        QT_TRANSLATE_NOOP("Errors", "Send again; if it happens again, choose a smaller window or another model."),
    ),
    "engine_failed": (
        QT_TRANSLATE_NOOP("Errors", "The engine reported an error: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "Your text and all that was written so far are kept."),
        QT_TRANSLATE_NOOP("Errors", "Try again; if it happens again, load the model anew."),
    ),
    "broken_logits": (
        QT_TRANSLATE_NOOP("Errors", "The model computes no usable numbers (not a number)."),
        QT_TRANSLATE_NOOP("Errors", "What was written before is kept."),
        QT_TRANSLATE_NOOP("Errors", "The model file is damaged or does not fit this engine; choose another."),
    ),
    "engine_busy": (
        QT_TRANSLATE_NOOP("Errors", "Another reply is still being written."),
        QT_TRANSLATE_NOOP("Errors", "Your text is kept."),
        QT_TRANSLATE_NOOP("Errors", "Wait for it or stop it, then send again."),
    ),
    "model_missing": (
        QT_TRANSLATE_NOOP("Errors", "The model file {path} does not exist."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before stays as it was."),
        QT_TRANSLATE_NOOP("Errors", "Check the drive and the name, or choose another file."),
    ),
    "model_unreadable": (
        QT_TRANSLATE_NOOP("Errors", "The model file {path} cannot be read ({detail})."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before stays as it was."),
        QT_TRANSLATE_NOOP("Errors", "Check the permissions of the file, or choose another."),
    ),
    "not_a_model": (
        QT_TRANSLATE_NOOP("Errors", "{path} is not a GGUF model: it begins with {found}."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before stays as it was."),
        QT_TRANSLATE_NOOP(
            "Errors",
            "Choose a file whose name ends in .gguf and that was downloaded whole; a web page or a pointer "
            "file saved under that name is no model.",
        ),
    ),
    "model_truncated": (
        QT_TRANSLATE_NOOP("Errors", "The model file {path} is cut off: {have} of {need} bytes are there."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before stays as it was."),
        QT_TRANSLATE_NOOP("Errors", "Download it again; the first part is good, the rest is missing."),
    ),
    "model_damaged": (
        QT_TRANSLATE_NOOP("Errors", "The header of the model file {path} is damaged: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before stays as it was."),
        QT_TRANSLATE_NOOP("Errors", "Download the file again."),
    ),
    "model_unsupported": (
        QT_TRANSLATE_NOOP("Errors", "This engine cannot run the model {path}: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "The model loaded before was unloaded; your conversations are untouched."),
        QT_TRANSLATE_NOOP("Errors", "Choose another model, or a newer version of the app."),
    ),
    "not_enough_memory": (
        QT_TRANSLATE_NOOP("Errors", "The model needs about {need_mb} MB of memory; {free_mb} MB are free."),
        QT_TRANSLATE_NOOP("Errors", "The model was not loaded; your conversations are untouched."),
        QT_TRANSLATE_NOOP("Errors", "Close other programs, choose a smaller model, or a smaller window."),
    ),
    "load_cancelled": (
        QT_TRANSLATE_NOOP("Errors", "Loading the model was stopped."),
        QT_TRANSLATE_NOOP("Errors", "Your conversations are untouched."),
        QT_TRANSLATE_NOOP("Errors", "Choose a model when you are ready."),
    ),
    "unknown_template": (
        QT_TRANSLATE_NOOP("Errors", "There is no chat template named {name}."),
        QT_TRANSLATE_NOOP("Errors", "The template in use stays."),
        QT_TRANSLATE_NOOP("Errors", "Known names: {known}."),
    ),
    "starter_unavailable": (
        QT_TRANSLATE_NOOP("Errors", "The starter model could not be fetched: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was installed."),
        QT_TRANSLATE_NOOP("Errors", "Check the connection and run the command again, or choose a GGUF file you have."),
    ),
    "data_folder_busy": (
        QT_TRANSLATE_NOOP("Errors", "Kotonia is already open with the data folder {path}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was changed."),
        QT_TRANSLATE_NOOP(
            "Errors",
            "Use the open window, close it first, or name another folder: kotonia --data-dir FOLDER.",
        ),
    ),
    "data_too_new": (
        QT_TRANSLATE_NOOP(
            "Errors",
            "The data in {path} was written by a newer version ({found}; this one knows {known}).",
        ),
        QT_TRANSLATE_NOOP("Errors", "The file was not touched."),
        QT_TRANSLATE_NOOP("Errors", "Install the newer version again, or use another data folder."),
    ),
    "data_damaged": (
        QT_TRANSLATE_NOOP("Errors", "The data file {path} is damaged ({detail})."),
        QT_TRANSLATE_NOOP("Errors", "The file was not touched."),
        QT_TRANSLATE_NOOP("Errors", "Copy the data folder to a safe place; then open an older copy of the folder."),
    ),
    "not_our_data": (
        QT_TRANSLATE_NOOP("Errors", "The file {path} is a database of another program."),
        QT_TRANSLATE_NOOP("Errors", "The file was not touched."),
        QT_TRANSLATE_NOOP("Errors", "Choose another data folder."),
    ),
    "disk_full": (
        QT_TRANSLATE_NOOP("Errors", "The disk is full: {path} could not be written."),
        QT_TRANSLATE_NOOP("Errors", "All that was saved before is intact; your text is still in the composer."),
        QT_TRANSLATE_NOOP("Errors", "Free some space, then send again."),
    ),
    "write_failed": (
        QT_TRANSLATE_NOOP("Errors", "{path} could not be written ({detail})."),
        QT_TRANSLATE_NOOP("Errors", "All that was saved before is intact; your text is still in the composer."),
        QT_TRANSLATE_NOOP("Errors", "Check the disk and the folder's permissions, then try again."),
    ),
    "sqlite_too_old": (
        QT_TRANSLATE_NOOP(
            "Errors",
            "The database library is too old ({found}; {need} is needed): it can damage the data.",
        ),
        QT_TRANSLATE_NOOP("Errors", "The data was not opened."),
        QT_TRANSLATE_NOOP("Errors", "Install the app again: python3 packaging/setup.py run."),
    ),
    "not_found": (
        QT_TRANSLATE_NOOP("Errors", "There is no {what} {key}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was changed."),
        QT_TRANSLATE_NOOP("Errors", "Choose one from the list."),
    ),
    "import_failed": (
        QT_TRANSLATE_NOOP("Errors", "{name} could not be imported: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was imported; the library is as it was."),
        QT_TRANSLATE_NOOP(
            "Errors",
            "Check that the file is whole; supported are cards (PNG, JSON; V1, V2, V3), SillyTavern chats "
            "(JSONL) and dialogues (JSON).",
        ),
    ),
    "import_too_large": (
        QT_TRANSLATE_NOOP("Errors", "{name} is too large: {what} is over the limit of {limit}."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was imported; the library is as it was."),
        QT_TRANSLATE_NOOP("Errors", "Split it or remove what is not needed."),
    ),
    "import_timed_out": (
        QT_TRANSLATE_NOOP("Errors", "{name} took longer than {seconds} seconds to read."),
        QT_TRANSLATE_NOOP("Errors", "Nothing was imported; the library is as it was."),
        QT_TRANSLATE_NOOP("Errors", "The file is damaged or made to do harm; get it from another source."),
    ),
    "setting_invalid": (
        QT_TRANSLATE_NOOP("Errors", "{value} is no valid value for {name}: {detail}."),
        QT_TRANSLATE_NOOP("Errors", "The old value stays."),
        QT_TRANSLATE_NOOP("Errors", "Give a value in the range named."),
    ),
}
