"""How well `check` finds what an expert has found: the corpus of public configs, and the score on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from outbox_kit.errors import UsageProblem
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import run
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text
from outbox_kit.versions import Version

CORPUS = Path(__file__).parents[1] / "corpus"
OF_ERRORS = (
    *("judged", "causes", "reviewed", "mixed", "examined", "traps"),
    *("reported", "published", "posted", "kept", "restated"),
    *("visited", "picked", "drawn", "gauged", "hazards", "stages", "unlike", "symptoms", "crossed", "probed"),
    *("scattered", "assorted", "planted", "browsed", "trawled", "raised", "contrived"),
    *("chanced", "spotted", "sighted", "polled", "remote"),
    *("told", "rolled", "strolled", "related", "netted", "mined", "hauled"),
    *("queried", "lifted", "combed", "skimmed", "winnowed", "freighted", "inquired"),
    *("trekked", "scouted", "catalogued", "flagged", "debugged", "wired", "troubled", "plumbed"),
    *("linked", "stumped", "sifted", "retraced"),
)
"""Those whose flaws are of FATAL consequences alone: what is reported with other severities is not judged."""
PARTS = (
    *("known", "held_out", "fresh", "unseen", "later", "latest"),
    *("gathered", "examples", "threads", "overlooked", "deployed", "engines", "written", "gleaned"),
    *("surveyed", "sampled", "recalled", "noticed", "asked", "shipped", "collected", "further"),
    *OF_ERRORS,
)
"""The configs that the rules were written with, and those that nobody looked at meanwhile."""
HEAVY = ("loss", "stop")
"""Consequences that a linter must not miss."""
FATAL = (*HEAVY, "leak", "wrong")
"""Consequences for which an error is right."""


@dataclass(frozen=True)
class Flaw:
    """What the expert has found."""

    file: str
    option: str
    effect: str
    """A consequence, by the words of `lint.rule.Consequence`."""
    why: str
    alternatives: tuple[str, ...] = ()
    """Other options at which the same flaw may be reported, such as the former name of one that is missing."""


@dataclass(frozen=True)
class Reported:
    """What `check` says of one option."""

    file: str
    option: str
    severity: Severity
    rule: str
    message: str


@dataclass
class Score:
    """The comparison of both."""

    right: list[Reported] = field(default_factory=list)
    false: list[Reported] = field(default_factory=list)
    false_errors: list[Reported] = field(default_factory=list)
    """Errors where the expert found nothing, or nothing that deserves an error."""
    found: list[Flaw] = field(default_factory=list)
    missed: list[Flaw] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Files of which another number of connectors was read."""

    def add(self, other: "Score") -> None:
        """Add another part."""
        for each in fields(self):
            getattr(self, each.name).extend(getattr(other, each.name))

    def precision(self, *severities: Severity) -> float:
        """The part of what is reported with these severities that is right."""
        right, false = (sum(each.severity in severities for each in part) for part in (self.right, self.false))
        return right / max(right + false, 1)

    def recall(self, *effects: str) -> float:
        """The part of the flaws with these effects that is reported."""
        found, missed = (sum(each.effect in effects for each in part) for part in (self.found, self.missed))
        return found / max(found + missed, 1)


def score(part: str) -> Score:
    """The score on a part of the corpus."""
    folder, total = CORPUS / part, Score()
    for file, expected in YAML(typ="safe").load((folder / "flaws.yaml").read_text("utf-8")).items():
        flaws = [
            Flaw(file, each["option"], each["effect"], each["why"], tuple(each.get("alt", ())))
            for each in expected["flaws"] or ()
        ]
        _add(total, file, expected, flaws, (folder / file).read_text("utf-8"))
    if part in OF_ERRORS:
        total.false = total.false_errors.copy()
    return total


def _add(total: Score, file: str, expected: dict[str, Any], flaws: Sequence[Flaw], text: str) -> None:
    release = Version.of(expected["release"]) if expected.get("release") else None
    try:
        subjects = from_text(text, file, release)
    except UsageProblem:
        subjects = []
    if len(subjects) != expected["connectors"]:
        total.unread.append(f"{file}: {len(subjects)} instead of {expected['connectors']}")
    findings = run.check(with_peers(subjects))
    reported = list(dict.fromkeys(each for finding in findings for each in _reported(file, finding)))
    for each in reported:
        effects = {flaw.effect for flaw in flaws if _fits(flaw, each)}
        (total.right if effects else total.false).append(each)
        if each.severity is Severity.error and not effects.intersection(FATAL):
            total.false_errors.append(each)
    for flaw in flaws:
        (total.found if any(_fits(flaw, each) for each in reported) else total.missed).append(flaw)


def _reported(file: str, finding: Finding) -> Iterator[Reported]:
    for option in finding.facts["options"]:
        yield Reported(file, option, finding.severity, "/".join(finding.facts["rules"]), finding.text)


def _fits(flaw: Flaw, reported: Reported) -> bool:
    return _plain(reported.option) in map(_plain, (flaw.option, *flaw.alternatives))


def _plain(option: str) -> str:
    """An option by one name: Debezium Server's formats are the converters, and its variables are properties."""
    name = option.lower().replace("_", ".") if option.startswith("DEBEZIUM_") else option
    name = name.removeprefix("quarkus.").removeprefix("debezium.source.").removeprefix("debezium.")
    for part in ("key", "value"):
        name = name.replace(f"format.{part}", f"{part}.converter") if name.startswith(f"format.{part}") else name
    return name
