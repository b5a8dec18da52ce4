"""The words of the window for what the core tells in codes: errors, ends of replies, sections, template health, times.

One place shows each of them; the core's own English texts are for logs and the command line.
"""

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.library import Character
from kotonia_desktop.domain.messages import FinishReason, Message, Role, SegmentKind, StoppedBy
from kotonia_desktop.domain.models import LoadedModel, TemplateHealth, TemplateSource
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.gui.error_texts import ERRORS
from kotonia_desktop.gui.setting_texts import SETTINGS
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.transcript.documents import split_lines

translate = QCoreApplication.translate
_HOUR = 3600
_DAY = 86_400

_CHOICES = {
    ("ui.language", ""): QT_TRANSLATE_NOOP("Settings", "As the system"),
    ("ui.theme", "system"): QT_TRANSLATE_NOOP("Settings", "As the system"),
    ("ui.theme", "light"): QT_TRANSLATE_NOOP("Settings", "Light"),
    ("ui.theme", "dark"): QT_TRANSLATE_NOOP("Settings", "Dark"),
    ("ui.send_key", ""): QT_TRANSLATE_NOOP("Settings", "Ask"),
    ("ui.send_key", "enter"): QT_TRANSLATE_NOOP("Settings", "Enter"),
    ("ui.send_key", "ctrl_enter"): QT_TRANSLATE_NOOP("Settings", "Ctrl+Enter"),
    ("model.reasoning", "off"): QT_TRANSLATE_NOOP("Settings", "Off"),
    ("model.reasoning", "short"): QT_TRANSLATE_NOOP("Settings", "Short"),
    ("model.reasoning", "free"): QT_TRANSLATE_NOOP("Settings", "Free"),
    ("model.template", ""): QT_TRANSLATE_NOOP("Settings", "The file's own"),
    ("model.template", "completion"): QT_TRANSLATE_NOOP("Settings", "Plain text (base models)"),
}
_GROUPS = {
    "ui": QT_TRANSLATE_NOOP("Settings", "Window"),
    "model": QT_TRANSLATE_NOOP("Settings", "Model"),
    "chat": QT_TRANSLATE_NOOP("Settings", "Conversation"),
    "memory": QT_TRANSLATE_NOOP("Settings", "Memory"),
    "reply": QT_TRANSLATE_NOOP("Settings", "Replies"),
    "sampling": QT_TRANSLATE_NOOP("Settings", "How words are chosen"),
}
_SECTIONS = {
    SectionKind.RULES: QT_TRANSLATE_NOOP("Prompt", "Rules"),
    SectionKind.CHARACTER: QT_TRANSLATE_NOOP("Prompt", "Character"),
    SectionKind.PERSONA: QT_TRANSLATE_NOOP("Prompt", "You"),
    SectionKind.LORE: QT_TRANSLATE_NOOP("Prompt", "Lorebook"),
    SectionKind.EXAMPLES: QT_TRANSLATE_NOOP("Prompt", "Examples"),
    SectionKind.MEMORY: QT_TRANSLATE_NOOP("Prompt", "What is remembered"),
    SectionKind.OPENER: QT_TRANSLATE_NOOP("Prompt", "Opening line"),
    SectionKind.MESSAGES: QT_TRANSLATE_NOOP("Prompt", "Messages, word for word"),
    SectionKind.NOTE: QT_TRANSLATE_NOOP("Prompt", "Note to this message"),
    SectionKind.REPLY: QT_TRANSLATE_NOOP("Prompt", "Room for the reply"),
}
_REASONS = {
    "missing": QT_TRANSLATE_NOOP("Template", "none in the file"),
    "syntax": QT_TRANSLATE_NOOP("Template", "the file's own cannot be read"),
    "not_growing": QT_TRANSLATE_NOOP("Template", "the file's own rewrites earlier turns"),
    "differs": QT_TRANSLATE_NOOP("Template", "the file's own renders turns differently in different places"),
    "refuses_roles": QT_TRANSLATE_NOOP("Template", "the file's own refuses an order of turns we need"),
    "no_roles": QT_TRANSLATE_NOOP("Template", "the file's own knows no roles"),
    "too_slow": QT_TRANSLATE_NOOP("Template", "the file's own takes too long"),
    "unsafe": QT_TRANSLATE_NOOP("Template", "the file's own tries what it may not"),
    "too_long": QT_TRANSLATE_NOOP("Template", "the file's own writes too much"),
}
_IMPORT_KINDS = {
    "card": QT_TRANSLATE_NOOP("Import", "Character {name} is in the library."),
    "chat": QT_TRANSLATE_NOOP("Import", "The chat {name} is in the library."),
    "dialogue": QT_TRANSLATE_NOOP("Import", "The dialogue {name} is in the library."),
}
_STARTER_LINES = {
    "en": QT_TRANSLATE_NOOP("Starters", "A lost property office, ten minutes before closing."),
    "ja": QT_TRANSLATE_NOOP("Starters", "A café with three tables, on a day of rain."),
    "zh": QT_TRANSLATE_NOOP("Starters", "A letter writer at a river crossing."),
}
LANGUAGE_NAMES = {"en": "English", "ja": "日本語", "zh": "简体中文"}
"""Languages in their own names; never translated."""


def error_text(error: KotoniaError) -> str:
    """What happened, what was kept, what to do, in the window's language."""
    parts = ERRORS.get(error.code)
    if parts is None:
        return str(error)
    joint = "" if _is_cjk_ui() else " "
    return joint.join(translate("Errors", part).format(**error.values) for part in parts if part)


def short_error_text(error: KotoniaError) -> str:
    """What happened only, for the foot of the window."""
    parts = ERRORS.get(error.code)
    return translate("Errors", parts[0]).format(**error.values) if parts else str(error)


def _is_cjk_ui() -> bool:
    return translate("Window", "en").startswith(("ja", "zh"))


def ui_language() -> str:
    """The language the window speaks: `en`, `ja` or `zh`."""
    return translate("Window", "en")


def setting_title(key: str, english: str) -> str:
    """The title of a setting."""
    return translate("Settings", SETTINGS[key][0]) if key in SETTINGS else english


def setting_explanation(key: str, english: str) -> str:
    """What a setting does."""
    return translate("Settings", SETTINGS[key][1]) if key in SETTINGS else english


def setting_choice(key: str, value: str) -> str:
    """One value of a setting that is a choice."""
    if key == "ui.language" and value:
        return LANGUAGE_NAMES.get(value, value)
    source = _CHOICES.get((key, value))
    return translate("Settings", source) if source else value


def setting_group(key: str) -> str:
    """The heading a setting stands under."""
    group = key.partition(".")[0]
    return translate("Settings", _GROUPS[group]) if group in _GROUPS else group


def section_title(kind: SectionKind, first: int | None = None, last: int | None = None) -> str:
    """The name of a section of the prompt, with the numbers of its messages."""
    title = translate("Prompt", _SECTIONS[kind])
    if first is None or last is None:
        return title
    return f"{title} · #{first + 1}–#{last + 1}"


def end_mark(message: Message) -> str:
    """Why a reply ends where it ends, in words; "" where it came to its own end."""
    revision = message.revision
    if message.role is Role.USER or message.is_draft:
        return ""
    if revision.thinking_cut:
        return translate("Transcript", "Stopped while thinking")
    if revision.stopped_by is StoppedBy.PERSONA:
        return translate("Transcript", "Stopped before it spoke for you")
    return {
        FinishReason.LENGTH: translate("Transcript", "Reached its length"),
        FinishReason.WINDOW: translate("Transcript", "No room left in the model's view"),
        FinishReason.CANCELLED: translate("Transcript", "Stopped by you"),
        FinishReason.INTERRUPTED: translate("Transcript", "Interrupted; what was written is kept"),
        FinishReason.ERROR: translate("Transcript", "Ended by an error; what was written is kept"),
    }.get(revision.finish, "")


def is_serious_end(message: Message) -> bool:
    """True for an end that gets a colour: the window's, an error's, a think block's."""
    revision = message.revision
    return revision.thinking_cut or revision.finish in (
        FinishReason.WINDOW,
        FinishReason.ERROR,
        FinishReason.INTERRUPTED,
    )


def can_continue(message: Message) -> bool:
    """True where a reply can be gone on with."""
    return message.role is Role.CHARACTER and bool(message.text) and not message.is_draft


def considered(message: Message) -> str:
    """The quiet line over a reply whose model thought first."""
    stats = message.revision.stats
    if stats is None or not stats.reasoning_tokens or not stats.reply_seconds or not stats.reply_tokens:
        return translate("Transcript", "Considered first")
    share = stats.reasoning_tokens / max(stats.reply_tokens, stats.reasoning_tokens)
    return translate("Transcript", "Considered for {seconds} s").format(
        seconds=max(1, round(share * stats.reply_seconds))
    )


def accessible_text(message: Message) -> str:
    """A message as a screen reader says it: who, which, what kind of line, what stands beside it."""
    parts = [
        translate("Transcript", "{name}, message {number}.").format(name=message.speaker, number=message.ordinal + 1)
    ]
    names = {
        SegmentKind.THOUGHT: translate("Transcript", "Thinks: {text}"),
        SegmentKind.OOC: translate("Transcript", "Out of character: {text}"),
    }
    runs = [run for line in split_lines(message.text, message.revision.segments) for run in line.runs]
    parts += [names.get(run.kind, "{text}").replace("{text}", run.text.strip()) for run in runs if run.text.strip()]
    if message.alternate_count > 1:
        parts.append(alternate_label(message) + ".")
    own = own_marks(message)
    if own:
        parts.append(own + ".")
    mark = end_mark(message)
    if mark:
        parts.append(mark + ".")
    return " ".join(parts)


def own_marks(message: Message) -> str:
    """What the user marked a message with: off the record, the end of a chapter."""
    marks = []
    if message.off_record:
        marks.append("⊘ " + translate("Transcript", "Off the record: the model does not see this"))
    if message.ends_chapter:
        marks.append("¶ " + translate("Transcript", "The chapter ends here"))
    return " · ".join(marks)


def alternate_label(message: Message) -> str:
    """Which of its alternates a message is."""
    return translate("Transcript", "Alternate {index}/{count}").format(
        index=message.alternate_index + 1, count=message.alternate_count
    )


def template_line(health: TemplateHealth) -> str:
    """Where the marks of turns come from, and whether that is well."""
    if health.source is TemplateSource.FILE:
        if health.reason:
            return translate("Template", "Template: from the file, adapted")
        return translate("Template", "Template: from the file, checked")
    if health.source is TemplateSource.COMPLETION:
        return translate("Template", "Template: plain text, without roles")
    if health.source is TemplateSource.OVERRIDE:
        return translate("Template", "Template: {name}, chosen by you").format(name=health.name)
    reason = _REASONS.get(health.reason)
    return translate("Template", "Template: {reason}; using {name}").format(
        reason=translate("Template", reason) if reason else health.reason, name=health.name
    )


def model_name(model: LoadedModel) -> str:
    """The model as the foot of the window names it."""
    return model.name or model.path.replace("\\", "/").rpartition("/")[2]


def import_line(kind: str, name: str) -> str:
    """What an import brought."""
    return translate("Import", _IMPORT_KINDS.get(kind, _IMPORT_KINDS["card"])).format(name=name)


def character_line(character: Character) -> str:
    """One line about a character, without spoilers: our own for a starter, else the card's tags."""
    source = _STARTER_LINES.get(character.starter)
    return translate("Starters", source) if source else ", ".join(character.card.tags[:4])


def when(timestamp: float, now: float) -> str:
    """A moment as one says it: minutes ago, a time of today, a day of this week, a date."""
    if timestamp <= 0:
        return ""
    age = now - timestamp
    if age < 60:
        return translate("Time", "just now")
    if age < _HOUR:
        minutes = int(age // 60)
        return translate("Time", "%n min ago", "", minutes)
    moment = datetime.fromtimestamp(timestamp)
    locale = QLocale({"ja": "ja_JP", "zh": "zh_CN"}.get(ui_language(), "en_GB"))
    if age < _DAY and moment.date() == datetime.fromtimestamp(now).date():
        return moment.strftime("%H:%M")
    if age < 6 * _DAY:
        return locale.dayName(moment.isoweekday(), QLocale.FormatType.ShortFormat)
    return f"{moment:%Y-%m-%d}"


def megabytes(size: int) -> str:
    """The size of a file."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
