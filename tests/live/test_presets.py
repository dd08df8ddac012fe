"""Each preset's table as its owner makes it: taken as it is, written and worked on as by its owner, and left to it."""

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from ruamel.yaml import YAML

from outbox_kit.contracts.yaml import written
from outbox_kit.schema import presets
from outbox_kit.stack import Stack
from tests.live.conftest import HERE, Database, Kit

OWNERS: dict[str, Any] = YAML(typ="safe").load(HERE / "presets.yaml")


def test_every_preset_has_its_owner() -> None:
    assert sorted(OWNERS) == list(presets.listed())


@pytest.mark.parametrize("preset", sorted(OWNERS))
def test_a_table_that_is_there_is_captured_as_it_is(stack: Stack, database: Database, kit: Kit, preset: str) -> None:
    owner, service = OWNERS[preset], database.name
    document = {
        "service": service,
        "database": {"dialect": "postgres", "host": stack.postgres_host, "port": stack.postgres_port},
        "table": {"preset": preset},
        "connect": {"heartbeat_ms": 500},
    }
    if "events" in owner:
        events = [{**event, "type": event["type"].format(service=service)} for event in owner["events"]]
        document["events"] = events
    Path("outbox.yaml").write_text(written(document))

    with psycopg.connect(database.dsn, autocommit=True) as connection:

        def write(*numbers: int) -> None:
            for n in numbers:
                connection.execute(owner["insert"].format(n=n, service=service))

        connection.execute(owner["table"].format())
        shadowed = "owner" in owner
        if not shadowed:
            write(1, 2)  # the first read takes these
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
        assert kit("gen-ddl", "--apply").stdout == ""
        kit("deploy-connector", "--yes", "--stable-for", "0")
        write(3, 4)
        outbox = presets.get(preset).fragment("postgres")
        name = owner.get("owner") or ".".join(
            filter(None, [outbox.get("database", {}).get("schema"), outbox["table"]["name"]])
        )
        connection.execute(owner["publisher"])
        write(5)
        rows = count(connection, name)

        report = json.loads(kit("verify", "--format", "json").stdout)

        assert report["verdict"] == "pass"
        topics = [topic.format(service=service) for topic in owner["topics"]]
        # of the shared brokers' other topics some have the preset's form: those of the tests beside this one
        foreign = [one for one in report["findings"] if one["id"] == "RTE-05" and one["subject"] not in topics]
        own = [one for one in report["findings"] if one not in foreign]
        assert [one["id"] for one in own if one["severity"] != "info"] == []
        assert [one["name"] for one in report["topics"]] == topics
        assert "LOS-01" not in report["not_checked"]
        kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
        kit("gen-ddl", "--down", "--apply", "--allow-destructive")
        assert count(connection, name) == rows
        write(6)  # no trigger is left that would stop it


@pytest.mark.parametrize(("preset", "more"), [("cap", ""), ("nservicebus", ", record: mark")])
def test_a_relay_publishes_the_rows_and_marks_them(
    stack: Stack, database: Database, kit: Kit, preset: str, more: str
) -> None:
    """Of a table of its owner, and of the outbox that a trigger fills from one."""
    owner, service = OWNERS[preset], database.name
    events = [{**event, "type": event["type"].format(service=service)} for event in owner["events"]]
    document = {
        "service": service,
        "database": {"dialect": "postgres", "host": stack.postgres_host, "port": stack.postgres_port},
        "table": {"preset": preset},
        "events": events,
    }
    Path("outbox.yaml").write_text(f"{written(document)}delivery: {{by: relay, source: table{more}}}\n")
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(owner["table"].format())
        kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
        for n in (1, 2):
            connection.execute(owner["insert"].format(n=n, service=service))
            kit("relay", "--once")
        report = json.loads(kit("verify", "--format", "json", code=None).stdout)
        topics = [topic.format(service=service) for topic in owner["topics"]]
        assert [one["name"] for one in report["topics"]] == topics
        findings = [one for one in report["findings"] if one["severity"] != "info"]
        assert [one for one in findings if one["id"] != "RTE-05" or one["subject"] in topics] == []
        assert report["counts"]["distinct"] == report["counts"]["outbox_rows"] == 2 * len(topics)
        assert "LOS-01" not in report["not_checked"]
        kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def count(connection: psycopg.Connection[Any], table: str) -> int:
    ident = ".".join(f'"{part}"' for part in table.split("."))
    row = connection.execute(f"select count(*) from {ident}".encode()).fetchone()
    assert row is not None
    return int(row[0])
