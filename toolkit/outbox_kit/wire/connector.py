"""A schema file's connector config: a dict made option by option, never a text template. Pure."""

import hashlib
import re

from outbox_kit.schema.columns import payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.order import in_order
from outbox_kit.wire.shape import Config, flag, in_release, shape

KEY_AND_HEADERS_BYTES = 64 * 1024  # beside the payload, in a message
KAFKA_MESSAGE_BYTES = 1_048_588  # the brokers' own limit, below which a topic need not ask for less
HOUR_MS = 3_600_000
LEAST_SERVER_ID = 1_000_000  # people number their servers from 1 on
FAILOVER_SLOTS = Version.of("17")
SOURCE = ("{host}", "{port}", "{database}", "{databases}", "{container}", "{table}")
"""The placeholders of a server and a database, and of a collection with its database."""


def config(outbox: Outbox) -> Config:
    """The complete config of the outbox's connector, in reading order; options of the schema file override others.

    Options that the target Debezium does not read are left out, as are empty lists; values are in its words.
    """
    options = {
        **shape(outbox),
        **_delivery(outbox),
        **_topics(outbox),
        **_source(outbox),
    }
    written = in_release(options, Version.of(outbox.connect.debezium)) | outbox.connect.config
    return {name: written[name] for name in in_order(written)}


def source_options(outbox: Outbox) -> list[str]:
    """The names of the options that say which server and which database the connector reads."""
    return [name for name, value in _of_database(outbox).items() if any(word in value for word in SOURCE)]


def _of_database(outbox: Outbox) -> Config:
    """The database's options, with placeholders; see `_placeholders`."""
    capture = outbox.dialect.capture
    return {**capture.options, **(capture.container_options if outbox.database.container else {})}


def _source(outbox: Outbox) -> Config:
    """What is read, and how."""
    topics, values = connector_topics(outbox), _placeholders(outbox)
    return {
        **{name: value.format_map(values) for name, value in _of_database(outbox).items()},
        "tasks.max": "1",
        "topic.prefix": outbox.names.topic_prefix,
        "topic.heartbeat.prefix": topics.heartbeat_prefix,
        "heartbeat.interval.ms": str(outbox.connect.heartbeat_ms),
        "tombstones.on.delete": "false",
        "provide.transaction.metadata": "false",
        "extended.headers.enabled": "false",
        **_snapshot(outbox),
        **_failover(outbox),
    }


def _placeholders(outbox: Outbox) -> dict[str, str | None]:
    """What stands in the values of a database's options for the words in braces."""
    names, dialect, cluster = outbox.names, outbox.dialect, outbox.database.replica_set
    table, in_log = _listed(outbox, outbox.table.name), outbox.table.storage == "log"
    heartbeats = [_listed(outbox, names.heartbeat_table)] if dialect.capture.uses_heartbeat_table else []
    captured = (*([] if in_log else [table]), *heartbeats)
    return {
        "host": outbox.database.host,
        "port": str(outbox.database.port or dialect.access.port),
        "database": names.database,
        "container": outbox.database.container,
        "large": flag(not payload_kind(outbox).startswith("short ")),
        "databases": re.escape(names.database),
        "role": names.role,
        "password": outbox.database.password,
        "slot": names.slot,
        "publication": names.publication,
        "server_id": _server_id(names.connector, names.topic_prefix),
        "bootstrap": outbox.connect.bootstrap,
        "history": connector_topics(outbox).history,
        "skipped": "u,d,t" if outbox.table.existing else "d,t",  # the owner's publisher marks what it has sent
        "heartbeat": dialect.quote_ident(names.schema, names.heartbeat_table),
        "replica_set": f"?replicaSet={cluster}" if cluster else "",
        "table": table,
        "tables": ",".join(map(re.escape, captured)),
        "messages": re.escape(names.logical_message_prefix) if in_log else "",
        "unread": "" if in_log else ",".join(re.escape(f"{table}.{name}") for name in _unread(outbox)),
    }


def _server_id(*names: str) -> str:
    """A number among the database's replicas that stays the connector's, and is hardly another one's."""
    digest = hashlib.sha256("\n".join(names).encode()).digest()
    return str(LEAST_SERVER_ID + int.from_bytes(digest[:4]) % (2**32 - LEAST_SERVER_ID))


def _unread(outbox: Outbox) -> list[str]:
    """The columns that the router does not read."""
    read, unread = router_columns(outbox).all, (outbox.table.columns.created_at, *(x.name for x in outbox.table.extra))
    return [name for name in unread if name is not None and name not in read]


def _snapshot(outbox: Outbox) -> Config:
    """The initial snapshot, in the order of the events: after a cleanup the table has no order of its own."""
    if outbox.table.storage == "log":
        return {"snapshot.mode": "no_data"}  # there are no rows
    mode: Config = {"snapshot.mode": outbox.connect.snapshot}
    dialect = outbox.dialect
    capture = dialect.capture
    if outbox.connect.snapshot != "initial" or not capture.snapshot_query:
        return mode
    table, rows = _listed(outbox, outbox.table.name, capture.override_format), (outbox.names.schema, outbox.table.name)
    order = dialect.quote_ident(outbox.order_column)
    unread = _unread(outbox)
    sent = ", ".join(dialect.quote_ident(name) for name in outbox.column_names if name not in unread)
    option = "snapshot.select.statement.overrides"
    read = capture.snapshot_query.format(columns=sent, rows=dialect.quote_ident(*rows), order=order)
    return mode | {option: table, f"{option}.{table}": read}


def _listed(outbox: Outbox, table: str, form: str = "") -> str:
    """A table as the connector's options call it, or in another form."""
    derived, dialect = outbox.names, outbox.dialect
    return (form or dialect.capture.table_list_format).format(
        database=derived.database, schema=derived.schema, table=table
    )


def _failover(outbox: Outbox) -> Config:
    version = outbox.database.version
    return {"slot.failover": "true"} if version and Version.of(version) >= FAILOVER_SLOTS else {}


def _delivery(outbox: Outbox) -> Config:
    """Errors, promises and pace. The figures are those that tests/bench compares with Debezium's defaults."""
    exactly_once = {"exactly.once.support": "required", "transaction.boundary": "poll"}
    return {
        "errors.tolerance": "none",
        **(exactly_once if outbox.delivery_guarantee == "exactly-once" else {}),
        "poll.interval.ms": "5",
        "max.batch.size": "4096",
        "max.queue.size": "16384",
        "max.queue.size.in.bytes": str(256 * 1024 * 1024),
        "producer.override.batch.size": str(256 * 1024),
        "producer.override.linger.ms": "1",
        "producer.override.buffer.memory": str(64 * 1024 * 1024),
        "producer.override.compression.type": "lz4",
        "producer.override.max.request.size": str(_message_bytes(outbox)),
    }


def _topics(outbox: Outbox) -> Config:
    copies = str(outbox.connect.topics.replication_factor)
    topics = connector_topics(outbox)
    beats = outbox.dialect.capture.uses_heartbeat_table
    internal = [topics.heartbeat, *([topics.heartbeat_rows] if beats else [])]
    return {
        "topic.creation.default.partitions": str(outbox.connect.topics.partitions),
        "topic.creation.default.replication.factor": copies,
        "topic.creation.default.cleanup.policy": "delete",
        "topic.creation.default.max.message.bytes": str(_message_bytes(outbox)),
        "topic.creation.groups": "internal",
        "topic.creation.internal.include": ",".join(map(re.escape, internal)),
        "topic.creation.internal.partitions": "1",
        "topic.creation.internal.replication.factor": copies,
        "topic.creation.internal.cleanup.policy": "delete",
        "topic.creation.internal.retention.ms": str(HOUR_MS),
    }


def _message_bytes(outbox: Outbox) -> int:
    _, widest = outbox.dialect.conditions.counted.get(payload_kind(outbox), ("", 1))
    return max(outbox.table.max_payload_bytes * widest + KEY_AND_HEADERS_BYTES, KAFKA_MESSAGE_BYTES)
