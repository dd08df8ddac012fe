"""The relay's dead letters for an operator, in a real table: listed, shown, sent again, discarded; and who may."""

import json
import shlex
import time
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from outbox_kit.databases import servers
from outbox_kit.databases.failures import FailedEvent, FailureTable, event_digest
from outbox_kit.databases.postgres.failures import PostgresFailureTable, fenced_failures
from outbox_kit.errors import ProducerFenced
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.support.servers import Server

RELAY = "delivery: {by: relay}"
PASSING = "delivery: {by: relay, on_dead_letter: pass}"
TABLES = ("outbox_failure", "outbox_relay")
NOTHING = "nothing was changed"
DISCARD = ("relay", "dead", "discard", "--yes", "--allow-destructive")
MANY = """
insert into outbox_failure (lane, event_id, topic, row_text, cause, attempts, dead, send_at)
select format('["Order","%%s"]', n %% 1000), n, 'shop.Order', repeat('x', 1000), 'refused', 5, n <= 50000, now()
from generate_series(1, 100000) n
"""
MANY_MYSQL = """
insert into outbox_failure (lane, lane_digest, event_id, event_digest, topic, row_text, cause, attempts, dead, key_hash,
                            failed_at, send_at)
with recursive few as (select 0 as n union all select n + 1 from few where n < 316),
many as (select a.n * 317 + b.n + 1 as n from few as a join few as b)
select concat('["Order","', n % 1000, '"]'), unhex(sha2(concat('["Order","', n % 1000, '"]'), 256)), n,
       unhex(sha2(n, 256)), 'shop.Order', repeat('x', 1000), 'refused', 5, n <= 50000, crc32(n % 1000),
       utc_timestamp(6), utc_timestamp(6)
from many where n <= 100000 order by n
"""
ON_POSTGRES = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
ON_EACH = pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)


@pytest.fixture
def table(server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch) -> FailureTable:
    """The table of failed events of an outbox that a relay publishes."""
    written(RELAY)
    kit("gen-ddl", "--apply")
    return table_of(server, name, monkeypatch)


def table_of(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> FailureTable:
    environment = server.environment(name)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    make = servers.get(server.dialect).failures
    assert make is not None
    return make(environment["OUTBOX_KIT_DSN"], read(Path("outbox.yaml")).outbox(None))


def failure(key: str, event_id: str, *, dead: bool = True, attempts: int = 5, **more: str) -> FailedEvent:
    lane = more.pop("lane", json.dumps(["Order", key], separators=(",", ":"), ensure_ascii=False))
    row = more.pop("row_text", json.dumps({"id": event_id, "payload": "{}"}))
    return FailedEvent(
        0, lane, event_id, more.pop("topic", "shop.Order"), row, more.pop("cause", "refused"), attempts, dead
    )


def listed(kit: Kit, *arguments: str) -> Sequence[str]:
    document = json.loads(kit("relay", "dead", "list", "--format", "json", *arguments).stdout)
    return [letter["event_id"] for letter in document["dead_letters"]]


@ON_POSTGRES
class TestTables:
    def test_gen_ddl_lists_the_relay_s_tables_and_removes_them(
        self, server: Server, name: str, kit: Kit, written: Written
    ) -> None:
        written(RELAY)
        changes = kit("gen-ddl", "--apply").stdout
        for table in TABLES:
            assert f"+ table {table}\n" in changes and f"on {table} to {name}_outbox" in changes
        assert kit("gen-ddl", "--apply").stdout == ""
        server.ask("drop table outbox_failure", database=name)
        server.ask(f"revoke insert on outbox_relay from {name}_outbox", database=name)
        missing = kit("gen-ddl", "--dry-run", code=1).stdout
        assert "+ table outbox_failure\n" in missing and "outbox_relay" in missing
        problems = kit("status", code=None).stdout
        assert "table public.outbox_failure does not exist" in problems
        assert f"role {name}_outbox has no INSERT privilege on public.outbox_relay" in problems
        kit("gen-ddl", "--apply")
        removed = kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
        assert all(f"- table {table}\n" in removed for table in TABLES)
        assert server.tables(name) == []

    def test_those_of_a_relay_that_reads_the_table_too(
        self, server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written("delivery: {by: relay, source: table}")
        tables = (*TABLES, "outbox_lane", "outbox_member")
        changes = kit("gen-ddl", "--apply").stdout
        assert all(f"+ table {table}\n" in changes for table in tables)
        assert kit("gen-ddl", "--apply").stdout == ""
        server.ask("drop table outbox_lane", database=name)
        server.ask(f"revoke delete on outbox_member from {name}_outbox", database=name)
        problems = kit("status", code=None).stdout
        assert "table public.outbox_lane does not exist" in problems
        assert f"role {name}_outbox has no DELETE privilege on public.outbox_member" in problems
        kit("gen-ddl", "--apply")
        table_of(server, name, monkeypatch).add([failure("1", "a")], 0)
        assert f"no relay of '{name}' runs" in kit("relay", "dead", "retry", "1", "--yes").stderr
        removed = kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
        assert all(f"- table {table}\n" in removed for table in tables)
        assert server.tables(name) == []

    def test_an_outbox_of_a_connector_has_none(self, kit: Kit, written: Written) -> None:
        written()
        assert "failure" not in kit("gen-ddl", "--apply").stdout
        for command in (("dead", "list"), ("dead", "show", "1"), ("dead", "retry", "--all"), ("keys",)):
            assert "delivery.by is 'connector'" in kit("relay", *command, code=2).stderr

    def test_without_the_tables_the_error_names_the_command(self, kit: Kit, written: Written) -> None:
        written(RELAY)
        for command in (("dead", "list"), ("dead", "show", "1"), ("dead", "retry", "--all", "--yes"), ("keys",)):
            assert "outbox-kit gen-ddl --apply" in kit("relay", *command, code=4).stderr

    def test_a_role_without_privileges_is_refused(self, kit: Kit, table: FailureTable) -> None:
        table.add([failure("1", "a")], 0)
        for command in (("dead", "list"), ("dead", "show", "1"), ("dead", "retry", "--all", "--yes"), ("keys",)):
            assert "permission denied" in kit("relay", *command, code=4, user="nobody").stderr
        kit("relay", "dead", "list")


@ON_POSTGRES
@pytest.mark.parametrize("more", ["delivery: {by: relay}", "delivery: {by: relay, source: table}"])
def test_every_query_of_the_runbook_runs(server: Server, name: str, kit: Kit, written: Written, more: str) -> None:
    written(more)
    kit("gen-ddl", "--apply")
    lines = [line.strip() for line in kit("gen-runbook").stdout.splitlines()]
    words = [shlex.split(line) for line in lines if line.startswith("psql")]
    queries = [query for line in words for option, query in pairwise(line) if option in ("-c", "-tAc")]
    own = [query for query in queries if not query.startswith(("alter system", "select pg_drop_replication_slot('"))]
    assert len(own) >= 2
    for query in own:
        server.ask(query, database=name)


@ON_EACH
class TestListAndShow:
    def test_filters_and_how_many_more_there_are(self, kit: Kit, table: FailureTable) -> None:
        table.add([failure(str(number % 3), f"e{number}") for number in range(7)], 0)
        table.add([failure("x", "other topic", topic="shop.Other"), failure("0", "waiting", dead=False)], 0)
        first = kit("relay", "dead", "list", "--limit", "2")
        assert len(first.stdout.splitlines()) == 3 and "8 dead letters, 6 more: use --limit" in first.stderr
        assert listed(kit, "--topic", "shop.Other") == ["other topic"]
        assert listed(kit, "--key", "0") == ["e0", "e3", "e6"] == listed(kit, "--lane", '[ "Order", "\\u0030" ]')
        assert listed(kit, "--key", "none") == []
        assert "expected a JSON array" in kit("relay", "dead", "list", "--lane", "Order 0", code=2).stderr

    def test_a_key_is_the_key_of_its_lane_only(self, kit: Kit, table: FailureTable) -> None:
        for lane in ('["Order",null,"k"]', '["k","Order"]', '["a,\\"k","x\\",\\"k"]', '["Order","k"]', '[null,"k"]'):
            table.add([failure("", lane, lane=lane)], 0)
        assert listed(kit, "--key", "k") == ['["Order","k"]', '[null,"k"]']

    def test_hostile_text_is_shown_as_text(self, kit: Kit, table: FailureTable) -> None:
        text = "a\nb\x1b[31m\x9b\u202e\x7f'\"\\ 漢字 e\u0301 \U0001f600 %s {x}"
        row = json.dumps({"id\n": text, "payload": "x" * 1_000_000, "empty": None})
        table.add([failure(text, text, topic=text, cause=text, row_text=row), failure("b", "b")], 0)
        shown = kit("relay", "dead", "list").stdout
        assert all(character.isprintable() or character == "\n" for character in shown)
        head, *lines = shown.splitlines()
        assert len(lines) == 2
        assert [wide(line[: line.rindex("  5")]) for line in lines] == [wide(head[: head.index("  attempts")])] * 2
        assert "... (" in lines[0]
        number = lines[0].split()[0]
        details = kit("relay", "dead", "show", number).stdout
        assert "... (1,000,000 characters)" in details and len(details) < 10_000
        assert all(character.isprintable() or character == "\n" for character in details)
        lane = next(line for line in details.splitlines() if line.startswith("lane")).split(None, 1)[1]
        assert listed(kit, "--lane", lane) == listed(kit, "--key", text) == listed(kit, "--topic", text) == [text]
        document = json.loads(kit("relay", "dead", "show", number, "--format", "json").stdout)
        assert document["row"] == json.loads(row) and document["lane"] == ["Order", text]
        assert json.loads(kit("relay", "keys", "--format", "json").stdout)["lanes"][0]["lane"] == ["Order", text]

    def test_text_that_is_no_json_is_shown_as_it_is(
        self, server: Server, name: str, kit: Kit, table: FailureTable
    ) -> None:
        table.add([failure("", "a")], 0)
        server.ask("update outbox_failure set lane = 'by hand', row_text = '[not json'", database=name)
        assert "by hand" in kit("relay", "dead", "list").stdout
        assert "text = [not json" in kit("relay", "dead", "show", "1").stdout
        kit("relay", "dead", "show", "1", "--format", "json")
        kit("relay", "keys", "--format", "json")

    @pytest.mark.parametrize("number", ["2", "9223372036854775808", "0"])
    def test_a_number_that_does_not_exist(self, kit: Kit, table: FailureTable, number: str) -> None:
        table.add([failure("1", "a")], 0)
        for command in (("show", number), ("retry", "--yes", number), ("discard", *DISCARD[3:], "1", number)):
            assert f"event {number} not found" in kit("relay", "dead", *command, code=2).stderr
        assert listed(kit) == ["a"]

    @pytest.mark.usefixtures("table")
    def test_an_empty_table(self, kit: Kit) -> None:
        assert "no dead letters" in kit("relay", "dead", "list").stderr
        assert "no waiting lanes" in kit("relay", "keys").stderr
        assert NOTHING in kit("relay", "dead", "retry", "--all").stderr
        assert listed(kit) == [] and json.loads(kit("relay", "keys", "--format", "json").stdout)["total"] == 0


@ON_EACH
class TestChanges:
    def test_retry_spreads_events_over_time_and_reports_that_no_relay_runs(
        self, server: Server, name: str, kit: Kit, table: FailureTable
    ) -> None:
        table.add([failure(str(number), f"e{number}") for number in range(4)], 0)
        dry = kit("relay", "dead", "retry", "--all", "--dry-run")
        assert "4 dead letters to send again: 1, 2, 3, 4" in dry.stdout and NOTHING in dry.stderr
        assert "not confirmed: send 4 dead letters again" in kit("relay", "dead", "retry", "--all", code=2).stderr
        assert len(listed(kit)) == 4
        done = kit("relay", "dead", "retry", "1", "3", "4", "--rate", "0.01", "--yes")
        assert "3 dead letters will be sent again" in done.stdout
        assert f"no relay of '{name}' runs" in done.stderr
        until = "extract(epoch from send_at - now())"
        if server.dialect != "postgres":
            until = "timestampdiff(second, utc_timestamp(), send_at)"
        rows = server.ask(
            f"select event_id, attempts, dead, {until} from outbox_failure order by number", database=name
        )
        assert [(*row[:3], round(row[3] / 100)) for row in rows] == [
            ("e0", 0, False, 0),
            ("e1", 5, True, 0),
            ("e2", 0, False, 1),
            ("e3", 0, False, 2),
        ]
        assert [event.event_id for event in table.due(10, [])] == ["e0"]
        refused = kit("relay", "dead", "retry", "2", "1", "--yes", code=2).stderr
        assert "event 1 is not a dead letter" in refused and NOTHING in refused
        assert listed(kit) == ["e1"]

    def test_an_event_that_is_sent_later_keeps_its_lane_back(self, kit: Kit, table: FailureTable) -> None:
        table.add([failure("2", "other"), failure("1", "first"), failure("1", "second", dead=False, attempts=0)], 0)
        assert table.due(10, []) == []
        kit("relay", "dead", "retry", "--all", "--rate", "0.001", "--yes")
        assert [event.event_id for event in table.due(10, [])] == ["other"]

    def test_discard_needs_two_words_and_releases_the_lane_in_order(self, kit: Kit, table: FailureTable) -> None:
        waiting = [failure("1", f"w{number}", dead=False, attempts=0) for number in range(200)]
        table.add([failure("1", "dead"), *waiting], 0)
        assert table.due(500, []) == [] and table.lanes() == {'["Order","1"]'}
        assert "--allow-destructive" in kit("relay", "dead", "discard", "1", "--yes", code=2).stderr
        assert "not confirmed" in kit("relay", "dead", "discard", "1", "--allow-destructive", code=2).stderr
        assert "1 dead letter to discard: 1" in kit("relay", "dead", "discard", "1", "--dry-run").stdout
        assert listed(kit) == ["dead"]
        assert "1 dead letter discarded" in kit(*DISCARD, "1").stdout
        assert [event.event_id for event in table.due(500, [])] == [event.event_id for event in waiting]

    def test_what_is_changed_is_chosen_in_one_way(self, kit: Kit, table: FailureTable) -> None:
        table.add([failure("1", "a"), failure("2", "b", topic="t")], 0)
        for wrong in ((), ("1", "--all"), ("--all", "--topic", "t"), ("1", "--key", "1")):
            assert "expected either numbers" in kit("relay", "dead", "retry", "--yes", *wrong, code=2).stderr
        for rate in ("0", "-1", "nan", "inf"):
            assert "--rate" in kit("relay", "dead", "retry", "--yes", "--all", "--rate", rate, code=2).stderr
        document = json.loads(kit(*DISCARD, "--topic", "t", "--format", "json").stdout)
        assert (document["changed"], document["numbers"]) == (1, [2])
        assert listed(kit) == ["a"]


@ON_EACH
class TestKeys:
    def test_each_lane_with_the_event_that_blocks_it(self, kit: Kit, table: FailureTable) -> None:
        table.add([failure("1", "dead", cause="too large"), failure("2", "tried", dead=False, attempts=2)], 0)
        table.add([failure("1", "behind", dead=False, attempts=0, cause="waits")], 0)
        document = json.loads(kit("relay", "keys", "--format", "json").stdout)
        lanes = [(lane["lane"][1], lane["waiting"], lane["parked"], lane["first"]) for lane in document["lanes"]]
        assert [lane[:3] for lane in lanes] == [("1", 2, True), ("2", 1, False)]
        assert lanes[0][3]["cause"] == "too large" and lanes[0][3]["send_at"] is None
        assert lanes[1][3]["attempts"] == 2 and lanes[1][3]["send_at"]
        text = kit("relay", "keys")
        assert "dead letter" in text.stdout and "2 waiting lanes" in text.stderr

    def test_no_lane_waits_for_a_dead_letter_that_is_passed(
        self, server: Server, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written(PASSING)
        kit("gen-ddl", "--apply")
        table_of(server, name, monkeypatch).add([failure("1", "dead"), failure("2", "tried", dead=False)], 0)
        document = json.loads(kit("relay", "keys", "--format", "json").stdout)
        assert [lane["first"]["event_id"] for lane in document["lanes"]] == ["tried"]

    @pytest.mark.usefixtures("table")
    def test_a_hundred_thousand_events_are_listed_at_once(self, server: Server, name: str, kit: Kit) -> None:
        server.ask(MANY.replace("%%", "%") if server.dialect == "postgres" else MANY_MYSQL, database=name)
        for command in (("dead", "list"), ("dead", "list", "--key", "7"), ("keys",), ("dead", "show", "70000")):
            began = time.monotonic()
            kit("relay", *command)
            assert time.monotonic() - began < 60  # not for each of the events a statement
        assert "50,000 dead letters, 49,900 more" in kit("relay", "dead", "list").stderr
        done = kit("relay", "dead", "retry", "--all", "--yes", "--rate", "1000")
        assert "50,000 dead letters will be sent again" in done.stdout


def wide(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


@ON_POSTGRES
class TestExactlyOnce:
    def test_a_relay_writes_nothing_after_another_one_has_started(self, table: PostgresFailureTable) -> None:
        old, new = (fenced_failures(table.dsn, table.outbox) for _ in range(2))
        assert old.starts(None) == 1
        old.add([failure("1", "a", dead=False)], 0.0)
        (event,) = old.due(10, ())
        old.begin([event.number])
        assert new.starts(None) == 2
        for write in (
            lambda: old.add([failure("1", "b")], 0.0),
            lambda: old.begin([event.number]),
            lambda: old.delivered([event.number]),
            lambda: old.postpone(event.number, "refused", 0.0, dead=True, counted=True),
            lambda: old.published({event.number: event_digest("a")}),
        ):
            with pytest.raises(ProducerFenced, match="another relay has begun"):
                write()
        (same,) = new.due(10, ())
        assert (same.number, same.attempts, same.dead) == (event.number, event.attempts + 1, False)

    def test_what_kafka_has_is_removed_unless_its_number_is_another_event_s(self, table: PostgresFailureTable) -> None:
        fenced = fenced_failures(table.dsn, table.outbox)
        fenced.starts(None)
        fenced.add([failure(key, f"ü{key}", dead=False) for key in "12"], 0.0)
        first, second = fenced.due(10, ())
        fenced.published({first.number: event_digest("ü1"), second.number: event_digest("ü1"), 4711: "x"})
        assert [event.event_id for event in fenced.due(10, ())] == ["ü2"]
