"""Two-phase messages in each database that a coordinator can have: what is stored, and what is published."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.cli import invoke
from tests.support.coordinators import (
    EVENT,
    CheckedService,
    Coordinator,
    Shop,
    coordinator,
    document,
    outcome,
    shop_of,
)
from tests.support.servers import PASSWORD, Server
from tests.support.waiting import until

MYSQL = {
    "prepared": "prepared_at = prepared_at - interval 169 hour, check_at = now(6)",
    "finished": "finished_at = finished_at - interval 9 day",
    "sessions": "select concat('kill ', id) from information_schema.processlist where user = 'application' and db = %s",
}
WORDS = {
    "postgres": {
        "prepared": "prepared_at = prepared_at - interval '169 hours', check_at = clock_timestamp()",
        "finished": "finished_at = finished_at - interval '9 days'",
        "sessions": "select format('select pg_terminate_backend(%%s)', pid) from pg_stat_activity "
        "where usename = 'application' and datname = %s",
    },
    "mysql": MYSQL,
    "mariadb": MYSQL,
}
"""How a message is made older than a week, and the statements that end the sessions of a database."""


@pytest.fixture(scope="module", params=["postgres-18", "mysql", "mariadb"])
def shop(
    request: pytest.FixtureRequest, started: Callable[[str], Server], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shop]:
    with shop_of(started(request.param), tmp_path_factory.mktemp("shop")) as shop:
        yield shop


def aged(shop: Shop, what: str) -> None:
    """Make all messages older than a week."""
    words = WORDS[shop.server.dialect][what]
    shop.server.ask(f"update outbox_two_phase set {words} where {what}_at is not null", database=shop.name)


def test_a_message_is_published_by_submit_and_by_nothing_before(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    status, answer = coordinating.message(key, "prepare", document(service, key))
    assert (status, answer["outcome"], answer["state"]) == (200, "unknown", "prepared")
    assert answer["reason"] == "the message is prepared, and no check-back was made yet"
    assert shop.rows(key) == []
    assert coordinating.message(key, "submit")[1]["outcome"] == "committed"
    assert shop.rows(key) == [key]
    status, again = coordinating.message(key, "submit")
    assert (status, again["outcome"]) == (200, "committed")
    assert shop.rows(key) == [key]
    status, refused = coordinating.message(key, "abort")
    assert status == 409
    assert refused["reason"] == f"the message '{key}' is submitted: its events are published"


def test_an_aborted_message_is_never_published(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    coordinating.message(key, "prepare", document(service, key))
    assert coordinating.message(key, "abort")[1]["outcome"] == "rolled_back"
    assert coordinating.message(key, "abort")[0] == 200
    assert coordinating.message(key, "submit")[0] == 409
    assert coordinating.message(key, "prepare", document(service, key))[0] == 409
    assert shop.rows(key) == []


def test_prepare_is_repeated_with_the_same_content_only(
    coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    first = coordinating.message(key, "prepare", document(service, "k1"))
    assert coordinating.message(key, "prepare", document(service, "k1")) == first
    status, answer = coordinating.message(key, "prepare", document(service, "k2"))
    assert (status, answer["reason"]) == (409, f"the message '{key}' was prepared with other content")


def test_what_the_outbox_refuses_is_refused_by_prepare(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    own = {**EVENT, "aggregate_id": key}
    large = {"payload": "x" * 1_100_000}
    for change in ({"type": "OrderLost"}, {"aggregate": "Basket"}, {"columns": {"colour": "red"}}, large):
        events = [own, {**own, **change}]
        status, answer = coordinating.message(key, "prepare", {"check_back": service.url, "events": events})
        assert (status, answer["reason"]) == (422, "the outbox table refuses the events"), change
    twice = {**own, "columns": {"type": "OrderPlaced"}}
    status, answer = coordinating.message(key, "prepare", {"check_back": service.url, "events": [twice]})
    assert (status, answer["reason"]) == (422, "the column 'type' is written twice")
    assert coordinating.message(key)[0] == 404
    assert shop.rows(key) == []


def test_hostile_text_is_published_as_it_is(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    text = key + "'; drop table outbox; -- %s {0} \\ \u2028 \U0001f600"
    event = {**EVENT, "aggregate_id": text, "payload": {text: text}}
    coordinating.message(key, "prepare", {"check_back": service.url, "events": [event]})
    assert coordinating.message(key, "submit")[0] == 200
    ((stored, payload),) = shop.server.ask(
        "select aggregateid, payload from outbox where left(aggregateid, %s) = %s", len(key), key, database=shop.name
    )
    assert (stored, payload if isinstance(payload, dict) else json.loads(payload)) == (text, {text: text})


def test_a_check_back_decides_what_no_client_does(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    first, second, third = (f"{key}-{number}" for number in range(3))
    service.answers = {first: outcome("committed"), second: outcome("rolled_back"), third: outcome("unknown", "open")}
    for name in service.answers:
        coordinating.message(name, "prepare", document(service, name, check_after_seconds=1))
    until(lambda: coordinating.message(first)[1]["outcome"] == "committed", "it is committed")
    until(lambda: coordinating.message(second)[1]["outcome"] == "rolled_back", "it is rolled back")
    assert shop.rows(key) == [first]
    until(lambda: coordinating.message(third)[1]["reason"] == "open", "it is open")
    service.answers[third] = outcome("committed")
    assert coordinating.message(third, "check")[0] == 200
    until(lambda: shop.rows(key) == [first, third], "it is published")


def test_three_coordinators_share_the_messages(
    shop: Shop, coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    service.default = outcome("committed")
    with coordinator(shop), coordinator(shop):
        names = [f"{key}-{number:02}" for number in range(40)]
        for name in names:
            coordinating.message(name, "prepare", document(service, name, check_after_seconds=1))
        until(lambda: len(shop.rows(key)) == len(names), "all are published")
    assert shop.rows(key) == names
    assert sorted(service.asked) == names


def test_a_message_is_given_up_after_a_week_and_removed_a_week_after_its_end(
    shop: Shop, service: CheckedService, tmp_path: Path
) -> None:
    with shop_of(shop.server, tmp_path) as own:
        boss = {**own.server.environment(own.name), "OUTBOX_DB_PASSWORD": PASSWORD}
        with coordinator(own, "--listen", "0") as running:
            service.default = outcome("committed")
            running.message("old", "prepare", document(service, "old", check_after_seconds=60))
            aged(own, "prepared")
            until(lambda: "none comes any more" in running.message("old")[1]["reason"], "it is given up")
            answer = running.message("old", "check")[1]
            assert (answer["outcome"], answer["state"], answer["next_check_at"]) == ("unknown", "prepared", None)
            running.message("new", "prepare", document(service, "new", check_after_seconds=60))
            until(lambda: running.gauge("prepared") == 2, "both are counted")
            assert running.gauge("given_up") == 1
            assert (running.gauge("oldest_seconds") or 0) > 7 * 86_400
            assert service.asked == [] and own.rows() == []
            assert "message old: no check-back was answered" in "".join(running.lines)
            for (statement,) in own.server.ask(WORDS[own.server.dialect]["sessions"], own.name):
                own.server.ask(statement)
            until(lambda: running.message("old", "submit")[0] == 200, "the coordinator has other sessions")
            until(lambda: running.gauge("given_up") == 0, "it is finished")
            assert own.rows() == ["old"]
            aged(own, "finished")
            invoke("cleanup", str(own.file), "--table", "two-phase", environment=boss)
            answers = lambda: (running.message("old")[0], running.message("new")[0])  # noqa: E731
            until(lambda: answers() == (404, 200), "each session that was ended has been replaced")
        down = ("gen-ddl", str(own.file), "--coordinator", "--down", "--apply", "--allow-destructive")
        invoke(*down, environment=boss)
        serve = ("coordinator", "serve", "-f", str(own.file), "--address", "0")
        assert "gen-ddl --coordinator --apply" in invoke(*serve, environment=boss, code=4).stderr
