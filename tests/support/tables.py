"""The tables that teams have, by their columns: `name type`, with a question mark where it may be null."""

from collections.abc import Sequence
from typing import Any

from outbox_kit.databases.catalogue import Catalogue, CatalogueColumn, CatalogueTable, Index


def _tables(text: str) -> dict[str, str]:
    """Tables by their names; what is indented goes on."""
    lines = text.replace("\n    ", " ").strip().splitlines()
    return {name: columns for name, _, columns in (line.partition(": ") for line in lines)}


PRESETS = _tables("""
debezium: id uuid, aggregatetype text, aggregateid text, type text, payload jsonb?
polling-postgres: id uuid, aggregate_type text, aggregate_id text, event_type text, payload jsonb, headers jsonb?,
    created_at timestamptz, available_at timestamptz, attempts integer, status enum, dedup_key text?, partition_key
    text?, seq bigint
postgres-minimal: id uuid, type character varying, content jsonb, occurred_on_utc timestamptz, processed_on_utc
    timestamptz?, error text?
sqlserver-outbox: Id uuid, OccurredOn timestamp, MessageType character varying, Payload text, CorrelationId uuid?,
    Destination character varying, ProcessedOn timestamp?, RetryCount integer, Error text?
nhibernate-outbox: id uuid, type character varying, json_payload text
masstransit: SequenceNumber bigint, EnqueueTime timestamptz?, SentTime timestamptz, Headers text?, Properties text?,
    InboxMessageId uuid?, OutboxId uuid?, MessageId uuid, ContentType text, MessageType text, Body text,
    ConversationId uuid?, CorrelationId uuid?, DestinationAddress text?
nservicebus: MessageId text, Dispatched boolean, DispatchedAt timestamp?, PersistenceVersion text, Operations jsonb
cap: Id bigint, Version text, Name text, Content text?, Retries integer, Added timestamp, ExpiresAt timestamp?,
    StatusName text
spring-modulith: id uuid, listener_id text, event_type text, serialized_event text, publication_date timestamptz,
    completion_date timestamptz?
barrier: id bigint, trans_type text, gid text, branch_id text, op text, barrier_id text, reason text, create_time
    timestamptz?, update_time timestamptz?
""")
OWN = _tables("""
event_outbox: event_id uuid, stream_name text, stream_id text, kind text, body bytea, recorded_at timestamp
domain_events: id uuid, aggregate_id uuid, aggregate_version integer, event_type text, data json
""")
ORDINARY = _tables("""
orders: id integer, user_id integer, status text, total numeric, data jsonb?, created_at timestamptz
users: id integer, name text, email text, data jsonb?, created_at timestamptz
audit_log: id bigint, user_id integer, action text, event_type text, entity_type text, entity_id text, data jsonb?,
    created_at timestamptz
messages: id bigint, conversation_id uuid, sender_id integer, type text, body text, created_at timestamptz
notifications: id uuid, type text, notifiable_id bigint, data text, read_at timestamptz?, created_at timestamptz
failed_jobs: id bigint, uuid text, connection text, queue text, payload text, exception text, failed_at timestamptz
sessions: sid text, sess json, expire timestamp
django_session: session_key text, session_data text, expire_date timestamptz
django_admin_log: id integer, action_time date, object_id text, object_repr text, change_message text
products: id integer, type text, name text, content text, status text, price numeric, created_at timestamptz
received: Id bigint, Version text, Name text, Group text, Content text?, Retries integer, Added timestamp, ExpiresAt
    timestamp?, StatusName text
OutboxState: OutboxId uuid, LockId uuid, RowVersion bytea, Created timestamptz, LastSequenceNumber bigint
InboxState: Id bigint, MessageId uuid, ConsumerId uuid, Received timestamptz, ReceiveCount integer
""")


def table(name: str, columns: str, **more: Any) -> CatalogueTable:
    """A table whose first column is its primary key."""
    made = tuple(
        CatalogueColumn(column, kind.removesuffix("?"), kind.endswith("?"))
        for column, _, kind in (text.partition(" ") for text in columns.split(", "))
    )
    given = {"indexes": (Index((made[0].name,), unique=True, primary=True),), **more}
    return CatalogueTable("public", name, made, **given)


def catalogue(tables: Sequence[CatalogueTable], dialect: str = "postgres", version: str = "17.2") -> Catalogue:
    return Catalogue(dialect, version, "shop", tuple(tables))
