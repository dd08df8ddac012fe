"""Where an outbox's own connector sends its events, and what it sends along: as the model of the router says it. Pure.

What the schema file's raw connector options change is in it, for it is the whole config that is asked.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from outbox_kit.errors import UsageProblem
from outbox_kit.preview.send import send_event
from outbox_kit.router.chain import Message
from outbox_kit.schema.names import names

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class Routes:
    """An outbox's topics by the values of its route column.

    Where the model does not know what a raw option does, the schema file's own words hold.
    """

    outbox: "Outbox"

    def topic(self, route: str) -> str:
        """The topic of events whose route column holds this."""
        sent = self._sent(route)
        return self.outbox.topic(route) if sent is None else sent.topic

    @cached_property
    def topics(self) -> list[str]:
        """Every topic that the declared events go to, sorted; those by an extra column are not known here."""
        return sorted({self.topic(route) for event in self.outbox.events if (route := self.outbox.route(event))})

    @cached_property
    def canary(self) -> str:
        """The topic of the row that is nobody's event."""
        return self.topic(names(self.outbox).canary_route)

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headers that come with every event, in their order."""
        placed = (placement.name for placement in self.outbox.placements if placement.to == "header")
        return ("id", *placed) if self._shape is None else tuple(name for name, _ in self._shape.headers)

    @cached_property
    def by_key(self) -> bool:
        """Whether the key chooses the partition, and no column does."""
        placed = any(placement.to == "partition" for placement in self.outbox.placements)
        return not placed if self._shape is None else self._shape.partition is None

    @cached_property
    def _known(self) -> dict[str, Message | None]:
        return {}

    @cached_property
    def _shape(self) -> Message | None:
        return self._sent(self.outbox.route(self.outbox.events[0]) or "x")

    def _sent(self, route: str) -> Message | None:
        """What becomes of an event with this route; its payload has no say."""
        if route not in self._known:
            self._known[route] = self._made(route)
        return self._known[route]

    def _made(self, route: str) -> Message | None:
        outbox = self.outbox
        try:
            found = send_event(
                outbox, outbox.events[0], {outbox.route_column: route, outbox.table.columns.payload: "{}"}
            )
        except UsageProblem:
            return None
        return found if isinstance(found, Message) else None
