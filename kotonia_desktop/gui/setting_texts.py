"""Titles and explanations of the settings as translation sources, by key; a test compares them with the settings."""

from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP

CONTEXT = "Settings"
SETTINGS: dict[str, tuple[str, str]] = {
    "ui.language": (
        QT_TRANSLATE_NOOP("Settings", "Language"),
        QT_TRANSLATE_NOOP("Settings", "The language of the window. Empty: the system's."),
    ),
    "ui.theme": (
        QT_TRANSLATE_NOOP("Settings", "Theme"),
        QT_TRANSLATE_NOOP("Settings", "Light or dark page."),
    ),
    "ui.send_key": (
        QT_TRANSLATE_NOOP("Settings", "Send with"),
        QT_TRANSLATE_NOOP("Settings", "The key that sends a message; the other one begins a new line. Empty: ask."),
    ),
    "ui.text_scale": (
        QT_TRANSLATE_NOOP("Settings", "Text size"),
        QT_TRANSLATE_NOOP("Settings", "Size of the conversation's text, in percent."),
    ),
    "ui.show_thoughts": (
        QT_TRANSLATE_NOOP("Settings", "Show thoughts"),
        QT_TRANSLATE_NOOP("Settings", "Show what characters think without saying it."),
    ),
    "model.path": (
        QT_TRANSLATE_NOOP("Settings", "Model"),
        QT_TRANSLATE_NOOP("Settings", "The GGUF file that is loaded at start."),
    ),
    "model.window": (
        QT_TRANSLATE_NOOP("Settings", "Window"),
        QT_TRANSLATE_NOOP("Settings", "Tokens the model sees at once. 0: as many as fit."),
    ),
    "model.template": (
        QT_TRANSLATE_NOOP("Settings", "Chat template"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "How turns are marked. Empty: the file's own. `completion`: plain text, for base models.",
        ),
    ),
    "model.reasoning": (
        QT_TRANSLATE_NOOP("Settings", "Thinking before the reply"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "For models that reason: off, a short block that is closed for them, or as long as they like.",
        ),
    ),
    "model.reasoning_budget": (
        QT_TRANSLATE_NOOP("Settings", "Thinking budget"),
        QT_TRANSLATE_NOOP("Settings", "Tokens of a short thinking block."),
    ),
    "model.snapshot_mb": (
        QT_TRANSLATE_NOOP("Settings", "Room for what was read"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "MiB of disk for what the model has read of conversations, so that opening one takes no time. It holds "
            "their content, for your account alone. 0: keep nothing.",
        ),
    ),
    "chat.persona_guard": (
        QT_TRANSLATE_NOOP("Settings", "Don't play me"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "A reply ends before the first line that speaks or acts as you; what was cut can be shown.",
        ),
    ),
    "memory.wait": (
        QT_TRANSLATE_NOOP("Settings", "Quiet before a chapter"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Seconds without typing, scrolling or a reply before old messages are written into memory. It shrinks to 0"
            " as the room fills.",
        ),
    ),
    "memory.recall": (
        QT_TRANSLATE_NOOP("Settings", "Bring back old lines"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Old lines that a message calls for are shown to the model again, word for word, before that message: at "
            "most 350 tokens, in at most one turn of four unless you ask.",
        ),
    ),
    "reply.max_tokens": (
        QT_TRANSLATE_NOOP("Settings", "Reply length"),
        QT_TRANSLATE_NOOP("Settings", "Most tokens of one reply."),
    ),
    "reply.soft_landing": (
        QT_TRANSLATE_NOOP("Settings", "Tidy endings"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "A reply near its length ends with its sentence instead of in the middle of one.",
        ),
    ),
    "sampling.temperature": (
        QT_TRANSLATE_NOOP("Settings", "Temperature"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "How freely the model chooses. 0: always the likeliest. -1: what the model's author advises.",
        ),
    ),
    "sampling.top_k": (
        QT_TRANSLATE_NOOP("Settings", "Top k"),
        QT_TRANSLATE_NOOP("Settings", "Choose among the k likeliest only. 0: off. -1: advised."),
    ),
    "sampling.top_p": (
        QT_TRANSLATE_NOOP("Settings", "Top p"),
        QT_TRANSLATE_NOOP("Settings", "Choose among the likeliest that make up this share. 1: off. -1: advised."),
    ),
    "sampling.min_p": (
        QT_TRANSLATE_NOOP("Settings", "Min p"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Leave out what is less likely than this share of the likeliest. 0: off. -1: advised.",
        ),
    ),
    "sampling.repeat_penalty": (
        QT_TRANSLATE_NOOP("Settings", "Repetition penalty"),
        QT_TRANSLATE_NOOP("Settings", "Discourages words of the character's own recent replies. 1: off. -1: advised."),
    ),
    "sampling.presence_penalty": (
        QT_TRANSLATE_NOOP("Settings", "Presence penalty"),
        QT_TRANSLATE_NOOP("Settings", "Discourages any word used already."),
    ),
    "sampling.frequency_penalty": (
        QT_TRANSLATE_NOOP("Settings", "Frequency penalty"),
        QT_TRANSLATE_NOOP("Settings", "Discourages words by how often they were used."),
    ),
    "sampling.dry_multiplier": (
        QT_TRANSLATE_NOOP("Settings", "DRY"),
        QT_TRANSLATE_NOOP("Settings", "Discourages repeating whole phrases. 0: off."),
    ),
    "sampling.xtc_probability": (
        QT_TRANSLATE_NOOP("Settings", "XTC probability"),
        QT_TRANSLATE_NOOP("Settings", "How often the likeliest choices are left out. 0: off."),
    ),
    "sampling.xtc_threshold": (
        QT_TRANSLATE_NOOP("Settings", "XTC threshold"),
        QT_TRANSLATE_NOOP("Settings", "From which likelihood XTC leaves out."),
    ),
    "sampling.seed": (
        QT_TRANSLATE_NOOP("Settings", "Random seed"),
        QT_TRANSLATE_NOOP("Settings", "-1: a new one for each reply."),
    ),
    "sampling.stop": (
        QT_TRANSLATE_NOOP("Settings", "Stop strings"),
        QT_TRANSLATE_NOOP("Settings", "A reply ends before any of these; one a line."),
    ),
}
