"""Each database's own config and its rows through the real router: what arrives is what was written, and as we said."""

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from outbox_kit.databases import existing
from outbox_kit.router.events import RowColumn, change
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector, rows
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.event import send_event
from outbox_kit.wire.routes import Routes
from outbox_kit.wire.send import NOT_YET_MS, send
from tests.conformance.compare import difference
from tests.support import example_files
from tests.support.jvm import ORACLE_JAR, arrived, class_of, java_map
from tests.support.presets import KNOWN
from tests.support.presets import outbox as of_preset

EXAMPLES = Path(__file__).parents[1] / "examples"
LINE = "3.6.1.Final"
CHANGED = {"sequence": 7, "version": 7, "tenant": "ACME é", "urgent": True, "destination": "elsewhere", "slot": 3}
OUTBOXES = {
    f"{outbox.database.dialect}-{outbox.service}": outbox
    for name in ("sqlserver", "oracle")
    for outbox in example_files.of(name)
}
EVENTS = [pytest.param(o, event, id=f"{name}-{event.type}") for name, o in OUTBOXES.items() for event in o.events]


@pytest.mark.parametrize(("outbox", "event"), EVENTS)
def test_a_row_arrives_as_it_was_written(outbox: Outbox, event: EventType) -> None:
    spelled = outbox.dialect.fold_case
    changes = {spelled(name): value for name, value in CHANGED.items() if spelled(name) in outbox.column_names}
    if not event.tombstone:
        changes[outbox.table.columns.payload] = '{"ä": 1.0 }'
    row = rows.of_event(outbox, event, changes)
    held = {column.name: column.value for column in row}
    config = connector.config(outbox)
    sent = change(
        outbox.database.dialect, config, connector_topics(outbox).rows, row, Version.of(LINE), at_ms=NOT_YET_MS
    )
    real = arrived(config, LINE, sent)
    assert real["topic"] == Routes(outbox).topic(held[router_columns(outbox).route])
    assert real["key"] == held[router_columns(outbox).key].encode()
    assert real["value"] == (None if event.tombstone else '{"ä": 1.0 }'.encode())
    headers = dict(real["headers"])
    assert headers["id"] == held[outbox.table.columns.id].encode()
    assert headers["eventType"] == event.type.encode() and headers["aggregateType"] == event.aggregate.encode()
    assert headers.get("sequence") == (b"7" if outbox.ordering.sequence else None)
    for extra in outbox.table.extra:
        if extra.to == "header":
            assert headers[extra.alias or extra.name].decode() == _text(held[extra.name])
        if extra.to == "partition":
            assert real["partition"] == held[extra.name]
    assert difference(send_event(outbox, event, changes), real) is None


OWNERS: dict[str, dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("owners.yaml"))
TAKEN = [
    (preset, dialect) for preset, dialect in KNOWN if dialect in OWNERS and of_preset(preset, dialect).table.existing
]
TOPICS = {"debezium": "outbox.event.Order", "masstransit": "shop.Shop.OrderPlaced", "cap": "OrderPlaced",
          "sqlserver-outbox": "shop.orders"}  # fmt: skip


@pytest.mark.parametrize(("preset", "dialect"), TAKEN)
def test_a_row_of_somebody_else_s_table_arrives_as_its_owner_wrote_it(preset: str, dialect: str) -> None:
    outbox, held = of_preset(preset, dialect), OWNERS[dialect][preset]
    existing.expect(outbox, {name: kind for name, (kind, _) in held.items()})
    row = [RowColumn(name, kind, value, optional=value is None) for name, (kind, value) in held.items()]
    config, topic, c = connector.config(outbox), connector_topics(outbox).rows, outbox.table.columns
    real = arrived(config, LINE, change(dialect, config, topic, row, Version.of(LINE), at_ms=NOT_YET_MS))
    headers, sent = dict(real["headers"]), {name: _sent(kind, value) for name, (kind, value) in held.items()}
    assert real["topic"] == TOPICS.get(preset, "shop.OrderPlaced")
    assert headers["id"].decode() == sent[c.id] and real["key"].decode() == sent[c.aggregate_id or c.id]
    assert real["value"] == held[c.payload][1].encode() and headers["eventType"].decode() == held[c.type][1]
    for extra in outbox.table.extra:
        if extra.to == "header":
            assert headers[extra.alias or extra.name] == (sent[extra.name] and sent[extra.name].encode())
    assert difference(send(dialect, config, topic, row, Version.of("3.6")), real) is None


def _sent(kind: str, value: Any) -> Any:
    return value if value is None else str(value).upper() if kind == "uniqueidentifier" else str(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def test_the_first_read_of_sql_server_s_outbox_is_the_one_that_is_sorted() -> None:
    # the option holds a name that the connector takes apart; without the marks a dot would part it too
    word = "io.debezium.connector.sqlserver.SqlServerTableIdPredicates"
    predicates = class_of(word, LINE, "debezium-connector-sqlserver")()
    plain = OUTBOXES["sqlserver-orders-ms"]
    key = class_of("io.debezium.relational.TableId", LINE, "debezium-connector-sqlserver")
    for schema, table in (("dbo", "outbox"), ("sa les", "out.b.o.x"), ("dbo", "[x$'y")):
        database = plain.database.model_copy(update={"db_schema": schema})
        outbox = plain.model_copy(
            update={"database": database, "table": plain.table.model_copy(update={"name": table})}
        )
        listed = connector.config(outbox)["snapshot.select.statement.overrides"]
        assert key.parse(listed, predicates).equals(key(None, schema, table))


def test_the_first_read_of_oracle_s_outbox_is_the_one_that_is_sorted() -> None:
    made = class_of("io.debezium.config.Configuration", LINE, ORACLE_JAR).from_
    config_of = class_of("io.debezium.connector.oracle.OracleConnectorConfig", LINE, ORACLE_JAR)
    key = class_of("io.debezium.relational.TableId", LINE, ORACLE_JAR)
    for name in ("oracle-orders-ora", "oracle-odd", "oracle-small"):
        plain = OUTBOXES[name]
        outbox = plain.model_copy(update={"connect": plain.connect.model_copy(update={"snapshot": "initial"})})
        derived = outbox.names
        found = config_of(made(java_map(connector.config(outbox)))).getSnapshotSelectOverridesByTable()
        read = found.get(key(derived.database, derived.schema, outbox.table.name))
        assert " AS_OF_ITS_BEGINNING ORDER BY " in str(read), name
