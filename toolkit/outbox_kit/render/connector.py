"""Model to connector config: a dict built option by option from the registry, never a text template. Pure."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping

from outbox_kit import dialects, secret
from outbox_kit.router import options
from outbox_kit.router.transforms import HEADER_FROM, INSERT_FIELD
from outbox_kit.schema import cloudevents
from outbox_kit.schema.columns import payload_kind, tombstones
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.words import GROUP, PLACEHOLDER
from outbox_kit.versions import Version

STRING = "org.apache.kafka.connect.storage.StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"
KEY_AND_HEADERS_BYTES = 64 * 1024  # beside the payload, in a message
KAFKA_MESSAGE_BYTES = 1_048_588  # the brokers' own limit, below which a topic need not ask for less
HOUR_MS = 3_600_000
LEAST_SERVER_ID = 1_000_000  # people number their servers from 1 on
FAILOVER_SLOTS = Version.of("17")

Config = dict[str, str]


def config(outbox: Outbox) -> Config:
    """The complete config of the outbox's connector, keys sorted; what the schema file overrides wins.

    Options that the target Debezium does not read are left out, as are empty lists; values are in its words.
    """
    release = Version.of(outbox.connect.debezium)
    written = {
        **_router(outbox),
        **_converters(outbox),
        **_delivery(outbox),
        **_topics(outbox),
        **_source(outbox),
    }
    alive = {
        name: option.in_words_of(release, value)
        for name, value in written.items()
        if value and (option := options.resolve(written, name).option) and option.alive(release)
    }
    return dict(sorted((alive | outbox.connect.config).items()))


def document(outbox: Outbox) -> str:
    """The config as the file that Kafka Connect's REST API takes: name and config."""
    return json.dumps({"name": names(outbox).connector, "config": config(outbox)}, indent=2) + "\n"


def explain(outbox: Outbox) -> Iterator[tuple[str, str, str]]:
    """Each option with its value and the reason for it; secrets are not shown."""
    written = config(outbox)
    for name, value in written.items():
        option = options.resolve(written, name).option
        own = "Set in the schema file." if name in outbox.connect.config else ""
        shown = secret.shown(value, secret=options.holds_secret(written, name))
        yield name, shown, " ".join(filter(None, [own, option.why if option else ""]))


def _source(outbox: Outbox) -> Config:
    dialect = dialects.named(outbox.database.dialect)
    derived = names(outbox)
    table = _listed(outbox, outbox.table.name)
    in_log, cluster = outbox.table.storage == "log", outbox.database.replica_set
    beaten = [_listed(outbox, derived.heartbeat_table)] if dialect.capture.beats else []
    captured = (*([] if in_log else [table]), *beaten)
    values = {
        "host": outbox.database.host,
        "port": str(outbox.database.port or dialect.port),
        "database": derived.database,
        "container": outbox.database.container,
        "large": _text(not payload_kind(outbox).startswith("short ")),
        "databases": re.escape(derived.database),
        "role": derived.role,
        "password": outbox.database.password,
        "slot": derived.slot,
        "publication": derived.publication,
        "server_id": _server_id(derived.connector, derived.topic_prefix),
        "bootstrap": outbox.connect.bootstrap,
        "history": derived.history_topic,
        "skipped": "u,d,t" if outbox.table.existing else "d,t",  # its owner's publisher marks what it has sent
        "heartbeat": dialect.ident(derived.schema, derived.heartbeat_table),
        "replica_set": f"?replicaSet={cluster}" if cluster else "",
        "table": table,
        "tables": ",".join(map(re.escape, captured)),
        "messages": re.escape(derived.messages) if in_log else "",
        "unread": "" if in_log else ",".join(re.escape(f"{table}.{name}") for name in _unread(outbox)),
    }
    of_database = {**dialect.capture.options, **(dialect.capture.container if outbox.database.container else {})}
    return {
        **{name: value.format_map(values) for name, value in of_database.items()},
        "tasks.max": "1",
        "topic.prefix": derived.topic_prefix,
        "topic.heartbeat.prefix": derived.heartbeat_topic_prefix,
        "heartbeat.interval.ms": str(outbox.connect.heartbeat_ms),
        "tombstones.on.delete": "false",
        "provide.transaction.metadata": "false",
        "extended.headers.enabled": "false",
        **_snapshot(outbox),
        **_failover(outbox),
    }


def _server_id(*own: str) -> str:
    """A number among the database's replicas that stays the connector's, and is hardly another one's."""
    digest = hashlib.sha256("\n".join(own).encode()).digest()
    return str(LEAST_SERVER_ID + int.from_bytes(digest[:4]) % (2**32 - LEAST_SERVER_ID))


def _unread(outbox: Outbox) -> list[str]:
    """The columns that the router does not read."""
    read = {outbox.route_column, outbox.key_column, *(placement.column for placement in outbox.placements)}
    unread = (outbox.table.columns.created_at, *(x.name for x in outbox.table.extra))
    return [name for name in unread if name is not None and name not in read]


def _snapshot(outbox: Outbox) -> Config:
    """The first read, in the order in which the events were written: the table's own order is none after a cleanup."""
    if outbox.table.storage == "log":
        return {"snapshot.mode": "no_data"}  # there are no rows
    mode: Config = {"snapshot.mode": outbox.connect.snapshot}
    dialect = dialects.named(outbox.database.dialect)
    capture = dialect.capture
    if outbox.connect.snapshot != "initial" or not capture.snapshot:
        return mode
    table, rows = _listed(outbox, outbox.table.name, capture.overridden), (names(outbox).schema, outbox.table.name)
    order = dialect.ident(outbox.order_column)
    unread = _unread(outbox)
    sent = ", ".join(dialect.ident(name) for name in outbox.column_names if name not in unread)
    option = "snapshot.select.statement.overrides"
    read = capture.snapshot.format(columns=sent, rows=dialect.ident(*rows), order=order)
    return mode | {option: table, f"{option}.{table}": read}


def _listed(outbox: Outbox, table: str, form: str = "") -> str:
    """A table as the connector's options call it, or in another form."""
    derived, dialect = names(outbox), dialects.named(outbox.database.dialect)
    return (form or dialect.capture.listed).format(database=derived.database, schema=derived.schema, table=table)


def _failover(outbox: Outbox) -> Config:
    version = outbox.database.version
    return {"slot.failover": "true"} if version and Version.of(version) >= FAILOVER_SLOTS else {}


def _router(outbox: Outbox) -> Config:
    c, capture = outbox.table.columns, dialects.named(outbox.database.dialect).capture
    placement = ",".join(
        f"{p.column}:{p.to}:{p.name}" if p.to == "header" else f"{p.column}:{p.to}" for p in outbox.placements
    )
    router = {
        "type": capture.router,
        f"{capture.field}.field.event.id": c.id,
        f"{capture.field}.field.event.key": outbox.key_column,
        f"{capture.field}.field.event.payload": c.payload,
        f"{capture.field}.fields.additional.placement": placement,
        f"{capture.field}.expand.json.payload": _text(_expands(outbox)),
        "table.op.invalid.behavior": "warn",
        "route.by.field": outbox.route_column,
        "route.topic.regex": outbox.routing.pattern or "(.*)",
        "route.topic.replacement": _replacement(outbox),
        "route.tombstone.on.empty.payload": _text(tombstones(outbox)),
    }
    steps = {**_attributes(cloudevents.constants(outbox)), **_decoding(outbox), "outbox": router}
    return {
        "transforms": ",".join(steps),
        **{f"transforms.{step}.{name}": value for step in steps for name, value in steps[step].items()},
        **{f"transforms.{step}.predicate": "isOutbox" for step in steps},
        "predicates": "isOutbox",
        "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.isOutbox.pattern": re.escape(names(outbox).raw_topic),
    }


def _attributes(constants: Mapping[str, str]) -> dict[str, Config]:
    """Headers that are the same on every event, in two steps before the router: a field of the change, made a header.

    InsertHeader would be one, but sends 1.0 as 1.
    """
    if not constants:
        return {}
    fields = {
        _inserting(header): {"type": INSERT_FIELD, "static.field": header, "static.value": value}
        for header, value in constants.items()
    }
    moved = {"type": HEADER_FROM, "operation": "move"} | dict.fromkeys(("fields", "headers"), ",".join(constants))
    return {**fields, "attributes": moved}


def _decoding(outbox: Outbox) -> dict[str, Config]:
    """What makes a row of a message in the log; its nulls are columns too."""
    if outbox.table.storage == "table":
        return {}
    decoder = dialects.named(outbox.database.dialect).capture.decoder
    return {"decode": {"type": decoder, "fields.null.include": "true"}}


def _inserting(header: str) -> str:
    """The name of the transformation that adds a header: `ceSource` for `ce_source`."""
    first, *rest = re.split("[_-]", header)
    return first + "".join(map(str.capitalize, rest))


def _replacement(outbox: Outbox) -> str:
    """The topic's pattern as the router takes it: the service's name written out, the column or its group as `$1`."""

    def group(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return outbox.service if name == "service" else f"${name if GROUP.fullmatch(name) else 1}"

    return PLACEHOLDER.sub(group, outbox.routing.topic)


def _expands(outbox: Outbox) -> bool:
    """Whether the payload is a document, which becomes JSON only on its way; elsewhere it is sent as it was written."""
    return dialects.named(outbox.database.dialect).documents and outbox.table.payload == "json"


def _converters(outbox: Outbox) -> Config:
    value = {"value.converter": STRING}
    if outbox.table.payload == "bytes":
        value = {
            "value.converter": "io.debezium.converters.BinaryDataConverter",
            "value.converter.delegate.converter.type": JSON,
            "value.converter.delegate.converter.type.schemas.enable": "false",
        }
    elif _expands(outbox):
        value = {"value.converter": JSON, "value.converter.schemas.enable": "false"}
    return {
        "key.converter": STRING,
        "header.converter": "org.apache.kafka.connect.storage.SimpleHeaderConverter",
        **value,
    }


def _delivery(outbox: Outbox) -> Config:
    """Errors, promises and pace. The figures are those that tests/bench compares with Debezium's defaults."""
    exactly_once = {"exactly.once.support": "required", "transaction.boundary": "poll"}
    return {
        "errors.tolerance": "none",
        **(exactly_once if outbox.delivery == "exactly-once" else {}),
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
    derived = names(outbox)
    beats = dialects.named(outbox.database.dialect).capture.beats
    internal = [derived.heartbeat_topic, *([derived.raw_heartbeat_topic] if beats else [])]
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
    _, widest = dialects.named(outbox.database.dialect).conditions.counted.get(payload_kind(outbox), ("", 1))
    return max(outbox.table.max_payload_bytes * widest + KEY_AND_HEADERS_BYTES, KAFKA_MESSAGE_BYTES)


def _text(value: bool) -> str:
    return "true" if value else "false"
