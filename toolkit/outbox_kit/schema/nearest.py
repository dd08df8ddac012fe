"""The nearest of the known words to one that is not known."""

import difflib
from collections.abc import Sequence

FEW = 12
SHORTEST = 3


def nearest(word: str, allowed: Sequence[str]) -> str:
    """What to add to an error about a word: the word that was probably meant, else the known ones if they are few."""
    close = closest(word, allowed)
    if close and close != word:
        return f"; did you mean '{close}'?"
    return f"; expected one of {', '.join(allowed)}" if allowed and len(allowed) <= FEW else ""


def suggestion(word: str, allowed: Sequence[str], form: str = "%s") -> str:
    """The nearest of the allowed words as the end of a message that lists them; empty if none is near.

    form: the word's form in the file, such as `{%s}` for a placeholder.
    """
    close = closest(word, allowed)
    return f"; did you mean '{form % close}'?" if close and close != word else ""


def closest(word: str, allowed: Sequence[str], cutoff: float = 0.5) -> str | None:
    """The allowed word that is nearest; None if none is near. cutoff: how alike it must be, from 0 to 1."""
    matches = difflib.get_close_matches(word, allowed, n=1, cutoff=cutoff)
    return matches[0] if matches else None


def similar(word: str, allowed: Sequence[str], most: int = 3) -> str:
    """The allowed words that contain the word or are spelled like it, quoted: `'a', 'b' or 'c'`; empty if none is."""
    folded = {name.lower(): name for name in allowed}
    near = difflib.get_close_matches(word.lower(), list(folded), n=most, cutoff=0.7)
    containing = sorted((name for name in folded if len(word) >= SHORTEST and word.lower() in name), key=len)
    *others, last = [f"'{folded[name]}'" for name in dict.fromkeys([*near, *containing])][:most] or [""]
    return f"{', '.join(others)} or {last}" if others else last
