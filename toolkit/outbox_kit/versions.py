"""Releases of Debezium, Kafka and databases as comparable values."""

import re
from dataclasses import dataclass
from functools import total_ordering

DEBEZIUM_MINORS = {0: 10, 1: 9, 2: 7, 3: 7}
"""The last minor release that is known of each major release of Debezium."""


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
            raise ValueError(f"invalid version '{text}'")
        return cls(tuple(int(number) for number in match[0].split(".")))

    @classmethod
    def newest_debezium(cls, major: int | None = None) -> str:
        """The last known release of Debezium, or of one of its major releases, without a patch level."""
        major = max(DEBEZIUM_MINORS) if major is None or major not in DEBEZIUM_MINORS else major
        return f"{major}.{DEBEZIUM_MINORS[major]}"

    @property
    def text(self) -> str:
        """As it is written, such as `3.6`."""
        return ".".join(map(str, self.numbers))

    def __str__(self) -> str:
        return self.text

    @property
    def is_debezium(self) -> bool:
        """Whether it is a known release of Debezium, whatever the patch level."""
        major, minor, *_ = (*self.numbers, 0)
        return minor <= DEBEZIUM_MINORS.get(major, -1)

    def __lt__(self, other: "Version") -> bool:
        shared = min(len(self.numbers), len(other.numbers))
        return self.numbers[:shared] < other.numbers[:shared]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and not self < other and not other < self

    def __hash__(self) -> int:
        return hash(self.numbers[:1])
