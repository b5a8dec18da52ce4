"""Whether something that was made from a message still holds when the message reads otherwise."""

from kotonia_desktop.memory.units import content, numbers, units


def still_holds(made: str, read: str, shown: str) -> bool:
    """Whether everything that `made` took from the text `read` stands in the text `shown` as well: the words it is
    about, and the numbers."""
    taken = content(units(made)) & content(units(read))
    counted = numbers(made) & numbers(read)
    return bool(taken) and taken <= content(units(shown)) and counted <= numbers(shown)
