"""Where an outbox's connector sends its events, and what it sends along. Pure.

The model of the router is asked with the whole generated config, raw options and all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import javaregex
from outbox_kit.router.chain import Failed, Message, Nondeterministic, Outcome, Unknown, router_settings
from outbox_kit.router.convert import below
from outbox_kit.router.settings import RouterColumns
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.routing import previous_topics, route_of
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.versions import Version
from outbox_kit.wire import cloudevents, connector, rows
from outbox_kit.wire.columns import ROUTER_STEP
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.later_steps import LaterSteps, later_steps
from outbox_kit.wire.send import send
from outbox_kit.wire.shape import Config, shape

REGEX, REPLACEMENT = "route.topic.regex", "route.topic.replacement"
GROUP = lazy_pattern(r"\$(?:\{\w+\}|\d)")  # in a replacement of Java's
RELAY = "relay"
MARKER = "Order"  # stands for any route


@dataclass(frozen=True)
class Routes:
    """An outbox's topics, keys and headers.

    If the model does not know what the config does, `assumed` says why, and the other answers are those of the schema
    file without raw options: a message that uses them must state this too.
    """

    outbox: Outbox
    release: Version | None = None
    """Debezium's; None for the schema file's."""

    @cached_property
    def columns(self) -> RouterColumns:
        """The columns that the event router reads."""
        return router_columns(self.outbox)

    def route(self, event: EventType) -> str | None:
        """What a declared event's rows hold in the column that chooses the topic; None if each row decides it."""
        return route_of(event, self.outbox.table.columns, self.columns.route)

    def topic(self, route: str) -> str:
        """The topic of events whose route column holds this."""
        sent = self._message_for(route)
        return self._rule(route) if isinstance(sent, str) else sent.topic

    def of_event(self, event: EventType) -> str | None:
        """The topic of a declared event; None where an extra column decides it row by row."""
        route = self.route(event)
        return None if route is None else self.topic(route)

    @cached_property
    def topics(self) -> list[str]:
        """Every topic that the declared events go to, sorted; those by an extra column are not known here."""
        return sorted({topic for event in self.outbox.events if (topic := self.of_event(event)) is not None})

    def previous(self, event: EventType) -> frozenset[str]:
        """The other topics that a declared event may be on, from before its topic was changed."""
        return frozenset(previous_topics(self.outbox, event)) - {self.of_event(event)}

    @cached_property
    def previous_topics(self) -> list[str]:
        """The topics that events were moved away from and that no event has now, sorted."""
        return sorted({topic for event in self.outbox.events for topic in self.previous(event)} - {*self.topics})

    def moved_to(self, topic: str) -> frozenset[str]:
        """The topics that the events of a topic were moved away from; of all events if no declared event has it."""
        events = [event for event in self.outbox.events if self.of_event(event) == topic]
        return frozenset().union(*map(self.previous, events or self.outbox.events))

    def begins_with_move(self, topic: str) -> bool:
        """Whether all events of a topic were moved to it, so that its first message is from after the change."""
        events = self.outbox.events
        moved = [bool(self.previous(event)) for event in events if self.of_event(event) == topic]
        return bool(moved) and all(moved) and not any(topic in self.previous(event) for event in events)

    @cached_property
    def canary(self) -> str:
        """The topic of the canary row; see `databases.canary`."""
        by_type = self.columns.route == self.outbox.table.columns.type
        return self.topic(CANARY_TYPE if by_type else CANARY_AGGREGATE)

    @cached_property
    def canaries(self) -> frozenset[str]:
        """The topics of canary rows, also those of before the topic was changed."""
        event = EventType(type=CANARY_TYPE, aggregate=CANARY_AGGREGATE)
        return frozenset({self.canary, *previous_topics(self.outbox, event)}) - {*self.topics, *self.previous_topics}

    @cached_property
    def assumed(self) -> str:
        """Why the topics are only those of `routing.topic`; empty if they follow from the configuration."""
        return next((sent for sent in map(self._message_for, self._routes) if isinstance(sent, str)), "")

    @property
    def caveat(self) -> str:
        """A remark for each place where a topic is named; empty if the topics follow from the configuration."""
        return f"those of routing.topic; the connector's own are unknown: {self.assumed}" if self.assumed else ""

    @cached_property
    def ends(self) -> tuple[str, str] | None:
        """What every topic of the outbox begins and ends with; None if it is not known."""
        settings = None if self.assumed else router_settings(self._config, self._release)
        parts = GROUP.split(settings.replacement if settings else _declared_router(self.outbox)[REPLACEMENT])
        if len(parts) < 2 or "\\" in parts[0] + parts[-1]:
            return None
        topics = [self.topic(route) for route in self._routes]
        alike = all(topic.startswith(parts[0]) and topic.endswith(parts[-1]) for topic in topics)
        return (parts[0], parts[-1]) if alike else None

    @property
    def pattern(self) -> str:
        """How topics that the rows choose are called, with the column in braces."""
        first, last = self.ends or ("", "")
        return f"{first}{{{self.columns.route}}}{last}"

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headers that come with every event, in their order, but for those of `context`."""
        if isinstance(self._shape, str):
            return ("id", *self.columns.headers, *cloudevents.constants(self.outbox))
        return self._later.headers(name for name, _ in self._shape.headers)

    @cached_property
    def context(self) -> tuple[str, ...]:
        """The headers before them in which Debezium says who has sent an event; a relay sends none."""
        if isinstance(self._shape, str) or self.outbox.delivery.by == RELAY:
            return ()
        return self._later.headers(name for name, _ in self._shape.context)

    @cached_property
    def key(self) -> str | None:
        """The column that becomes the message key; None if a transformation behind the router makes another key."""
        return None if self._later.change_key else self.columns.key

    @property
    def keyed_by_aggregate(self) -> bool:
        """Whether the message key is the aggregate's id."""
        return self.key is not None and self.key == self.outbox.table.columns.aggregate_id

    @cached_property
    def by_key(self) -> bool:
        """Whether the key chooses the partition, and no column does."""
        return self.columns.partition is None if isinstance(self._shape, str) else self._shape.partition is None

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """What the rows of the declared events hold in the column that chooses the topic, sorted; empty if each row
        decides it."""
        return tuple(sorted({route for event in self.outbox.events if (route := self.route(event)) is not None}))

    @property
    def _routes(self) -> tuple[str, ...]:
        """The routes of the declared events, or one that stands for those that rows choose."""
        return self.declared or (MARKER,)

    @property
    def _shape(self) -> Message | str:
        return self._message_for(self._routes[0])

    @cached_property
    def _rule(self) -> Callable[[str], str]:
        return routing_topic(self.outbox)

    @cached_property
    def _release(self) -> Version:
        return self.release or Version.of(self.outbox.connect.debezium)

    @cached_property
    def _later(self) -> LaterSteps:
        return later_steps(connector.config(self.outbox))

    @cached_property
    def _config(self) -> Config:
        return self._later.config

    @cached_property
    def _messages(self) -> dict[str, Message | str]:
        return {}

    def _message_for(self, route: str) -> Message | str:
        """What becomes of an event with this route, or why that is not known; its payload has no say."""
        if route not in self._messages:
            self._messages[route] = _message(self._outcome(route))
        return self._messages[route]

    def _outcome(self, route: str) -> Outcome:
        outbox, rows_topic = self.outbox, connector_topics(self.outbox).rows
        changes = {outbox.table.columns.payload: "{}", self.columns.route: route}
        try:
            row = rows.of_event(outbox, outbox.events[0], changes)
            return send(outbox.database.dialect, self._config, rows_topic, row, self._release, converted=False)
        except UsageProblem as problem:
            return Unknown(": ".join(filter(None, (problem.what, problem.why))))


def _message(outcome: Outcome) -> Message | str:
    """The message of an outcome, or the reason why there is none."""
    match outcome:
        case Message():
            return outcome
        case Nondeterministic(outcomes):
            messages = [outcome for outcome in outcomes if isinstance(outcome, Message)]
            if len(messages) == len(outcomes) and len({message.topic for message in messages}) == 1:
                return messages[0]
            return "they depend on the JVM's hash order"
        case Failed(_, kind, message):
            return f"the connector's task would fail: {kind}: {message}"
        case Unknown(reason):
            return f"outbox-kit does not know {reason}"
        case _:
            return "the connector would drop every event"


def routing_topic(outbox: Outbox) -> Callable[[str], str]:
    """The topic that `routing.topic` alone gives a route, by the router's rule; no raw option is heeded."""
    options = _declared_router(outbox)
    pattern, replacement = javaregex.compiled(options[REGEX]), options[REPLACEMENT]
    return lambda route: javaregex.rewritten(pattern, route, replacement)


def _declared_router(outbox: Outbox) -> Config:
    """The options of the generated event router, without raw ones."""
    return below(shape(outbox), f"transforms.{ROUTER_STEP}.")
