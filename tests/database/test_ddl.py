"""What the script of `gen-ddl` promises, on every server."""

import uuid

import pytest

from outbox_kit import databases
from tests.database.conftest import Kit, Written
from tests.support.servers import Server

COLUMNS = "id, aggregatetype, aggregateid, type, payload"
INSERT = f"insert into outbox ({COLUMNS}) values (%s, 'Order', '1', 'OrderPlaced', %s)"
LONGEST = "table: {{name: {table}, columns: {{id: {column}}}, retention: partition}}"
CHOICES = {
    "defaults": "",
    "text": "table: {payload: text, retention: partition, extra: [{name: flag, kind: boolean}]}",
    "json in partitions": "table: {payload: json, retention: partition}",
    "bytes": "table: {payload: bytes}",
    "backtick": "table: {name: 'sel`ect', payload: bytes, columns: {id: order, payload: where}}\n"
    "ordering: {sequence: null}",
    "quote and percent": "table: {name: 'user\"s', columns: {id: 'Order %'}, retention: partition}",
    "versions": "table: {retention: partition}\nordering: {sequence: version, assigned_by: application}",
    "longest names": LONGEST,
    "partition": "table: {extra: [{name: n, kind: integer, to: partition}]}\nordering: {assigned_by: application}",
    "immediate": "table: {retention: delete_on_insert}",
}
DOWN = ("gen-ddl", "--down", "--apply", "--allow-destructive")


@pytest.mark.parametrize("choice", CHOICES)
def test_applied_twice_it_changes_nothing_and_undone_it_leaves_nothing(
    server: Server, name: str, kit: Kit, written: Written, choice: str
) -> None:
    limits, more = databases.get(server.dialect).limits, CHOICES[choice]
    if more == LONGEST:
        letter = "ä" if limits.unit == "characters" else "t"
        more = LONGEST.format(table=letter * limits.table, column=letter * limits.name)
    written(more)
    assert "+ table" in kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD").stdout
    again = kit("gen-ddl", "--apply")
    assert again.stdout == "" and "nothing to change" in again.stderr
    if "name:" not in more.partition("extra")[0]:
        assert server.uncommented(name) == []
    assert "- table" in kit(*DOWN).stdout
    assert server.tables(name) == []
    assert server.roles(name) == []


@pytest.mark.parametrize("payload", ["json", "text", "bytes"])
def test_the_application_may_insert_and_nothing_else(
    server: Server, name: str, kit: Kit, written: Written, payload: str
) -> None:
    written(f"table: {{payload: {payload}}}")
    kit("gen-ddl", "--apply")
    value = b'{"n": 1.0 }' if payload == "bytes" else '{"ä": 1.0 }'
    with server.session("application", name) as application:
        application(INSERT, str(uuid.uuid4()), value)
        for more in ("select payload from outbox", "update outbox set payload = null", "delete from outbox"):
            with server.denied():
                application(more)
    with server.session("nobody", name) as nobody, server.denied():
        nobody(INSERT, str(uuid.uuid4()), value)
    assert len(server.ask("select id from outbox", database=name)) == 1
    kit(*DOWN)


def test_an_application_whose_rows_go_at_once_may_delete_them(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written("table: {retention: delete_on_insert}")
    kit("gen-ddl", "--apply")
    event_id = str(uuid.uuid4())
    with server.session("application", name) as application:
        application(INSERT, event_id, "{}")
        application("delete from outbox where id = %s", event_id)
    assert server.ask("select id from outbox", database=name) == []
    kit(*DOWN)


def test_all_missing_privileges_are_said_at_once_and_nothing_is_changed(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written()
    told = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    for missing in server.words.missing:
        assert missing.format(name=name) in told
    assert server.tables(name) == []


def test_a_writer_that_does_not_exist_is_said_before_anything_is_changed(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written(writers="application, ghost")
    assert "ghost" in kit("gen-ddl", "--apply", code=4).stderr
    assert server.tables(name) == []


def test_a_table_of_other_columns_is_refused(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    server.ask("create table outbox (id int primary key, more int not null)", database=name)
    told = kit("gen-ddl", "--apply", code=2).stderr
    kind = databases.get(server.dialect).types["uuid"]
    assert f"'id' is {server.words.integer} not null, not {kind} not null" in told and "'more' is not null" in told


def test_rows_that_break_a_new_rule_are_named_and_so_is_what_stays_changed(
    server: Server, name: str, kit: Kit, written: Written
) -> None:
    written()
    kit("gen-ddl", "--apply")
    server.ask(INSERT, str(uuid.uuid4()), '{"n": 1}', database=name)
    before = server.checks(name)
    written("table: {max_payload_bytes: 3}", events="  - {type: OrderPaid, aggregate: Order}")
    told = kit("gen-ddl", "--apply", code=4).stderr
    assert "outbox_payload_fits" in told
    if databases.get(server.dialect).ddl.transactional:
        assert "nothing was changed" in told and server.checks(name) == before
    else:
        said = told.partition("changes before the error, which are kept:\n")[2].splitlines()
        assert [line[:35] for line in said] == [f"  {sign} check outbox_event_is_declared_" for sign in "-+"]
    written()
    kit("gen-ddl", "--apply")
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr
    kit(*DOWN)


def test_a_log_that_is_deleted_too_soon_is_warned_of(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    shorten, restore, warning = server.words.short_log
    for statement, warned in ((shorten, True), (restore, False)):
        server.ask(statement)
        server.reload()
        assert (warning in kit("gen-ddl", "--apply").stderr) is warned
    kit(*DOWN)
