"""The section `inbox` of a schema file."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit.render import ddl
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox


def outbox(inbox: dict[str, Any], dialect: str = "postgres", **more: Any) -> Outbox:
    document = {"service": "shop", "database": {"dialect": dialect}, "events": [{"type": "A", "aggregate": "B"}]}
    return Outbox.model_validate({**document, "inbox": inbox, **more})


@pytest.mark.parametrize(
    ("inbox", "more", "problem"),
    [
        ({"mode": "offsets"}, {}, "invalid inbox.mode 'offsets': expected message-id or high-water"),
        ({"mode": "high-water"}, {"ordering": {"sequence": None}}, "have no header 'sequence'"),
        ({"mode": "high-water"}, {"dialect": "mongodb"}, "expected message-id for MongoDB"),
        ({"partitioned": True}, {"dialect": "mysql"}, "invalid inbox.partitioned 'true': expected false for MySQL"),
        ({"partitioned": True, "mode": "high-water"}, {}, "whose table is small"),
        ({"mode": "high-water", "window_days": 3}, {}, "inbox.window_days needs inbox.mode: message-id"),
        ({"consumers": [{"name": "a"}, {"name": "a"}]}, {}, "the consumer 'a' is declared twice"),
    ],
)
def test_what_does_not_fit_is_refused(inbox: dict[str, Any], more: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as refused:
        outbox(inbox, **more)
    assert problem in str(refused.value)


def test_the_window_covers_the_outbox_and_the_default_retention_of_topics() -> None:
    assert kept_days(outbox({})) == 14
    assert kept_days(outbox({}, table={"keep_days": 30})) == 37
    assert kept_days(outbox({"window_days": 3})) == 3
    assert "interval '3 days'" in ddl.up(outbox({"window_days": 3}), ddl.INBOX)


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "mariadb", "sqlserver", "oracle"])
@pytest.mark.parametrize(
    ("mode", "column"), [("message-id", "message_id"), ("high-water", "last_sequence"), ("offsets", "next_offset")]
)
def test_each_mode_has_its_table_in_every_database(dialect: str, mode: str, column: str) -> None:
    chosen = outbox({"mode": mode}, dialect, delivery_guarantee="exactly-once", ordering={"assigned_by": "application"})
    script, removal = ddl.up(chosen, ddl.INBOX), ddl.down(chosen, ddl.INBOX)
    assert script.count("create table") == 1 and f" {column} " in script
    table = ddl.INBOX.as_outbox(chosen).table.name
    assert chosen.dialect.quote_ident(table) in script and chosen.dialect.quote_ident(table) in removal


def test_a_partition_is_of_the_id_and_no_older_day_is_created_twice() -> None:
    script = ddl.up(outbox({"partitioned": True}), ddl.INBOX)
    assert "partition by range (message_id)" in script and "default" not in script.split("do $block$")[1]
    assert "coalesce(to_date(newest" in script


def test_other_ids_than_uuids_are_texts() -> None:
    existing = {"existing": True, "ids": "bigint"}
    assert "message_id text not null" in ddl.up(outbox({}, table=existing), ddl.INBOX)
