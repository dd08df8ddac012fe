"""What MySQL and MariaDB promise beside what all databases do: roles, the inbox, feeds, adoption, hostile names."""

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pymysql
import pytest

from outbox_kit.contracts import yaml
from outbox_kit.databases.mysql import ledger
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.render import ddl, migration
from tests.database.conftest import Kit, Written
from tests.support import hostile, losses, questions
from tests.support.servers import PASSWORD
from tests.support.servers.mysql import MySql

HERE = Path(__file__).parent
pytestmark = pytest.mark.parametrize("server", ["mysql", "mariadb"], indirect=True)


def test_a_log_without_rows_is_named_and_a_privilege_that_is_there_is_not(
    server: MySql, name: str, kit: Kit, written: Written
) -> None:
    written()
    server.ask("set global binlog_format = 'STATEMENT'")
    try:
        told = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    finally:
        server.ask("set global binlog_format = 'ROW'")
    assert "binlog_format is 'STATEMENT'" in told and "`mysql`" not in told
    assert server.tables(name) == []


def test_a_server_of_the_other_kind_is_refused(server: MySql, name: str, kit: Kit, written: Written) -> None:
    written()
    other = {"mysql": "mariadb", "mariadb": "mysql"}[server.dialect]
    text = Path("outbox.yaml").read_text()
    Path("outbox.yaml").write_text(text.replace(f"dialect: {server.dialect}", f"dialect: {other}"))
    assert f"write dialect: {server.dialect}" in kit("gen-ddl", "--apply", code=2).stderr


def test_the_inbox_remembers_by_its_role_s_rights_alone_and_goes_without_a_trace(
    server: MySql, name: str, kit: Kit, written: Written
) -> None:
    written("")
    kit("gen-ddl", "--inbox", "--apply", code=4, user="nobody")
    made = kit("gen-ddl", "--inbox", "--apply").stdout
    assert f"grant delete, select on inbox to {name}_inbox" in made and "+ index age on inbox" in made
    assert "nothing to change" in kit("gen-ddl", "--inbox", "--apply").stderr
    reader = f"{name}_reader"
    server.ask(f"create user {reader}@'%' identified by '{PASSWORD}'")
    place: Any = {"host": "127.0.0.1", "port": server.port, "password": PASSWORD, "autocommit": True}
    with pymysql.connect(**place, user="boss") as boss, boss.cursor() as cursor:  # MariaDB: only who made a role can
        cursor.execute(f"grant {name}_inbox to {reader}@'%'")
    once = "insert into inbox (consumer, message_id) values ('me', 'x')"
    connection = pymysql.connect(**place, user=reader, init_command=f"set role {name}_inbox")
    with connection, connection.cursor() as cursor:
        cursor.execute(f"use {name}")
        assert cursor.execute(once) == 1
        with pytest.raises(pymysql.err.IntegrityError):
            cursor.execute(once)
        with pytest.raises(pymysql.err.OperationalError, match="denied"):
            cursor.execute("insert into inbox (consumer, message_id, received_at) values ('me', 'y', '2000-01-01')")
        assert cursor.execute("delete from inbox where received_at < now(6) + interval 1 day limit 5000") == 1
    server.ask(f"drop user {reader}@'%'")
    assert "- table inbox" in kit("gen-ddl", "--inbox", "--down", "--apply", "--allow-destructive").stdout
    assert server.ask("select user from mysql.user where user = %s", f"{name}_inbox") == []


def test_rights_that_come_by_a_role_count_and_those_of_a_role_that_sleeps_do_not(
    server: MySql, name: str, kit: Kit, written: Written
) -> None:
    written("")
    told = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    lacking = re.findall(r"has no (.+?) on (\S+?)( with grant option)?$", told, re.MULTILINE)
    assert len(lacking) == 4, told
    server.ask("create role deployer")
    try:
        for rights, what, option in lacking:  # what is said to be missing, and nothing else
            server.ask(f"grant {rights} on {what} to deployer{option}".replace("%", "%%"))
        server.ask("grant deployer to nobody")
        assert kit("gen-ddl", "--apply", code=4, user="nobody").stderr == told
        default = {"mysql": "set default role deployer to nobody", "mariadb": "set default role deployer for nobody"}
        server.ask(default[server.dialect])
        kit("gen-ddl", "--apply", user="nobody")
        kit("gen-ddl", "--down", "--apply", "--allow-destructive", user="nobody")
    finally:
        server.ask("drop role deployer")


def test_a_table_that_is_many_events_or_none_feeds_the_outbox(server: MySql, name: str, kit: Kit) -> None:
    head = f"service: {name}\ndatabase: {{dialect: {server.dialect}}}\n"
    operation = '{{"MessageId": "{}", "Body": "{}", "Headers": {{{}"NServiceBus.EnclosedMessageTypes": "{}"}}}}'
    operations = (
        operation.format("a", "eyJuIjogMX0=", "", "Shop.Placed, Shop;Shop.IEvent"),
        operation.format("b", "", "", "Shop.Command"),
        operation.format("c", "eyJuIjogMn0=", '"NServiceBus.ConversationId": "talk", ', "Shop.Placed"),
    )
    key = "gid varchar(128), branch_id varchar(128), op varchar(45), barrier_id varchar(45)"
    feeds = (
        (
            "events: [{type: Shop.Placed, aggregate: Conversation}]\ntable: {preset: nservicebus}\n",
            f"create table {name}.OutboxData (MessageId varchar(200) primary key, Operations json not null)",
            f"insert into {name}.OutboxData values ('in', '[{', '.join(operations)}]')",
            [("a", "Shop.Placed", '{"n": 1}'), ("talk", "Shop.Placed", '{"n": 2}')],
        ),
        (
            f"table: {{preset: barrier, source: {{schema: {name}}}}}\n",
            f"create table {name}.barrier (trans_type varchar(45), {key}, reason varchar(45), "
            "unique (gid, branch_id, op, barrier_id))",
            f"insert ignore into {name}.barrier values ('msg', 'g', '00', 'msg', '01', 'committed'), "
            "('msg', 'g', '00', 'msg', '01', 'rollback'), ('saga', 's', '01', 'action', '01', 'action')",
            [("g", "committed", "g")],
        ),
    )
    for more, table, rows, expected in feeds:
        Path("outbox.yaml").write_text(head + more)
        server.ask(table)
        assert "+ trigger outbox_feed" in kit("gen-ddl", "--apply").stdout
        assert kit("gen-ddl", "--apply").stdout == ""
        server.ask(rows)
        found = server.ask(f"select aggregateid, type, payload from {name}.outbox order by sequence")
        assert [(key, kind, json.loads(said).get("gid", said)) for key, kind, said in found] == expected
        assert "- trigger outbox_feed" in kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
        server.ask(rows.replace("'in'", "'later'"))  # no trigger is left that would stop it


SEEN = {  # table: preset, and what is in its way
    "outbox_events": ("polling-postgres", {"other-publisher", "timestamp-with-time-zone"}),
    "OutboxMessage": ("masstransit", {"id-not-unique", "no-key", "type-invalid-in-topic"}),
    "event_publication": (
        "spring-modulith",
        {"id-is-binary", "other-publisher", "no-key", "timestamp-with-time-zone"},
    ),
    "outbox_view": ("polling-postgres", {"unsupported-table-kind"}),
}


def test_outboxes_that_are_there_are_found_with_what_is_in_their_way(server: MySql, name: str, kit: Kit) -> None:
    for statement in filter(str.strip, (HERE / "outboxes-mysql.sql").read_text().split(";\n")):
        server.ask(statement, database=name)
    found = {one["table"]: one for one in json.loads(kit("adopt", "--format", "json").stdout)["candidates"]}
    rewritten = {"mysql": {"payload-normalized"}, "mariadb": set()}[server.dialect]  # MariaDB's JSON is text
    for table, (preset, rules) in SEEN.items():
        one = found.pop(f"{name}.{table}")
        assert one["preset"] == preset
        more = rewritten if table == "outbox_events" else set()
        assert set(one["findings"]) - {"library-table"} == rules | more, table
        if one["proposed"]:
            Path("outbox.yaml").write_text(yaml.written(one["proposed"]))
            kit("check")
            kit("gen-ddl", "--apply")
            kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert found == {}
    shown = kit("adopt", "--table", "OutboxMessage").stdout
    assert "hunter2" not in shown and f"dialect: {server.dialect}" in shown
    (sql,) = re.findall(r"^ +(alter table .*;)\n +(create trigger .*\n.*;)$", shown, re.MULTILINE)
    for statement in sql:
        server.ask(statement)
    columns = "SentTime, MessageId, ContentType, MessageType, Body"
    server.ask(f"insert into {name}.OutboxMessage ({columns}) values (now(), '1', '', '', %s)", '{"OrderId": 8}')
    assert server.ask(f"select aggregate_id from {name}.OutboxMessage where MessageId = '1'") == [("8",)]
    nowhere = f"mysql://boss@127.0.0.1:{server.port}"
    assert "names no database" in kit("adopt", "--dsn", nowhere, code=2).stderr


@pytest.mark.parametrize("kind", losses.KINDS)
def test_ids_of_every_kind_are_told_apart(server: MySql, name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox = losses.outbox_of(server.dialect, name, kind)
    column = "bigint" if kind == "bigint" else "varchar(36)"
    server.ask(
        f"create table outbox (id {column} primary key, aggregatetype varchar(255), aggregateid varchar(255), "
        "type varchar(255), payload longtext, sequence bigint, written timestamp(6))",
        database=name,
    )

    def insert(rows: Sequence[tuple[object, ...]]) -> None:
        with server.unlogged(name) as cursor:
            cursor.executemany(
                "insert into outbox values (%s, 'Order', %s, 'OrderPlaced', %s, %s, now(6) - interval %s second)", rows
            )

    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    losses.check(outbox, f"mysql://boss@127.0.0.1:{server.port}/{name}", kind, insert)


# all that a script could leave behind on the server
OBJECTS = """
select 'schema', schema_name from information_schema.schemata
union all select 'table', concat_ws('.', table_schema, table_name) from information_schema.tables
union all select 'routine', concat_ws('.', routine_schema, routine_name) from information_schema.routines
union all select 'trigger', concat_ws('.', trigger_schema, trigger_name) from information_schema.triggers
union all select 'user', concat_ws('@', user, host) from mysql.user
"""
OF_MYSQL = ("backtick", "last backslash", "beyond", "two quotes", "delimiter")
INNER = ("information_schema", "performance_schema", "mysql", "sys")


def objects(server: MySql) -> set[tuple[str, str]]:
    return {(kind, name) for kind, name in server.ask(OBJECTS) if not name.startswith(INNER)}


def test_hostile_names_make_what_is_meant_and_nothing_else(server: MySql, tmp_path: Path) -> None:
    ident, before = MYSQL.quote_ident, objects(server)
    for what, outbox in hostile.outboxes(server.dialect, among=OF_MYSQL):
        schema, feed = outbox.database.name or "", outbox.table.source
        server.ask(f"create database {ident(schema)}")
        for writer in outbox.database.writers:
            server.ask(f"create user {MYSQL.quote_account(writer)}")
        if feed:
            server.ask(f"create table {ident(schema, feed.table)} ({ident(feed.array_column or 'e')} json)")
        known = objects(server)
        inbox = ddl.with_database(outbox, schema)
        use = f"use {ident(schema)};\n"
        server.typed(tmp_path, *[ddl.up(outbox)] * 2, use, *[ddl.up(inbox, ddl.INBOX)] * 2)
        made = objects(server) - known
        tables = {name for kind, name in made if kind == "table"}
        assert tables == {f"{schema}.{x}" for x in (outbox.table.name, f"{outbox.table.name}_heartbeat", "inbox")}, what
        others = {name.partition("@")[0].rpartition(".")[2] for kind, name in made if kind != "table"}
        assert {kind for kind, _ in made} <= {"table", "user", "trigger"}, what
        assert len(made) == len(tables) + (3 if feed else 2), (what, others)
        asked = f"mysql://boss:{PASSWORD}@127.0.0.1:{server.port}/{quote(schema, safe='')}"
        questions.every(ledger.TableLedger(asked, outbox), outbox, str(uuid.uuid4()))
        server.typed(tmp_path, use, ddl.down(inbox, ddl.INBOX), ddl.down(outbox))
        assert objects(server) == known, what
        server.ask(f"drop database {ident(schema)}")
        for writer in outbox.database.writers:
            server.ask(f"drop user {MYSQL.quote_account(writer)}")
        assert objects(server) == before, what


def test_a_migration_ends_with_the_new_names_alone(server: MySql, tmp_path: Path) -> None:
    before = objects(server)
    for what, old, new in hostile.pairs(server.dialect, among=OF_MYSQL[:2]):
        server.ask(f"create database {MYSQL.quote_ident(new.database.name or '')}")
        for writer in (*old.database.writers, *new.database.writers):
            server.ask(f"create user {MYSQL.quote_account(writer)}")
        known = objects(server)
        server.typed(tmp_path, ddl.up(old), migration.script(old, new, destructive=True), ddl.up(new))
        made = objects(server) - known
        own = {f"{new.database.name}.{x}" for x in (new.table.name, f"{new.table.name}_heartbeat")}
        assert {name for kind, name in made if kind == "table"} == own, what
        assert {kind for kind, _ in made} == {"table", "user"} and len(made) == len(own) + 1, what
        server.typed(tmp_path, ddl.down(new))
        assert objects(server) == known, what
        server.ask(f"drop database {MYSQL.quote_ident(new.database.name or '')}")
        for writer in (*old.database.writers, *new.database.writers):
            server.ask(f"drop user {MYSQL.quote_account(writer)}")
    assert objects(server) == before
