"""Tables that teams have in SQL Server and Oracle, and a row of each: what `adopt` is to make of them."""

from collections.abc import Mapping
from typing import Any

from outbox_kit.adopt.candidate import Candidate, candidates, with_evidence
from outbox_kit.databases.catalogue import Catalogue, CatalogueTable, RowSample
from tests.support.tables import table

OPERATIONS = '[{"MessageId": "a", "Type": "Shop.OrderPlaced", "Body": "e30="}]'
ROWS: Mapping[str, Mapping[str, str | bytes | None]] = {
    "OutboxMessage": {"MessageType": "urn:message:Shop:OrderPlaced"},
    "OutboxData": {"Operations": OPERATIONS},
    "SHOPOD": {"OPERATIONS": OPERATIONS},
    "outbox_messages": {"type": "OrderPlaced", "content": '{"orderId": 7}'},
    "DOMAIN_EVENTS": {"EVENT_TYPE": "OrderPlaced", "PAYLOAD": '{"orderId": 7}'},
}
TABLES = {
    "sqlserver": {
        "OutboxMessage": "MessageId uniqueidentifier, SequenceNumber bigint, EnqueueTime datetime2?, "
        "SentTime datetime2, OutboxId uniqueidentifier?, ContentType nvarchar, MessageType nvarchar, Body nvarchar, "
        "ConversationId uniqueidentifier?, CorrelationId uniqueidentifier?",
        "OutboxData": "MessageId nvarchar, Dispatched bit, DispatchedAt datetime?, PersistenceVersion varchar, "
        "Operations nvarchar",
        "Published": "Id bigint, Version nvarchar, Name nvarchar, Content nvarchar?, Retries int, Added datetime2, "
        "ExpiresAt datetime2?, StatusName nvarchar",
        "outbox_messages": "id uniqueidentifier, type nvarchar, content nvarchar, occurred_on datetimeoffset",
        "old_outbox": "id uniqueidentifier, event_type nvarchar, aggregate_id nvarchar, sent_at datetime?",
    },
    "oracle": {
        "EVENT_PUBLICATION": "ID varchar2, LISTENER_ID varchar2, EVENT_TYPE varchar2, SERIALIZED_EVENT varchar2, "
        "PUBLICATION_DATE timestamp(6), COMPLETION_DATE timestamp(6)?",
        "SHOPOD": "MESSAGEID nvarchar2, DISPATCHED number(1), OPERATIONS clob, PERSISTENCEVERSION varchar2",
        "DOMAIN_EVENTS": "ID raw(16), EVENT_TYPE varchar2, PAYLOAD clob, CREATED_AT timestamp(6)",
        "OUTBOX": "ID varchar2, EVENT_TYPE varchar2, PAYLOAD clob, CREATED_AT timestamp(6)",
    },
}
CONTAINERS = {"oracle": "ORCLCDB"}


def catalogue(dialect: str, **more: Any) -> Catalogue:
    """All of a server's. more: of every table."""
    made = [table(name, columns, **more) for name, columns in TABLES[dialect].items()]
    return Catalogue(dialect, "19.0.0", "SHOP", tuple(made), CONTAINERS.get(dialect))


def found(dialect: str, **more: Any) -> dict[str, Candidate]:
    """The candidates by their tables' names, each after a look at its row."""

    def look(one: CatalogueTable, _newest: str | None) -> RowSample:
        return RowSample((ROWS[one.name],) if one.name in ROWS else ())

    meant = [f"public.{name}" for name in TABLES[dialect]]
    given = catalogue(dialect, **more)
    return {name.partition(".")[2]: with_evidence(candidates(given, name)[0], look) for name in meant}
