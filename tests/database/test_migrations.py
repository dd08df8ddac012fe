"""From one schema file to the next: the migrated table is as a fresh one would be, and every row is there."""

import uuid
from pathlib import Path

import pytest

from outbox_kit import databases
from outbox_kit.databases import canary
from outbox_kit.render.migration.layout import rebuilt
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.wire.effective import router_columns
from tests.database.conftest import Kit
from tests.support.pairs import NOTHING, OTHER_VALUES, PAIRS, RELAYS, RELAYS_OF_TABLES
from tests.support.servers import Server

OF_POSTGRES = {
    "another publication and slot": (
        NOTHING,
        f"{NOTHING}\nconnect: {{publication: other_publication, slot: other_slot}}",
    ),
    "another schema": (
        f"{NOTHING}\n---writers: [pg_monitor]",
        f"{NOTHING}\n---schema: elsewhere, writers: [pg_monitor]",
    ),
    "other writers": (
        f"{NOTHING}\ntable: {{retention: delete_on_insert}}\n---writers: [pg_read_all_stats, pg_monitor]",
        f"{NOTHING}\n---writers: [pg_signal_backend, pg_monitor]",
    ),
    "writers that delete": (
        f"{NOTHING}\n---writers: [pg_read_all_stats, pg_monitor]",
        f"{NOTHING}\ntable: {{payload: text, retention: delete_on_insert}}\n---writers: [pg_monitor]",
    ),
    "all of it": (
        f"{NOTHING}\ntable: {{retention: partition, columns: {{id: order}}}}",
        f"{NOTHING}\ntable: {{name: x, payload: text}}\nconnect: {{publication: x}}\n---user",
    ),
}
OF_MYSQL = {
    "other writers": (
        f"{NOTHING}\ntable: {{retention: delete_on_insert}}\n---writers: [application, nobody]",
        f"{NOTHING}\n---writers: [boss, nobody@%]",
    ),
    "writers of another table": (
        f"{NOTHING}\n---writers: [application, nobody]",
        f"{NOTHING}\ntable: {{name: other, retention: delete_on_insert}}\n---writers: [nobody]",
    ),
}
# PostgreSQL shows all pairs; others those whose steps they write with other statements
STEPS = (
    *("another key and route", "a version of the application's", "columns less", "the first tombstone"),
    *("no partitions", "another table", "other names", "numbered by the application"),
    *("numbered by the database by another name", "text to bytes"),
)
PAIRS_OF = {
    "postgres-18": PAIRS | RELAYS | OF_POSTGRES,
    "mysql": {name: PAIRS[name] for name in STEPS} | OF_MYSQL | RELAYS_OF_TABLES,
    "mariadb": {name: PAIRS[name] for name in STEPS} | OF_MYSQL | RELAYS_OF_TABLES,
}
CASES = [(server, pair) for server, pairs in PAIRS_OF.items() for pair in sorted(pairs)]


class Migration:
    """One migration on a server, from `old.yaml` to `new.yaml`."""

    def __init__(self, server: Server, name: str, kit: Kit, pair: tuple[str, str]) -> None:
        self.server, self.name, self.kit = server, name, kit
        self.old, self.new = self.file("old.yaml", pair[0]), self.file("new.yaml", pair[1])

    def file(self, path: str, more: str) -> Outbox:
        more, _, other = more.partition("\n---")
        other = {"user": f"user: {self.name}_other"}.get(other, other)  # a role is of all databases
        database = f"{{dialect: {self.server.dialect}, {other}}}"
        Path(path).write_text(f"service: {self.name}\ndatabase: {database}\n{more}\n")
        return read(Path(path)).outbox()

    def insert(self, outbox: Outbox) -> None:
        values = canary.texts(outbox, uuid.uuid4())
        if router_columns(outbox).key != outbox.table.columns.aggregate_id:
            values[router_columns(outbox).key] = str(uuid.uuid4())
        ident = databases.get(self.server.dialect).quote_ident
        columns, marks = ", ".join(map(ident, values)), ", ".join(["%s"] * len(values))
        table = ident(outbox.names.schema, outbox.table.name)
        self.server.ask(f"insert into {table} ({columns}) values ({marks})", *values.values(), database=self.name)

    def count(self) -> int:
        table = databases.get(self.server.dialect).quote_ident(self.new.names.schema, self.new.table.name)
        ((count,),) = self.server.ask(f"select count(*) from {table}", database=self.name)
        return count

    def run(self, *phase: str) -> None:
        step = ("gen-ddl", "-f", "new.yaml", "--diff", "old.yaml", "--allow-destructive")
        self.server.script(self.name, self.kit(*step, *phase).stdout)

    def apply(self, file: str, *more: str) -> str:
        return self.kit("gen-ddl", "-f", file, "--apply", *more).stdout


@pytest.mark.parametrize(("server", "pair"), CASES, indirect=["server"])
def test_what_a_migration_leaves_is_what_a_fresh_table_is(
    request: pytest.FixtureRequest, server: Server, name: str, kit: Kit, pair: str
) -> None:
    of_server = PAIRS_OF[request.node.callspec.params["server"]]
    migration = Migration(server, name, kit, of_server[pair])
    old, new = migration.old, migration.new
    migration.apply("old.yaml")
    for _ in range(3):
        migration.insert(old)
    migration.run("--phase", "expand")
    migration.insert(old)
    if not rebuilt(old, new):
        migration.insert(new)
    migration.run("--phase", "migrate")
    if rebuilt(old, new):
        migration.insert(old)
    migration.run("--phase", "contract")
    migration.insert(new)
    migration.run()  # all of it again
    assert migration.count() == 6
    assert server.leftovers(name) == []
    down = ("--down", "--allow-destructive")
    assert "nothing to change" in kit("gen-ddl", "-f", "new.yaml", "--apply").stderr
    migrated, fresh = migration.apply("new.yaml", *down), migration.apply("new.yaml")
    assert {line[2:] for line in migrated.splitlines()} == {line[2:] for line in fresh.splitlines()}
    migration.apply("new.yaml", *down)
    assert server.tables(name) == [] and server.roles(name) == []


@pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
@pytest.mark.parametrize("by", ["apply", "diff"])
def test_rows_of_another_value_of_pending_are_found_by_it(server: Server, name: str, kit: Kit, by: str) -> None:
    """The rows that are there, new ones, and the index of both; a published row keeps its value."""
    migration = Migration(server, name, kit, OTHER_VALUES)
    new, quote, has_filter = migration.new, databases.get(server.dialect).quote_ident, server.dialect == "postgres"
    assert new.mark is not None and new.mark.status is not None
    table, state = quote(new.names.schema, "outbox"), quote(new.mark.status.column)
    migration.apply("old.yaml")
    migration.insert(migration.old)
    server.ask(f"update {table} set {state} = %s", "SENT", database=name)
    migration.insert(migration.old)
    if by == "diff":
        migration.run()
    else:
        assert ("index outbox_unpublished where" in migration.apply("new.yaml")) == has_filter
    migration.insert(new)
    pending = new.mark.status.pending
    states = server.ask(f"select {state} from {table}", database=name)
    assert sorted(row[0] for row in states) == sorted([pending, pending, "SENT"])
    if has_filter:
        index = "select indexrelid, pg_get_expr(indpred, indrelid) from pg_index where indpred is not null"
        ((number, condition),) = server.ask(index, database=name)
        assert pending.replace("'", "''") in condition
        assert "nothing to change" in kit("gen-ddl", "-f", "new.yaml", "--apply").stderr
        assert server.ask(index, database=name)[0][0] == number  # it was not created again
    migration.apply("new.yaml", "--down", "--allow-destructive")
