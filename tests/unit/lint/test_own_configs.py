"""Whatever schema file is written, the config that comes of it has no flaw: as outboxes, and as the JSON on disk."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from outbox_kit import databases
from outbox_kit.errors import BadSchemaFile
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import run
from outbox_kit.lint.outboxes import from_schema_file
from outbox_kit.lint.subjects import from_configs, with_peers
from outbox_kit.schema.read import SchemaFile, read
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from outbox_kit.wire.effective import router_columns
from tests.unit.lint.outboxes import EXAMPLES, OUTBOXES


def flaws(file: SchemaFile) -> list[str]:
    """What the linter finds in a schema file, and in the JSON that is generated from it."""
    found = run.check(with_peers(from_schema_file(file, None)))
    for outbox in file.outboxes:
        text = json.dumps({"name": outbox.names.connector, "config": connector.config(outbox)})
        of_config = run.check(from_configs(text, "connector.json", Version.of(outbox.connect.debezium)))
        # a config alone cannot tell an outbox without an aggregate's id, or a decision, from the usual mistake
        meant = {"key-is-event-id"} if router_columns(outbox).key == outbox.table.columns.id else set()
        meant |= {"replica-set-not-named"} if outbox.database.replica_set is None else set()  # a sharded cluster
        meant |= {"snapshot-mode-no-data"} if outbox.connect.snapshot == "no_data" else set()
        found += [one for one in of_config if one.rule.id not in meant]
    return [f"{one.rule.id}: {one.message}" for one in found]


@given(OUTBOXES)
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_what_the_kit_generates_has_no_flaw(tmp_path_factory: pytest.TempPathFactory, outbox: dict[str, Any]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(json.dumps(outbox))
    try:
        file = read(path)
    except BadSchemaFile:
        assume(False)
    assert flaws(file) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_the_examples_have_no_flaw(path: Path) -> None:
    file = read(path)
    assert flaws(file) == []
    assert not [one for one in run.check(from_schema_file(file, None)) if one.severity is Severity.error]


@pytest.mark.parametrize("dialect", databases.ALL)
def test_a_column_for_the_partition_has_no_flaw_in_any_database(dialect: str, tmp_path: Path) -> None:
    # a bare config names no types: the sampled row must have those of its database that the router takes
    path = tmp_path / "outbox.yaml"
    path.write_text(
        f"service: orders\ndatabase: {{dialect: {dialect}}}\nevents: [{{type: Placed, aggregate: Order}}]\n"
        "table: {extra: [{name: tenant, kind: integer, to: partition}]}\n"
    )
    assert flaws(read(path)) == []


def test_a_finding_about_a_generated_option_is_at_the_key_of_the_schema_file(tmp_path: Path) -> None:
    file = tmp_path / "outbox.yaml"
    lines = ("service: shop", "database: {dialect: postgres}", "connect:", "  topics:", "    replication_factor: 1")
    file.write_text("\n".join([*lines, "events:", "  - {type: A, aggregate: B}", ""]))
    [subject] = from_schema_file(read(file), None)
    assert subject.document.spot("topic.creation.default.replication.factor") == (5, 5)
    assert subject.document.spot("topic.creation.default.partitions") == subject.document.start  # a default
    assert not subject.document.spots  # --fix edits none of them
