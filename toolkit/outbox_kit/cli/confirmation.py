"""Asks on a terminal before something is changed; where no one can answer, nothing is changed."""

import sys

import typer

from outbox_kit import deadline
from outbox_kit.errors import UnsafeChange


def confirmed(what: str, *, fix: str, question: str = "") -> bool:
    """Whether the user agrees. The answer may take its time: it does not count for the time limit.

    what: the change, in words. question: what is asked; the change by default. Raises UnsafeChange if the input or the
    output is not a terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        why = "the input is not a terminal, which could be asked; nothing was changed"
        raise UnsafeChange(f"not confirmed: {what}", why=why, fix=fix)
    with deadline.paused():
        return bool(typer.confirm(question or f"{what[:1].upper()}{what[1:]}?"))
