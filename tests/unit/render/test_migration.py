"""What a migration's script says, and what it never does."""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from outbox_kit import databases
from outbox_kit.cli import app
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, migration
from outbox_kit.render.migration import ConnectorChanges, Phase
from outbox_kit.render.migration.steps import COLUMNS
from outbox_kit.schema.model import Outbox
from tests.support.pairs import NOTHING, PAIRS, pairs_of

DIALECTS = ("postgres", "mysql", "mariadb", "sqlserver", "oracle")
LOSING = r"drop (column|table|role|user|login|\()|cascade|drop_replication_slot"
EACH = [(dialect, pair) for dialect in DIALECTS for pair in sorted(pairs_of(dialect))]


def outbox(more: str = NOTHING, dialect: str = "postgres", service: str = "shop", name: str = "shop") -> Outbox:
    database = f"{{dialect: {dialect}, name: {name}}}"
    text = more.partition("\n---")[0]
    return Outbox.model_validate(YAML(typ="safe").load(f"service: {service}\ndatabase: {database}\n{text}"))


def run(script: str) -> str:
    """A script without its comments."""
    return "\n".join(line for line in script.splitlines() if not line.lstrip().startswith("--"))


@pytest.mark.parametrize(("dialect", "pair"), EACH)
@pytest.mark.parametrize("back", [False, True])
def test_nothing_that_holds_rows_goes_unless_it_is_allowed(dialect: str, pair: str, back: bool) -> None:
    old, new = (outbox(more, dialect) for more in pairs_of(dialect)[pair][:: -1 if back else 1])
    script = migration.script(old, new)
    assert not re.search(LOSING, run(script))
    lost = [step for step in migration.steps(old, new) if step.destructive]
    assert not lost or migration.script(old, new, destructive=True) != script


@pytest.mark.parametrize("pair", sorted(PAIRS))
def test_the_phases_are_the_whole(pair: str) -> None:
    old, new = map(outbox, PAIRS[pair])
    changes = ConnectorChanges(("~ a = b",))
    whole = migration.script(old, new, changes)
    for phase in Phase:
        part = migration.script(old, new, changes, phase=phase)
        _, heading, steps = part.partition(f"-- {phase.upper()}: ")
        assert "No statement is needed" in part or heading
        said = [line.partition(". ")[2] for line in steps.splitlines() if re.match(r"-- \d+\. ", line)]
        assert all(f". {line}\n" in whole for line in said)


def test_an_oracle_s_partitioned_table_has_an_index_of_versions_too() -> None:
    partitions = f"{NOTHING}\ntable: {{retention: partition}}\nordering: {{sequence"
    old, new = (
        outbox(f"{partitions}: null}}", "oracle"),
        outbox(f"{partitions}: v, assigned_by: application}}", "oracle"),
    )
    made = """'create unique index "SHOP"."OUTBOX_VERSION" on "SHOP"."OUTBOX" ("AGGREGATETYPE", "AGGREGATEID", "V")'"""
    assert made in migration.script(old, new) and made in ddl.up(new)


def test_what_changes_an_oracle_s_columns_waits_until_the_connector_has_read_all() -> None:
    for both in pairs_of("oracle").values():
        old, new = (outbox(more, "oracle") for more in both)
        changing = [one for one in migration.steps(old, new) if one.part in (*COLUMNS, "swap")]
        assert all(
            "while all writers are stopped, and after the connector has processed the last row" in one.timing
            for one in changing
        )


def test_what_is_the_same_needs_nothing_and_what_is_only_the_connector_s_is_said() -> None:
    assert "No statement is needed" in migration.script(outbox(), outbox())
    script = migration.script(outbox(), outbox(), ConnectorChanges(("~ poll.interval.ms = 5 -> 50",)))
    assert "--   ~ poll.interval.ms = 5 -> 50" in script and "deploy-connector" in script


def test_the_header_states_the_complete_order_and_the_steps_that_need_stopped_writers() -> None:
    old, new = map(outbox, PAIRS["columns more"])
    head = migration.script(old, new).partition("-- EXPAND")[0]
    assert "Do not run the file as a whole" in head and "Writers must be stopped" not in head
    order = re.findall(r"^--   \d\. (.+)", head, re.MULTILINE)
    assert [line.split()[-1] for line in order] == ["EXPAND", "application", "MIGRATE", "changes", "CONTRACT"]
    part = migration.script(old, new, phase=Phase.expand)
    assert "This file has the steps of phase EXPAND only" in part and "as a whole" not in part
    old, new = (outbox(more, "sqlserver") for more in pairs_of("sqlserver")["other names"])
    script = migration.script(old, new)
    step = script.partition("\n--    when: while all writers are stopped")[0].splitlines()[-1]
    assert f"Writers must be stopped for step {step.removeprefix('-- ').partition('.')[0]}." in script


@pytest.mark.parametrize("destructive", [False, True])
def test_the_deployment_is_confirmed_if_and_only_if_a_change_does_more_than_restart(destructive: bool) -> None:
    old, new = map(outbox, PAIRS["columns more"])
    script = migration.script(old, new, ConnectorChanges(("~ a = b",), destructive=destructive))
    assert (" deploy-connector --probe --yes --allow-destructive\n" in script) is destructive
    assert (" deploy-connector --probe --yes\n" in script) is not destructive


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if "writers" in databases.get(name).ddl.templates])
def test_a_writer_more_may_write_before_the_new_code_and_one_less_until_the_old_is_gone(dialect: str) -> None:
    def of(*writers: str) -> Outbox:
        held = outbox(dialect=dialect)
        return held.model_copy(update={"database": held.database.model_copy(update={"writers": writers})})

    old, new = of("shop", "batch"), of("shop", "web")
    expand, contract = (migration.script(old, new, phase=phase) for phase in (Phase.expand, Phase.contract))
    assert "grant insert on" in expand and "revoke" not in expand
    assert re.search("revoke insert on .*batch", run(contract)) and "from 'shop'" not in contract
    assert "No statement is needed" in migration.script(old, new, phase=Phase.migrate)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (outbox(dialect="mysql"), "database.dialect was 'postgres' and is 'mysql'"),
        (outbox(service="other"), "service was 'shop' and is 'other'"),
        (outbox(f"{NOTHING}\ntable: {{storage: log}}"), "no migration exists for 'storage: log'"),
        (outbox(name="other"), "database.name was 'shop' and is 'other'"),
    ],
)
def test_another_outbox_is_no_migration(other: Outbox, told: str) -> None:
    with pytest.raises(UsageProblem, match=told):
        migration.script(outbox(), other)


def test_the_command_prints_one_phase_and_applies_none(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(f"service: shop\ndatabase: {{dialect: postgres}}\n{NOTHING}\n")
    new.write_text(f"service: shop\ndatabase: {{dialect: postgres}}\n{PAIRS['columns more'][1]}\n")
    command = ["gen-ddl", "-f", str(new), "--diff", str(old)]
    said = CliRunner().invoke(app, [*command, "--phase", "expand"]).stdout
    assert "-- EXPAND" in said and "-- CONTRACT" not in said
    assert "[wire]" in CliRunner().invoke(app, command).stdout
    assert "outbox-kit deploy-connector --probe --yes --allow-destructive\n" in CliRunner().invoke(app, command).stdout
    refused = CliRunner().invoke(app, [*command, "--apply"])
    assert isinstance(refused.exception, UsageProblem) or refused.exit_code == 2
