"""The transformations of a connector, one by one."""

from collections.abc import Mapping
from dataclasses import dataclass

from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER


@dataclass(frozen=True)
class TransformStep:
    """A transformation of the chain."""

    name: str
    """Its name in `transforms`."""
    kind: str
    """Its class."""
    options: Mapping[str, str]
    """Its options, without its prefix."""

    @property
    def prefix(self) -> str:
        """The prefix of its keys."""
        return f"transforms.{self.name}."

    @property
    def routes(self) -> bool:
        """Whether it is an event router."""
        return self.kind in (EVENT_ROUTER, MONGO_EVENT_ROUTER)

    @property
    def negated(self) -> bool:
        """Whether it is applied to what its predicate does not match."""
        return self.options.get("negate", "").strip().lower() == "true"

    def key(self, name: str) -> str:
        """The full key of one of its options."""
        return f"{self.prefix}{name}"
