"""The nearest of the known words to one that is not known."""

import difflib
from collections.abc import Sequence

FEW = 12


def nearest(word: str, allowed: Sequence[str]) -> str:
    """What to add to a complaint about a word: the one that was meant, else the few that are known, else nothing."""
    close = closest(word, allowed)
    if close and close != word:
        return f"; did you mean '{close}'?"
    return f"; known here: {', '.join(allowed)}" if allowed and len(allowed) <= FEW else ""


def closest(word: str, allowed: Sequence[str], cutoff: float = 0.5) -> str | None:
    """The allowed word that is nearest; None if none is near. cutoff: how alike it must be, from 0 to 1."""
    matches = difflib.get_close_matches(word, allowed, n=1, cutoff=cutoff)
    return matches[0] if matches else None
