"""Each database's own config and its rows through the real router: what arrives is what was written, and as we said."""

import json
from pathlib import Path

import pytest

from outbox_kit import dialects
from outbox_kit.preview import rows
from outbox_kit.preview.send import NOT_YET_MS, send_event
from outbox_kit.render import connector
from outbox_kit.router.events import change
from outbox_kit.schema.model import Event, Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.read import read
from tests.conformance.compare import difference
from tests.conformance.oracle import ORACLE_JAR, Real, class_of, java_map

EXAMPLES = Path(__file__).parents[1] / "examples"
LINE = "3.6.1.Final"
CHANGED = {"sequence": 7, "version": 7, "tenant": "ACME é", "urgent": True, "destination": "elsewhere", "slot": 3}
OUTBOXES = {
    f"{outbox.database.dialect}-{outbox.service}": outbox
    for name in ("sqlserver", "oracle")
    for outbox in read(EXAMPLES / f"{name}.yaml").outboxes
}
EVENTS = [pytest.param(o, event, id=f"{name}-{event.type}") for name, o in OUTBOXES.items() for event in o.events]


@pytest.mark.parametrize(("outbox", "event"), EVENTS)
def test_a_row_arrives_as_it_was_written(outbox: Outbox, event: Event) -> None:
    spelled = dialects.named(outbox.database.dialect).spelled
    changes = {spelled(name): value for name, value in CHANGED.items() if spelled(name) in outbox.column_names}
    if not event.tombstone:
        changes[outbox.table.columns.payload] = '{"ä": 1.0 }'
    row = rows.of_event(outbox, event, changes)
    held = {column.name: column.value for column in row}
    config = connector.config(outbox)
    real = Real(config, LINE).send(
        change(outbox.database.dialect, config, names(outbox).raw_topic, row, at_ms=NOT_YET_MS)
    )
    assert real["topic"] == outbox.topic(held[outbox.route_column])
    assert real["key"] == held[outbox.key_column].encode()
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
        derived = names(outbox)
        found = config_of(made(java_map(connector.config(outbox)))).getSnapshotSelectOverridesByTable()
        read = found.get(key(derived.database, derived.schema, outbox.table.name))
        assert " AS_OF_ITS_BEGINNING ORDER BY " in str(read), name
