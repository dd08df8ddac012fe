"""Releases of Debezium, Kafka and databases as comparable values."""

import re
from dataclasses import dataclass
from functools import total_ordering


@total_ordering
@dataclass(frozen=True)
class Version:
    """The numbers of a release. One that names fewer of them stands for all that begin so: 3.6 is any 3.6.x."""

    numbers: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Version":
        """Read `3.6`, `3.6.1` or `3.6.1.Final`; what follows the numbers is a build's label."""
        match = re.match(r"\d+(\.\d+)*", text)
        if not match:
            raise ValueError(f"'{text}' is no version")
        return cls(tuple(int(number) for number in match[0].split(".")))

    def __lt__(self, other: "Version") -> bool:
        shared = min(len(self.numbers), len(other.numbers))
        return self.numbers[:shared] < other.numbers[:shared]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and not self < other and not other < self

    def __hash__(self) -> int:
        return hash(self.numbers[:1])
