"""A rule, and the catalogue of a command's rules: one file for each group, found by listing a package. Pure."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from outbox_kit.errors import UnknownName
from outbox_kit.schema.nearest import nearest


class Severity(StrEnum):
    """The weight of a finding, heaviest first. Inconclusive: something could not be examined."""

    error = "error"
    inconclusive = "inconclusive"
    warning = "warning"
    info = "info"


WEIGHTS = {severity: weight for weight, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Group:
    """Rules that are listed together."""

    title: str
    place: tuple[str | int, ...] = ()
    """The path in the schema file that the rules are about; empty for the whole outbox."""
    rank: int = 0
    """The position of the group in a catalogue."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule of a catalogue. Ids are public and never reused."""

    id: str
    severity: Severity
    title: str
    """The condition that holds, in one line: lists of rules show it."""
    problem: str = ""
    """The violation, in one line: a finding shows it if it has no message of its own. The title if it is empty."""
    why: str = ""
    """The consequence of a violation, and its possible causes."""
    fix: str = ""
    """The next step: an imperative, with a command that can be copied if there is one."""
    group: Group
    needs: frozenset[StrEnum] = frozenset()
    """What the rule cannot be checked without; each member's value is the reason that reports give."""
    evidence: tuple[str, ...] = ()
    """Sources of the rule: issue threads, or words such as `measured`."""
    applies: str = ""
    """The connectors and releases that the rule is about; empty for all."""
    strict: bool = False
    """Whether it is checked only in the profile `strict`, or if it is named."""
    each: bool = False
    """Whether a baseline accepts single occurrences instead of the rule on its subject."""


@dataclass(frozen=True)
class Description:
    """What a rule's function says of the rule by its docstring and its module."""

    title: str
    """The first paragraph, in one line, in lower case and without the full stop."""
    why: str
    """The other paragraphs, in one line."""
    group: Group
    """Named after the module."""


def described(check: Callable[..., object]) -> Description:
    """The description of a rule by its function."""
    title, _, why = (check.__doc__ or "").partition("\n\n")
    condition = _line(title).rstrip(".")
    condition = condition[:1].lower() + condition[1:]
    return Description(condition, _line(why), Group(check.__module__.rpartition(".")[2].title()))


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


R = TypeVar("R", bound=Rule)
Check = TypeVar("Check", bound=Callable[..., object])
Fields = ParamSpec("Fields")


class RuleCatalogue(Generic[Fields, R]):
    """The rules of a command. Those of the modules of its package are defined on first use."""

    def __init__(
        self,
        command: str,
        package: str,
        kind: Callable[Fields, R],
        *,
        groups: Sequence[str] = (),
        sets: Mapping[str, Callable[[R], bool]] | None = None,
    ) -> None:
        """command: as it is typed. package: the name of the package whose modules define rules. kind: of the rules.

        groups: the titles of all groups in their order; empty if they are sorted by title. sets: names by which
        options mean several rules, besides the titles of groups, with the condition that these rules have in common.
        """
        self.command = command
        self._sets = sets or {}
        self._groups = groups
        self._package = package
        self._kind = kind
        self._rules: dict[str, R] = {}
        self._complete: Mapping[str, R] | None = None

    def define(self, *args: Fields.args, **fields: Fields.kwargs) -> R:
        """Make a rule of its fields, and enter it. Raises ValueError if the id is taken."""
        return self._enter(self._kind(*args, **fields))

    def function(self, name: str, severity: Severity, **fields: Any) -> Callable[[Check], Check]:
        """Enter a function as a rule: its docstring is the title and, after a blank line, why it matters.

        fields: the others of the rule. Raises ValueError if the id is taken.
        """
        kind: Callable[..., R] = self._kind

        def enter(check: Check) -> Check:
            texts = described(check)
            rank = self._groups.index(texts.group.title) if self._groups else texts.group.rank
            group = replace(texts.group, rank=rank)
            parts = {"title": texts.title, "why": texts.why, "group": group, "check": check}
            self._enter(kind(id=name, severity=severity, **parts, **fields))
            return check

        return enter

    def _enter(self, rule: R) -> R:
        if rule.id in self._rules:
            raise ValueError(f"duplicate rule '{rule.id}'")
        self._rules[rule.id] = rule
        return rule

    def modules(self) -> Sequence[ModuleType]:
        """The modules of the package, imported."""
        package = importlib.import_module(self._package)
        names = (module.name for module in pkgutil.iter_modules(package.__path__))
        return [importlib.import_module(f"{self._package}.{name}") for name in names]

    @property
    def rules(self) -> Mapping[str, R]:
        """All rules by id, sorted by group and id."""
        if self._complete is None:
            self.modules()
            self._complete = dict(sorted(self._rules.items(), key=lambda entry: (entry[1].group.rank, entry[0])))
        return self._complete

    def __iter__(self) -> Iterator[R]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, rule: object) -> bool:
        return rule in self.rules

    def get(self, rule: str) -> R:
        """The rule of an id. Raises UnknownName with the nearest id."""
        if rule not in self.rules:
            near = nearest(rule, list(self.rules))
            raise UnknownName(f"rule '{rule}' not found{near}", fix="list all rules: outbox-kit explain --all")
        return self.rules[rule]

    def sets(self) -> Mapping[str, Callable[[R], bool]]:
        """The names by which options mean several rules, such as `routing`, with the condition of each.

        They are the titles of the groups in lower case, with a hyphen for each blank, and the names that the
        catalogue was given.
        """
        titles = dict.fromkeys(rule.group.title for rule in self)
        return {**{_set_name(title): partial(_has_title, title) for title in titles}, **self._sets}

    def knows(self, name: str) -> bool:
        """Whether a name is that of a rule or a group."""
        return name in self.rules or name in self.sets()

    def members(self, name: str) -> list[str]:
        """The id of a rule, or the ids of the rules that a name of `sets` means. Raises UnknownName."""
        if name in self.rules:
            return [name]
        sets = self.sets()
        if name in sets:
            return [rule.id for rule in self if sets[name](rule)]
        near = nearest(name, [*self.rules, *sets])
        fix = f"list all rules: outbox-kit explain --all; the groups are {', '.join(sorted(sets))}"
        raise UnknownName(f"rule or group '{name}' not found{near}", fix=fix)


def _set_name(title: str) -> str:
    return title.lower().replace(" ", "-")


def _has_title(title: str, rule: Rule) -> bool:
    return rule.group.title == title
