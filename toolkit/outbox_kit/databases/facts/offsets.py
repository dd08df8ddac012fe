"""What a connector's stored offset must look like: Kafka Connect takes any JSON, and the connector fails later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

KINDS: Mapping[str, type | tuple[type, ...]] = {"integer": int, "text": str, "integer or text": (int, str)}


@dataclass(frozen=True)
class OffsetForm:
    """The form of the stored offsets of one kind of connector."""

    partition: Sequence[str] = ("server",)
    """The keys of the partition; the first is the connector's topic.prefix."""
    required: Mapping[str, str] = field(default_factory=dict)
    """The keys that an offset must have, each with its kind: a key of `KINDS`."""

    def flaws(self, partition: Any, offset: Any, prefix: str) -> list[str]:
        """What is wrong with a stored offset, a sentence each. prefix: the connector's topic.prefix."""
        if not isinstance(partition, Mapping) or not isinstance(offset, Mapping):
            return ["expected an object 'partition' and an object 'offset'"]
        flaws = []
        if set(partition) != set(self.partition):
            flaws.append(
                f"invalid partition: expected the keys {', '.join(self.partition)}; found {_listed(partition)}"
            )
        elif partition[self.partition[0]] != prefix:
            other = partition[self.partition[0]]
            flaws.append(f"the partition is of topic.prefix '{other}', the connector's is '{prefix}'")
        for key, kind in self.required.items():
            value = offset.get(key)
            if key not in offset:
                flaws.append(f"the offset has no '{key}': expected {kind}; found {_listed(offset)}")
            elif isinstance(value, bool) or not isinstance(value, KINDS[kind]):
                flaws.append(f"invalid {key} '{value}': expected {kind}")
            elif isinstance(value, int) and value < 0:
                flaws.append(f"invalid {key} '{value}': expected a number that is not negative")
        return flaws


def _listed(document: Mapping[str, Any]) -> str:
    return ", ".join(map(str, document)) or "no keys"
