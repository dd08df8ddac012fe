"""YAML as it is read from any file: with places, and with limits, so that none keeps the reader busy or fills memory.

An alias stands for a whole node: a few lines of aliases of aliases can mean more than a machine can hold.
"""

import warnings
from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.constructor import RoundTripConstructor, SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.events import AliasEvent, ScalarEvent
from ruamel.yaml.nodes import Node, ScalarNode

from outbox_kit.textfile import LARGEST

MOST_NODES = 500_000  # with each alias counted as all that it stands for
CHARACTERS_PER_NODE = 64  # so many of a long text weigh as much as one more node
DEEPEST = 100
LONGEST_NUMBER = 100  # digits, with sign and point
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class RefusedYaml(MarkedYAMLError):
    """YAML that is well-formed, but beyond a limit, or with a value that is invalid for its type."""


def loaded(text: str) -> Iterator[Any]:
    """The documents of a YAML text with their places. An anchor may be used again, as YAML 1.2 allows.

    Raises YAMLError: RefusedYaml where a limit is passed. JSON with tabs is taken too, in which they are only blanks.
    """
    _refuse_large(text)
    yaml = YAML(typ="rt")
    yaml.Composer, yaml.Constructor = _Composer, _RoundTrip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReusedAnchorWarning)
        yield from yaml.load_all(text)


def composed(text: str) -> Iterator[Node]:
    """The nodes of a YAML text, a tree for each document, with marks. Raises YAMLError, as `loaded` does."""
    _refuse_large(text)
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _Composer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReusedAnchorWarning)
        yield from filter(None, yaml.compose_all(text))


def plain(text: str) -> Any:
    """The one document of a YAML text as plain values. Raises YAMLError, as `loaded` does."""
    _refuse_large(text)
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer, yaml.Constructor = _Composer, _Safe
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReusedAnchorWarning)
        return yaml.load(text)


def place(cause: YAMLError, source: str) -> str:
    """Where a YAML text is wrong: `file:line:column`, or the file's name where no line is known."""
    mark = (cause.problem_mark or cause.context_mark) if isinstance(cause, MarkedYAMLError) else None
    return f"{source}:{mark.line + 1}:{mark.column + 1}" if mark else source


def why(cause: YAMLError) -> str:
    """What is wrong with a YAML text, on one line."""
    reason = (cause.problem or cause.context) if isinstance(cause, MarkedYAMLError) else None
    return " ".join(str(reason or cause).split())


def _refuse_large(text: str) -> None:
    if len(text) > LARGEST:
        raise RefusedYaml(problem=f"it has {len(text)} characters; the most is {LARGEST}")


class _Composer(Composer):
    """Counts what is composed, and an alias as often as it is used."""

    def __init__(self, loader: Any = None) -> None:
        super().__init__(loader=loader)
        self._total = 0
        self._open: list[list[int]] = []  # of each collection around: its weight and its height until now
        # of each anchor's node: itself, its weight and its height
        self._anchored: dict[int, tuple[Node, int, int]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose the next node. Raises RefusedYaml."""
        event = self.parser.peek_event()
        mark = event.start_mark
        if isinstance(event, AliasEvent):
            node = super().compose_node(parent, index)
            if id(node) not in self._anchored:
                raise RefusedYaml(
                    problem=f"the alias '*{event.anchor}' stands within what it stands for", problem_mark=mark
                )
            _, weight, height = self._anchored[id(node)]
            self._add(weight, height, mark)
            return node
        weight = 1 + (len(event.value) // CHARACTERS_PER_NODE if isinstance(event, ScalarEvent) else 0)
        self._total += weight
        self._open.append([weight, 0])
        self._refuse(len(self._open), mark)
        node = super().compose_node(parent, index)
        weight, height = self._open.pop()
        if event.anchor is not None:
            self._anchored[id(node)] = node, weight, height + 1
        if self._open:
            self._open[-1] = [self._open[-1][0] + weight, max(self._open[-1][1], height + 1)]
        if isinstance(node, ScalarNode) and node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
            problem = f"a number of {len(node.value)} characters; the most is {LONGEST_NUMBER}"
            raise RefusedYaml(problem=problem, problem_mark=mark)
        return node

    def _add(self, weight: int, height: int, mark: Any) -> None:
        self._total += weight
        self._open[-1] = [self._open[-1][0] + weight, max(self._open[-1][1], height)]
        self._refuse(len(self._open) + height, mark)

    def _refuse(self, depth: int, mark: Any) -> None:
        if self._total > MOST_NODES:
            problem = f"with its aliases written out it has more than {MOST_NODES} values, which is the most"
            raise RefusedYaml(problem=problem, problem_mark=mark)
        if depth > DEEPEST:
            raise RefusedYaml(problem=f"it is nested too deeply: the most is {DEEPEST} levels", problem_mark=mark)


class _Placed:
    """Gives what a value's constructor has against it a place, such as the 13th month of a date."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Construct a value. Raises RefusedYaml."""
        try:
            return super().construct_object(node, deep)  # type: ignore[misc]
        except (ValueError, TypeError, OverflowError, AttributeError, LookupError) as cause:
            kind = str(node.tag).rpartition(":")[2]
            problem = f"invalid {kind}: {' '.join(str(cause).split()) or type(cause).__name__}"
            raise RefusedYaml(problem=problem, problem_mark=node.start_mark) from cause


class _RoundTrip(_Placed, RoundTripConstructor):
    """A constructor that keeps places."""


class _Safe(_Placed, SafeConstructor):
    """A constructor of plain values."""
