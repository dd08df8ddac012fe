"""The barrier of two-phase messages on real servers: the first of a transaction and a check-back decides."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from outbox_kit.barrier import Barrier, OutcomeDecided
from outbox_kit.errors import UsageProblem
from tests.database.clients import connected, grant_role
from tests.database.conftest import Kit, Written
from tests.support.servers import Server


@pytest.fixture
def barrier(server: Server, kit: Kit, written: Written) -> Barrier:
    written()
    kit("gen-ddl", "--barrier", "--apply")
    kit("gen-ddl", "--barrier", "--apply")
    return Barrier(server.dialect)


@pytest.fixture
def connect(server: Server, name: str, barrier: Barrier) -> Iterator[Callable[..., Any]]:
    """Opens connections of a service, whose user has the barrier's role and a table of its own."""
    server.ask("create table orders (id varchar(40) primary key)", database=name)
    role = f"{name}_barrier"
    grant_role(server, name, role, "orders")
    opened: list[Any] = []

    def open_connection(*, autocommit: bool) -> Any:
        opened.append(connected(server, name, role, autocommit=autocommit))
        return opened[-1]

    yield open_connection
    for each in opened:
        each.close()


def place(connection: Any, order: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("insert into orders (id) values (%s)", (order,))


@pytest.mark.parametrize("autocommit", [True, False])
def test_the_first_decides(
    server: Server, name: str, barrier: Barrier, connect: Callable[..., Any], autocommit: bool
) -> None:
    service, checks = connect(autocommit=autocommit), connect(autocommit=autocommit)
    with barrier.transaction(service, "m1"):
        place(service, "m1")
    assert barrier.outcome(checks, "m1").document() == {"outcome": "committed", "reason": ""}
    assert barrier.outcome(checks, "m2").outcome == "rolled_back"
    with pytest.raises(OutcomeDecided, match="must not commit"), barrier.transaction(service, "m2"):
        place(service, "m2")
    with pytest.raises(OutcomeDecided), barrier.transaction(service, "m1"):
        place(service, "again")
    with pytest.raises(KeyError), barrier.transaction(service, "m3"):
        place(service, "m3")
        raise KeyError
    assert barrier.outcome(checks, "m3").outcome == "rolled_back"
    assert server.ask("select id from orders", database=name) in ([("m1",)], (("m1",),))


def test_a_check_back_waits_for_an_open_transaction(barrier: Barrier, connect: Callable[..., Any]) -> None:
    service, checks = connect(autocommit=True), connect(autocommit=True)
    with barrier.transaction(service, "m1"):
        answer = barrier.outcome(checks, "m1")
        assert answer.outcome == "unknown"
        assert "the business transaction is open" in answer.reason
    assert barrier.outcome(checks, "m1").outcome == "committed"
    outcomes = []
    with barrier.transaction(service, "m2"):
        thread = threading.Thread(target=lambda: outcomes.append(barrier.outcome(checks, "m2").outcome))
        thread.start()
    thread.join()
    assert outcomes[0] in {"committed", "unknown"}  # never rolled back: its row was there first


def test_hostile_ids(barrier: Barrier, connect: Callable[..., Any]) -> None:
    service = connect(autocommit=True)
    for message in ("' or 1=1 --", "%s {0} :x", "a ", "a", "A", "\u00e4", "x" * 128):
        with barrier.transaction(service, message):
            pass
        assert barrier.outcome(service, message).outcome == "committed"
    for message in ("", "x" * 129, "a\0"):
        with pytest.raises(UsageProblem):
            barrier.outcome(service, message)
