"""What is in the way of a table's adoption: the catalogue of questions, and the answers as values. Pure."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from outbox_kit import dialects
from outbox_kit.adopt import obstacles as question_package
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.finding import Severity


@dataclass(frozen=True)
class Obstacle:
    """A fact about one table. what: as found there. why: what follows from it. addition: what solves it.

    sql: the addition, where it is a change of the table.
    An error keeps the table from being captured as the proposed file says; a warning has to be decided about.
    """

    rule: str
    severity: Severity
    what: str
    why: str
    addition: str
    sql: str = ""


@dataclass(frozen=True)
class Met:
    """One question answered with yes. addition: in place of the question's own; sql: see `Obstacle`."""

    what: str
    addition: str = ""
    sql: str = ""
    severity: Severity | None = None


Ask = Callable[[Candidate], Iterator[Met]]
Question = Callable[[Candidate], Iterator[Obstacle]]
NOT_IN_THE_LOG = "not-in-the-log"
QUESTIONS: dict[str, Question] = {}


def obstacle(rule: str, severity: Severity, *, addition: str, documents: str = "") -> Callable[[Ask], Ask]:
    """Enter a question into the catalogue. Its docstring says why an answer matters.

    documents: the addition where rows are documents, if it is another one: there are no triggers, CHECKs and columns.
    """

    def enter(ask: Ask) -> Ask:
        why = re.sub(r"\s+", " ", ask.__doc__ or "").strip()

        def answers(one: Candidate) -> Iterator[Obstacle]:
            own = documents if documents and dialects.named(one.dialect).documents else addition
            for met in ask(one):
                yield Obstacle(rule, met.severity or severity, met.what, why, met.addition or own, met.sql)

        QUESTIONS[rule] = answers
        return ask

    return enter


def obstacles(one: Candidate) -> list[Obstacle]:
    """All that is in the way of a candidate, the heaviest first."""
    order = list(Severity)
    found = [answer for ask in questions().values() for answer in ask(one)]
    moot = [answer for answer in found if answer.rule == NOT_IN_THE_LOG]  # all else is about rows that arrive
    return moot or sorted(found, key=lambda answer: order.index(answer.severity))


@cache
def questions() -> dict[str, Question]:
    """Every question, by its rule, sorted."""
    for module in pkgutil.iter_modules(question_package.__path__):
        importlib.import_module(f"{question_package.__name__}.{module.name}")
    return dict(sorted(QUESTIONS.items()))
