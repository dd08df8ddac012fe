"""Where an outbox's own connector sends its events, and what it sends along: the only place that answers that. Pure.

The whole generated config is asked, raw options and all, by the model of the router.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from outbox_kit.errors import UsageProblem
from outbox_kit.preview import rows
from outbox_kit.preview.send import send
from outbox_kit.render import connector
from outbox_kit.router import javaregex
from outbox_kit.router.chain import ROUTERS, Failed, Message, Outcome, Undefined, Unknown
from outbox_kit.router.convert import below
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.transforms import KEEP_TOPIC
from outbox_kit.schema.names import names
from outbox_kit.versions import Version

if TYPE_CHECKING:
    from outbox_kit.schema.model import Event, Outbox

REGEX, REPLACEMENT = "route.topic.regex", "route.topic.replacement"
GROUP = re.compile(r"\$(?:\{\w+\}|\d)")  # in a replacement of Java's
MARKER = "Order"  # stands for any route


@dataclass(frozen=True)
class Routes:
    """An outbox's topics. release: Debezium's, where it is not the schema file's own.

    Where the model does not know what a config does, `assumed` says why, and the other answers are what `routing.topic`
    alone says: whoever uses them says so too.
    """

    outbox: "Outbox"
    release: Version | None = None

    def topic(self, route: str) -> str:
        """The topic of events whose route column holds this."""
        sent = self._sent(route)
        return self._rule(route) if isinstance(sent, str) else sent.topic

    def of_event(self, event: "Event") -> str | None:
        """The topic of a declared event; None where an extra column decides it row by row."""
        route = self.outbox.route(event)
        return None if route is None else self.topic(route)

    @cached_property
    def topics(self) -> list[str]:
        """Every topic that the declared events go to, sorted; those by an extra column are not known here."""
        return sorted({topic for event in self.outbox.events if (topic := self.of_event(event)) is not None})

    @cached_property
    def canary(self) -> str:
        """The topic of the row that is nobody's event."""
        return self.topic(names(self.outbox).canary_route)

    @cached_property
    def assumed(self) -> str:
        """Why the topics are only what `routing.topic` says; empty where the model of the router knows them."""
        return next((sent for sent in map(self._sent, self._routes) if isinstance(sent, str)), "")

    @property
    def caveat(self) -> str:
        """What is to be said where a topic is named; empty where the model of the router knows it."""
        return f"as routing.topic has it, for it is not known where events go: {self.assumed}" if self.assumed else ""

    @cached_property
    def ends(self) -> tuple[str, str] | None:
        """What every topic of the outbox begins and ends with; None where that cannot be said."""
        options = _router(_without_raw_options(self.outbox) if self.assumed else self._config)
        parts = GROUP.split(trim(options.get(REPLACEMENT, "outbox.event.$1")))
        if len(parts) < 2 or "\\" in parts[0] + parts[-1]:
            return None
        topics = [self.topic(route) for route in self._routes]
        alike = all(topic.startswith(parts[0]) and topic.endswith(parts[-1]) for topic in topics)
        return (parts[0], parts[-1]) if alike else None

    @property
    def pattern(self) -> str:
        """How topics that the rows choose are called, with the column in braces."""
        first, last = self.ends or ("", "")
        return f"{first}{{{self.outbox.route_column}}}{last}"

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headers that come with every event, in their order."""
        placed = (placement.name for placement in self.outbox.placements if placement.to == "header")
        return ("id", *placed) if isinstance(self._shape, str) else tuple(name for name, _ in self._shape.headers)

    @cached_property
    def by_key(self) -> bool:
        """Whether the key chooses the partition, and no column does."""
        placed = any(placement.to == "partition" for placement in self.outbox.placements)
        return not placed if isinstance(self._shape, str) else self._shape.partition is None

    @property
    def _routes(self) -> Iterator[str]:
        """The routes of the declared events, or one that stands for those that rows choose."""
        known = {route for event in self.outbox.events if (route := self.outbox.route(event)) is not None}
        yield from sorted(known) or [MARKER]

    @property
    def _shape(self) -> Message | str:
        return self._sent(next(self._routes))

    @cached_property
    def _rule(self) -> Callable[[str], str]:
        return routing_topic(self.outbox)

    @cached_property
    def _config(self) -> connector.Config:
        return _without_bystanders(connector.config(self.outbox))

    @cached_property
    def _known(self) -> dict[str, Message | str]:
        return {}

    def _sent(self, route: str) -> Message | str:
        """What becomes of an event with this route, or why that is not known; its payload has no say."""
        if route not in self._known:
            self._known[route] = _one(self._outcome(route))
        return self._known[route]

    def _outcome(self, route: str) -> Outcome:
        outbox = self.outbox
        changes = {outbox.route_column: route, outbox.table.columns.payload: "{}"}
        release = self.release or Version.of(outbox.connect.debezium)
        try:
            row = rows.of_event(outbox, outbox.events[0], changes)
            raw_topic = names(outbox).raw_topic
            return send(outbox.database.dialect, self._config, raw_topic, row, release, converted=False)
        except UsageProblem as problem:
            return Unknown(": ".join(filter(None, (problem.what, problem.why))))


def _one(outcome: Outcome) -> Message | str:
    """The message of an outcome, or why there is none."""
    match outcome:
        case Message():
            return outcome
        case Undefined(outcomes):
            messages = [one for one in outcomes if isinstance(one, Message)]
            if len(messages) == len(outcomes) and len({one.topic for one in messages}) == 1:
                return messages[0]
            return "the JVM's hash order decides"
        case Failed(_, kind, message):
            return f"the connector's task would fail: {kind}: {message}"
        case Unknown(reason):
            return f"not known to the model of the router: {reason}"
        case _:
            return "the connector would drop every event"


def routing_topic(outbox: "Outbox") -> Callable[[str], str]:
    """The topic that `routing.topic` alone gives a route, by the router's own rule; no raw option is heeded."""
    options = _router(_without_raw_options(outbox))
    pattern, replacement = javaregex.compiled(options[REGEX]), options[REPLACEMENT]
    return lambda route: javaregex.rewritten(pattern, route, replacement)


def _without_raw_options(outbox: "Outbox") -> connector.Config:
    connect = outbox.connect.model_copy(update={"config": {}})
    return connector.config(outbox.model_copy(update={"connect": connect}))


def _without_bystanders(config: connector.Config) -> connector.Config:
    """A config without the transformations behind its router that have no say in a topic: they need not be known."""
    steps = [trim(name) for name in split(config.get("transforms", ""), ",")]
    kinds = [trim(config.get(f"transforms.{name}.type", "")) for name in steps]
    router = next((n for n, kind in enumerate(kinds) if kind in ROUTERS), len(steps))
    kept = [name for n, name in enumerate(steps) if n <= router or kinds[n] not in KEEP_TOPIC]
    if any(f"transforms.{name}.predicate" in config for name in kept[router + 1 :]):
        return config  # which may go by a header that one of them adds
    return {**config, "transforms": ",".join(kept)}


def _router(config: Mapping[str, str]) -> dict[str, str]:
    """The options of a config's event router; none where it has none."""
    steps = [below(config, f"transforms.{trim(name)}.") for name in split(config.get("transforms", ""), ",")]
    return next((options for options in steps if options.get("type") in ROUTERS), {})
