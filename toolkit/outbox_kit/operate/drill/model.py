"""A drill: a fault, how it is detected, and the steps of the runbook that repair it."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from outbox_kit.errors import UnknownName
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.schema.nearest import nearest

DRILLS = "outbox_kit.operate.drills"
"""The package whose modules are drills."""


class Detector(StrEnum):
    """The command that detects a fault."""

    alert = "alert"
    """Prometheus with the generated rules, or the thresholds that `lag` compares."""
    doctor = "doctor"
    verify = "verify"


@dataclass(frozen=True)
class FaultSignal:
    """What shows that the fault has happened."""

    detector: Detector
    name: str
    """The name of the alert, or the id of the finding."""
    threshold: str = ""
    """The alert that shows it without Prometheus, if the one of `name` compares times."""


@dataclass(frozen=True)
class Act:
    """What a person does between two steps of a chapter, as the chapter says in words."""

    text: str
    """An imperative."""
    perform: Callable[[Ground], None]


@dataclass(frozen=True, kw_only=True)
class Drill:
    """A drill. Its name is that of its module, with hyphens."""

    name: str = ""
    fault: str
    """What happens, a statement; of a planned change, its purpose."""
    chapter: str
    """The id of the chapter whose commands are executed."""
    delivery: str = "connector"
    """The delivery of the outbox."""
    source: str = "log"
    """What a relay reads: log or table."""
    signal: FaultSignal | None = None
    """None for a planned change, which nothing has to detect."""
    alerts: Sequence[str] = ()
    """Other alerts of Prometheus that fire, before the repair begins. Without Prometheus they are not awaited."""
    jmx_alerts: Sequence[str] = ()
    """The same about metrics of the worker. Without those they are not awaited."""
    writes: bool = False
    """Whether events are written until the fault is detected."""
    needs_prometheus: bool = False
    """Whether only Prometheus detects the fault."""
    needs_jmx: bool = False
    """Whether only the metrics of the worker show the fault."""
    prepare: Callable[[Ground], None] | None = None
    """Starts what the fault needs, before the alerts are read: one of them may fire because it does not run."""
    inject: Callable[[Ground], None]
    """Causes the fault."""
    steps: Sequence[int | Act]
    """The steps of the chapter that its decision table leads to, by number, and what a person does between them."""
    verdict: str = "PASS"
    """The verdict of the verification at the end."""
    findings: Sequence[str] = ()
    """What the verification reports at the end, and has to report."""
    restore: Callable[[Ground], None] | None = None
    """Takes back what the chapter does not."""
    leaves_marks: bool = False
    """Whether later verifications report the fault too, so that the next drill needs another outbox."""
    alone: bool = False
    """Whether it disturbs every outbox of the stack."""
    removes: bool = False
    """Whether nothing is left that could be verified after the last step."""
    delivery_after: str = ""
    """The delivery at the end, if it is another one."""


@cache
def drills() -> Mapping[str, Drill]:
    """All drills by name, in the order in which they can follow each other on one outbox."""
    package = importlib.import_module(DRILLS)
    listed: dict[str, Drill] = {}
    for module in pkgutil.iter_modules(package.__path__):
        drill: Drill = importlib.import_module(f"{DRILLS}.{module.name}").DRILL
        name = module.name.replace("_", "-")
        listed[name] = Drill(**{**vars(drill), "name": name})
    return dict(sorted(listed.items(), key=lambda item: _turn(item[1])))


def _turn(drill: Drill) -> tuple[object, ...]:
    """Drills of a connector first; those that change the delivery are the last before the other's; those that leave
    marks, and need an outbox of their own, are the last of all."""
    return drill.leaves_marks, drill.delivery != "connector", drill.source, bool(drill.delivery_after), drill.name


def drill_named(name: str) -> Drill:
    """The drill of a name. Raises UnknownName with the nearest name."""
    try:
        return drills()[name]
    except KeyError:
        near = nearest(name, list(drills()))
        raise UnknownName(f"drill '{name}' not found{near}", fix="list all drills: outbox-kit drill --list") from None
