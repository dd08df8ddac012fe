"""`verify --follow`: a window after the other, until somebody ends it."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from outbox_kit.cli.output import say, show
from outbox_kit.errors import EnvironmentProblem, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable

    from outbox_kit.verify.result import Report, Request
    from outbox_kit.verify.verdict import Verdict

# options that go with --follow only, and why others do not go with it
OWN = ("every", "windows", "state", "remember", "metrics")
WITHOUT = {
    "messages": "captured messages have an end",
    "shards": "shards are judged once",
    "end": "it reads on",
    "ledger": "a file is read once; the table is asked in every window",
    "fence": "nobody waits for the connector: a later window asks how far it is",
    "update_baseline": "a baseline is what one run found",
    "spark": "it remembers on this machine",
}


@dataclass(frozen=True)
class Course:
    """How a log is followed. every: seconds from window to window. windows: how many; None for no end.

    state: the folder of what is known, None for one that nobody keeps. remember: see `Follower`. metrics: see
    `published`.
    """

    every: float
    windows: int | None
    state: Path | None
    remember: int
    metrics: Sequence[str]


def refuse(given: Mapping[str, bool], *, follow: bool) -> None:
    """Raise UsageProblem where options were given that do not go together. given: by parameter."""
    for name in OWN if not follow else ():
        if given[name]:
            raise UsageProblem(f"--{name} goes with --follow only", fix="add --follow, or leave it out")
    for name, why in WITHOUT.items() if follow else ():
        if given[name]:
            option = {"shards": "merge", "end": "--to"}.get(name, f"--{name.replace('_', '-')}")
            raise UsageProblem(f"--follow does not go with {option}", why=why, fix="leave one of the two out")


def destinations(given: Sequence[str]) -> Sequence[str]:
    """Where metrics are to be. Raises UsageProblem."""
    for one in given:
        if not (one.endswith(".prom") or re.fullmatch(r"(.+:)?\d{1,5}", one)):
            raise UsageProblem(f"--metrics '{one}' is no place", fix="write 9464, HOST:9464 or FILE.prom")
    return given


def followed(
    request: "Request", course: Course, output: str, keep: "Callable[[Report], list[EnvironmentProblem]]"
) -> "Verdict":
    """Follow until the last window, if there is one; the worst verdict. output: text or json.

    keep: writes a window's reports; a file that cannot be written is told of, and is no reason to end.
    """
    from outbox_kit.verify.follow import Follower
    from outbox_kit.verify.metrics import Metrics, published
    from outbox_kit.verify.part import folder
    from outbox_kit.verify.report.window import RENDERED
    from outbox_kit.verify.state import held
    from outbox_kit.verify.verdict import Verdict

    metrics, verdicts = Metrics(request.outbox.service), set()
    with ExitStack() as block:
        place = course.state or block.enter_context(folder(request.spool))
        block.enter_context(held(place))
        publish = block.enter_context(published(metrics, course.metrics, say))
        follower = Follower(request, place, course.remember, say, RENDERED[output], _printed)
        for _ in _windows(course):
            told = follower.window()
            metrics.told = told
            verdicts.add(told.report.verdict)
            for problem in [*publish(), *(keep(told.report) if told.judged else ())]:
                say("\n".join(problem.lines()))
    return next(one for one in (Verdict.failed, Verdict.inconclusive, Verdict.passed) if one in verdicts)


def _windows(course: Course) -> Iterator[None]:
    """Give the moments at which windows end, as they come."""
    done, due = 0, time.monotonic()
    while course.windows is None or done < course.windows:
        time.sleep(max(0.0, due - time.monotonic()))
        yield
        done, due = done + 1, max(due + course.every, time.monotonic())


def _printed(text: str) -> None:
    show(text, nl=False)
