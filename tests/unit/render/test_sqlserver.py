"""SQL Server's scripts: a parser of its language takes every statement, also those that are put together on the way."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.render import ddl, migration
from outbox_kit.render.captures import LONGEST, captures
from outbox_kit.render.code import barrier, statement, targets
from outbox_kit.render.code.statement import INBOX_MODES
from outbox_kit.schema.fields import DeliverySettings
from outbox_kit.schema.model import Outbox
from tests.support import example_files
from tests.support.inbox_modes import with_mode
from tests.support.pairs import outbox_of, pairs_of
from tests.support.presets import KNOWN, outbox
from tests.unit.render.tsql import complaints, put_together

EXAMPLES = Path(__file__).parents[2] / "examples"
OUTBOXES = example_files.of("sqlserver")
RELAYS = example_files.of("relay-sqlserver")
OWNERS = [outbox(preset, dialect) for preset, dialect in KNOWN if dialect == SQLSERVER.name]
PAIRS = pairs_of("sqlserver")


@pytest.mark.parametrize("outbox", [*OUTBOXES, *RELAYS], ids=lambda outbox: outbox.service)
@pytest.mark.parametrize(
    "script",
    [partial(write, script=script) for script in (ddl.OUTBOX, ddl.INBOX, ddl.BARRIER) for write in (ddl.up, ddl.down)],
    ids=["up", "down", "inbox", "inbox-down", "barrier", "barrier-down"],
)
def test_the_scripts_are_in_the_server_s_language(outbox: Outbox, script: Callable[[Outbox], str]) -> None:
    assert complaints(script(outbox)) == []
    assert [found for text in put_together(script(outbox)) for found in complaints(text)] == []


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
def test_so_are_the_statements_that_an_application_runs(outbox: Outbox) -> None:
    code, target = SQLSERVER.code, targets.get("go-sql")
    assert code is not None
    for written in (statement.insert, statement.once):
        assert complaints("\n".join(written(outbox, target, SQLSERVER, code))) == []
    for lines in (SQLSERVER.two_phase.insert, SQLSERVER.two_phase.read):
        assert complaints("\n".join(barrier.statement(outbox, target, code, lines, "outcome").lines)) == []
    for mode in INBOX_MODES:
        bound = statement.inbox(with_mode(outbox, mode), target, SQLSERVER, code)
        assert {name: complaints("\n".join(each.lines)) for name, each in bound.items()} == {name: [] for name in bound}
        assert len(bound) >= 3


def test_the_statements_within_are_all_looked_at() -> None:
    found = {" ".join(text.split()[:2]) for text in put_together(ddl.up(OUTBOXES[1]))}
    assert found == {"create schema", "create login", "alter table", "exec sys.sp_dropextendedproperty"}


def both(pair: str, *, back: bool = False) -> list[Outbox]:
    return [outbox_of(more, "sqlserver") for more in PAIRS[pair][:: -1 if back else 1]]


@pytest.mark.parametrize("pair", sorted(PAIRS))
def test_what_leads_from_one_schema_file_to_the_next_is_in_the_server_s_language(pair: str) -> None:
    old, new = both(pair)
    script = migration.script(old, new, destructive=True)
    assert complaints(script) == []
    assert [found for text in put_together(script) for found in complaints(text)] == []


def test_what_a_migration_puts_together_is_all_looked_at() -> None:
    pairs = ("columns more", "the first tombstone", "a version of the application's", "bytes to json")
    scripts = [migration.script(*both(pair)) for pair in pairs]
    found = {" ".join(text.split()[:2]) for script in scripts for text in put_together(script)}
    assert found > {"alter table", "update top", "with numbered", "grant select", "declare @texts"}


def steps(pair: str, *, back: bool = False) -> list[tuple[str, str]]:
    old, new = both(pair, back=back)
    return [(step.phase.value, step.part) for step in migration.steps(old, new)]


def test_columns_are_captured_anew_before_new_code_writes_them_and_the_older_capture_goes_last() -> None:
    for pair in ("columns more", "the first tombstone"):
        found = steps(pair)
        assert [part for phase, part in found if phase == "expand"][-1] == "capture"
        assert found[-1] == ("contract", "drop-capture")
    assert not {"capture", "drop-capture"} & {part for _, part in [*steps("an event more"), *steps("json to text")]}


def test_another_role_sees_what_is_captured_before_the_connector_is_it() -> None:
    old, new = both("another role")
    script = migration.script(old, new, phase=migration.Phase.expand)
    outbox, heartbeat = captures(new)
    for gate in ("shop_outbox_gate", "other_gate"):
        for one in (outbox, heartbeat):
            assert f"grant select on [cdc].[{one.name}_CT] to [{gate}];" in script
    assert "transaction" not in script.partition("-- EXPAND")[2]


def test_a_table_is_exchanged_while_nobody_writes_and_its_heartbeat_s_capture_stays() -> None:
    for pair in ("numbered by the database", "no longer numbered", "other names", "text to bytes"):
        assert steps(pair) == [("migrate", "build"), ("contract", "swap"), ("contract", "drop-before")]
    script = migration.script(*both("other names"))
    assert "when: while all writers are stopped" in script
    assert (
        script.count("sp_cdc_disable_table @")
        == script.count("@source_name = N'outbox', @capture_instance = N'all'")
        == 1
    )
    moved = steps("another table")
    assert moved[-2:] == [("contract", "drop-capture"), ("contract", "drop-heartbeat")]


def test_numbers_stay_where_the_database_gave_them_and_are_given_anew_where_the_application_did() -> None:
    old, new = both("numbers by another name")
    assert "set identity_insert [dbo].[outbox] on" in migration.script(old, new)
    old, new = both("numbered by the application", back=True)
    script = migration.script(old, new)
    assert "identity_insert" not in script and "order by o.[created_at], o.[id]" in script


@pytest.mark.parametrize("outbox", OWNERS, ids=lambda outbox: outbox.table.preset)
@pytest.mark.parametrize("script", [ddl.up, ddl.down])
def test_a_relay_of_a_table_of_somebody_else_s_needs_no_capture(
    outbox: Outbox, script: Callable[[Outbox], str]
) -> None:
    settings = DeliverySettings(by="relay", source="table", record="delete")
    written = script(outbox.model_copy(update={"delivery": settings}))
    assert complaints(written) == [] and "cdc" not in written and "heartbeat" not in written.lower()
    assert [found for text in put_together(written) for found in complaints(text)] == []


@pytest.mark.parametrize("outbox", OWNERS, ids=lambda outbox: outbox.table.preset)
@pytest.mark.parametrize("script", [ddl.up, ddl.down])
def test_tables_of_somebody_else_s_are_left_to_them(outbox: Outbox, script: Callable[[Outbox], str]) -> None:
    written, fed = script(outbox), outbox.table.source
    assert complaints(written) == []
    assert [found for text in put_together(written) for found in complaints(text)] == []
    theirs = SQLSERVER.quote_ident(
        (fed and fed.db_schema) or outbox.names.schema, fed.table if fed else outbox.table.name
    )
    assert not re.search(rf"(create|alter|drop) table (if exists )?{re.escape(theirs)}", written)
    if script is ddl.up:
        assert f"on {theirs} after insert as" in written if fed else "@captured_column_list = N'[" in written
    elif not fed:  # a capture of somebody else's stays
        assert f"role_name = N'{outbox.names.role}_gate'" in written


def test_a_capture_s_name_is_its_columns_and_short_enough() -> None:
    outbox, other = OUTBOXES
    more = outbox.model_copy(update={"ordering": other.ordering})
    assert captures(outbox)[0].name != captures(more)[0].name and captures(outbox)[1] == captures(more)[1]
    wide = outbox.model_copy(update={"table": outbox.table.model_copy(update={"name": "ü[x]" * 23})})
    assert all(len(one.name) <= LONGEST for one in captures(wide))
