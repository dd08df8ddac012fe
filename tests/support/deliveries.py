"""A delivery that is no connector."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.interface import Health, Problem, RowEvidence
from outbox_kit.render.cleanup import RowProof


@dataclass(frozen=True)
class Runs:
    """The status of a delivery of one part."""

    running: bool = True

    def __str__(self) -> str:
        return "runs" if self.running else "stands still"


@dataclass(frozen=True)
class StandIn:
    """A delivery that has published everything that it is going to, or has not: the reason says why."""

    lag: str = ""
    runs: Runs = Runs()
    seen: Sequence[str] = ()
    reports_position: bool = True

    def point(self) -> int:
        return 1

    def position(self) -> int:
        return 0 if self.lag else 1

    def lag_reason(self, point: int) -> str:
        return self.lag if self.position() < point else ""

    def obstacles(self) -> Sequence[str]:
        return self.seen

    def status(self) -> Runs:
        return self.runs

    def health(self) -> Health:
        return Health(
            [("stand-in", str(self.runs))], {"runs": self.runs.running}, [Problem(text) for text in self.seen]
        )

    def evidence(self, *, by_age: bool) -> RowEvidence:
        return RowEvidence(RowProof.age if by_age else RowProof.point)
