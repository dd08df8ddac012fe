"""An event type is added."""

from outbox_kit.operate.drill.ground import AGGREGATE, EVENT, Ground
from outbox_kit.operate.drill.model import Act, Drill

EVENTS = [{"type": name, "aggregate": AGGREGATE} for name in (EVENT, "OrderPaid")]
REPOSITORY = "git init --quiet --initial-branch main . && git add outbox.yaml && git {author} commit --quiet -m drill"
AUTHOR = "-c user.name=drill -c user.email=drill@localhost"


def _commit(place: Ground) -> None:
    place.command(REPOSITORY.format(author=AUTHOR))


def _add(place: Ground) -> None:
    place.change("events", EVENTS)


DRILL = Drill(
    fault="a service has to write another event type",
    chapter="schema-change",
    inject=_commit,
    steps=(Act("declare the event type in the schema file", _add), 1, 2, 4),
)
