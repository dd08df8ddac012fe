"""For how long rows are kept, in days or in hours, in all that says so."""

from pathlib import Path

import pytest

from outbox_kit.errors import BadSchemaFile
from outbox_kit.render import documents
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.verify.table.values import covered_since
from outbox_kit.wire.routes import Routes

HOURS = {
    "postgres": "outbox-kit cleanup --job",  # which takes the hours from the schema file
    "mysql": "interval 6 hour",
    "mariadb": "interval 6 hour",
    "sqlserver": "dateadd(hour, -6",
    "oracle": "interval '6' hour(6)",
}


def outbox_of(dialect: str, **table: object) -> Outbox:
    events = [{"type": "OrderPlaced", "aggregate": "Order"}]
    return Outbox.model_validate(
        {"service": "shop", "database": {"dialect": dialect}, "events": events, "table": table}
    )


@pytest.mark.parametrize(("dialect", "interval"), HOURS.items())
def test_a_runbook_deletes_what_is_older_than_hours(dialect: str, interval: str) -> None:
    outbox = outbox_of(dialect, keep_hours=6)
    page = runbook(Routes(outbox))
    assert interval in page and "older than 6 hours" in page


def test_a_ttl_index_takes_hours_too_and_an_inbox_whole_days() -> None:
    own = outbox_of("mongodb", keep_hours=30)
    (aged,) = [one for one in documents.indexes(own).values() if "expireAfterSeconds" in one]
    assert aged["expireAfterSeconds"] == 30 * 3600
    assert own.table.kept_days == 2


def test_nothing_is_said_of_rows_that_are_older_than_hours() -> None:
    now = 1_800_000_000_000
    assert covered_since(outbox_of("postgres", keep_hours=6), now - 9 * 3_600_000, now) == now - 6 * 3_600_000


def test_partitions_are_days(tmp_path: Path) -> None:
    file = tmp_path / "outbox.yaml"
    file.write_text(
        "service: shop\ndatabase: {dialect: postgres}\ntable: {retention: partition, keep_hours: 6}\n"
        "events: [{type: OrderPlaced, aggregate: Order}]\n"
    )
    with pytest.raises(BadSchemaFile) as raised:
        read(file)
    assert "keep_hours needs retention: delete" in str(raised.value.details)
