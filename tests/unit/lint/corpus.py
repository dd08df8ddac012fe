"""What public repositories deploy: keys and values restated, names our own.

Each comes with the rules that its flaws must meet. `errors` false: a row marked as good practice, which raises none.
"""

from dataclasses import dataclass, field

KAFKA = "org.apache.kafka.connect"
STRING = f"{KAFKA}.storage.StringConverter"
JSON = f"{KAFKA}.json.JsonConverter"
BINARY = "io.debezium.converters.BinaryDataConverter"
BYTE_BUFFER = "io.debezium.converters.ByteBufferConverter"
POSTGRES = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "db",
    "database.port": "5432",
    "database.user": "app",
    "database.password": "app",
    "database.dbname": "app",
}
R = "transforms.outbox."
ROUTED = {"transforms": "outbox", f"{R}type": "io.debezium.transforms.outbox.EventRouter"}
MONGO_ROUTED = ROUTED | {f"{R}type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter"}


@dataclass(frozen=True)
class Public:
    """config: flat. strimzi: as a KafkaConnector resource. finds: rules. silent: rules that must not fire."""

    config: dict[str, str]
    finds: set[str]
    silent: set[str] = field(default_factory=set)
    strimzi: bool = False
    errors: bool = True
    release: str = "3.6"


def routed(**options: str) -> dict[str, str]:
    """The router, with options whose dots are written as double underscores."""
    return ROUTED | {f"{R}{name.replace('__', '.')}": value for name, value in options.items()}


CORPUS: dict[str, Public] = {
    "C1": Public(
        POSTGRES
        | routed(
            route__by__field="aggregate_type",
            route__topic__regex="(?<r>.*)",
            route__topic__replacement="${r}-events",
            table__field__event__key="aggregate_id",
            table__field__payload="payload",
            table__field__timestamp="created_at",
            table__fields__additional__placement="type:header:eventType,headers:header",
            table__expand__json__payload="true",
        )
        | {
            "topic.prefix": "shipment",
            "plugin.name": "pgoutput",
            "slot.name": "shipment_outbox",
            "publication.autocreate.mode": "filtered",
            "table.include.list": "public.outbox",
            "snapshot.mode": "initial",
            "key.converter": STRING,
            "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
            "value.converter.apicurio.registry.url": "http://registry",
        },
        {
            "nonexistent-option",
            "removed-option",
            "expand-with-registry",
            "default-publication-name",
            "plain-text-secret",
            "snapshot-mode-initial",
            "no-heartbeat",
        },
    ),
    "C2": Public(
        POSTGRES
        | routed(
            table__fields__additional__placement="type:header:eventType",
            route__topic__replacement="${routedByValue}",
        )
        | {
            "database.server.name": "hub",
            "schema.include.list": "public",
            "table.include.list": "public.outboxevent",
            "key.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {
            "required-option-missing",
            "removed-option",
            "decoderbufs",
            "json-converter-on-text-payload",
            "json-key-converter",
            "default-slot-name",
        },
    ),
    "C3": Public(
        POSTGRES
        | routed(
            table__field__event__key="aggregate_id",
            route__by__field="destination",
            route__topic__replacement="${routedByValue}",
            table__fields__additional__placement="id:header:ce_id,time:header:ce_time,type:header:ce_type",
        )
        | {
            "database.server.name": "accounting",
            "plugin.name": "pgoutput",
            "table.include.list": "public.outbox",
            "value.converter": BYTE_BUFFER,
        },
        {"removed-class", "removed-option", "required-option-missing", "converter-not-set"},
        silent={"duplicate-id-header"},
    ),
    "C4": Public(
        POSTGRES
        | routed(
            route__by__field="destination",
            table__field__event__key="id",
            table__field__event__payload="payload",
        )
        | {
            "topic.prefix": "mic",
            "table.include.list": "public.outbox",
            "value.converter": BINARY,
            "value.converter.schemas.enable": "false",
        },
        {
            "key-is-event-id",
            "default-topic-replacement",
            "decoderbufs",
            "delegate-converter-missing",
            "schemas-enable-ignored",
        },
    ),
    "C5": Public(
        POSTGRES
        | routed(
            route__by__id="id",
            route__by__field="mt_dotnet_type",
            table__field__event__id="id",
            table__field__event__key="mt_dotnet_type",
            table__field__event__payload="data",
            debezium__expand__json__payload="true",
            table__fields__additional__placement="mt_dotnet_type:header:eventType",
        )
        | {
            "database.server.name": "shop",
            "topic.prefix": "shop",
            "plugin.name": "pgoutput",
            "slot.name": "shop",
            "table.include.list": "public.mt_doc_message",
            "key.converter": STRING,
            "value.converter": STRING,
            "key.converter.schemas.enable": "false",
            "internal.key.converter": JSON,
            "internal.value.converter": JSON,
        },
        {
            "nonexistent-option",
            "key-is-type",
            "removed-option",
            "internal-converter",
            "snapshot-mode-initial",
            "schemas-enable-ignored",
        },
    ),
    "C5b": Public(
        POSTGRES
        | routed(table__field__event__key="mt_dotnet_type")
        | {"topic.prefix": "shop", "plugin.name": "pgoutput", "snapshot.mode": "never"},
        {"invalid-value", "key-is-type"},
    ),
    "C6": Public(
        {
            "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
            "mongodb.hosts": "rs0/mongo:27017",
            "mongodb.name": "control",
            "collection.include.list": "control.outbox",
            "database.history.kafka.bootstrap.servers": "kafka:9092",
            "database.history.kafka.topic": "history",
            "key.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
            "value.converter.delegate.converter.type": JSON,
            **MONGO_ROUTED,
            f"{R}collection.expand.json.payload": "true",
        },
        {"removed-option", "required-option-missing", "json-key-converter", "unknown-option"},
    ),
    "C7": Public(
        POSTGRES
        | routed(table__field__payload="payload", route__topic__replacement="outbox.event.${routedByValue}")
        | {
            "database.password": "${env:DB_PASSWORD}",
            "database.server.name": "rbac",
            "topic.prefix": "rbac",
            "plugin.name": "pgoutput",
            "table.whitelist": "public.outbox",
            "table.include.list": "public.outbox",
            "heartbeat.interval.ms": "10000",
            "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)",
            "snapshot.mode": "initial",
        },
        {
            "removed-option",
            "default-slot-name",
            "default-publication-name",
            "converter-not-set",
            "snapshot-mode-initial",
            "publication-for-all-tables",
        },
        strimzi=True,
        errors=False,
    ),
    "C8": Public(
        POSTGRES
        | routed(
            table__fields__additional__placement="operation:header,version:header",
            table__expand__json__payload="true",
        )
        | {
            "database.password": "${secrets:hbi/db:password}",
            "database.server.name": "hbi",
            "topic.prefix": "hbi",
            "plugin.name": "pgoutput",
            "slot.name": "hbi_outbox",
            "table.whitelist": "public.outbox",
            "table.include.list": "public.outbox",
            "snapshot.mode": "no_data",
            "value.converter": JSON,
            "heartbeat.interval.ms": "10000",
            "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)",
        },
        {
            "schemas-enable-not-set",
            "removed-option",
            "default-publication-name",
            "publication-for-all-tables",
            "converter-not-set",
        },
        silent={"plain-text-secret", "snapshot-mode-initial", "no-heartbeat", "default-slot-name"},
        strimzi=True,
        errors=False,
    ),
    "C9": Public(
        POSTGRES
        | routed(
            route__topic__replacement="${routedByValue}.events",
            table__field__event__timestamp="timestamp",
            table__fields__additional__placement="type:header:eventType",
        )
        | {
            "database.server.name": "dbserver1",
            "schema.whitelist": "inventory",
            "table.whitelist": "inventory.outboxevent",
            "tombstones.on.delete": "false",
        },
        {"removed-option", "no-table-filter", "timestamp-column", "decoderbufs", "required-option-missing"},
    ),
    "C10": Public(
        POSTGRES
        | {
            "database.password": "${env:DB_PASSWORD}",
            "topic.prefix": "dbserver1",
            "database.server.name": "dbserver1",
            "plugin.name": "pgoutput",
            "slot.name": "ce",
            "publication.name": "ce",
            "publication.autocreate.mode": "filtered",
            "table.include.list": "public.outbox",
            "heartbeat.interval.ms": "5000",
            "transforms": "addSourceHeaders,outbox",
            "transforms.addSourceHeaders.type": f"{KAFKA}.transforms.HeaderFrom$Value",
            "transforms.addSourceHeaders.fields": "source,op",
            "transforms.addSourceHeaders.headers": "source,op",
            "transforms.addSourceHeaders.operation": "copy",
            "transforms.addSourceHeaders.predicate": "isHeartbeat",
            "transforms.addSourceHeaders.negate": "true",
            f"{R}type": "io.debezium.transforms.outbox.EventRouter",
            f"{R}predicate": "isHeartbeat",
            f"{R}negate": "true",
            f"{R}table.expand.json.payload": "true",
            "predicates": "isHeartbeat",
            "predicates.isHeartbeat.type": f"{KAFKA}.transforms.predicates.TopicNameMatches",
            "predicates.isHeartbeat.pattern": "__debezium-heartbeat.*",
            "key.converter": STRING,
            "header.converter": JSON,
            "header.converter.schemas.enable": "true",
            "value.converter": "io.debezium.converters.CloudEventsConverter",
            "value.converter.metadata.source": "header",
            "topic.creation.default.partitions": "1",
            "topic.creation.default.replication.factor": "1",
        },
        {"removed-option"},
        silent={"cloudevents-headers-missing", "transformation-without-predicate"},
        errors=False,
    ),
    "C11": Public(
        POSTGRES
        | routed(
            table__field__event__id="id",
            table__field__event__key="id",
            table__field__event__type="type",
            route__by__field="topic",
            topic__property__name="topic",
        )
        | {
            "topic.prefix": "app",
            "plugin.name": "pgoutput",
            "table.include.list": "public.outbox",
            "key.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {
            "nonexistent-option",
            "key-is-event-id",
            "json-converter-on-text-payload",
            "json-key-converter",
            "option-without-effect",
            "no-type-header",
        },
    ),
    "C12": Public(
        POSTGRES
        | routed(
            table__field__event__key="AggregateType",
            table__field__event__timestamp="OccurredOn",
            debezium__expand__json__payload="true",
        )
        | {
            "topic.prefix": "app",
            "plugin.name": "pgoutput",
            "table.include.list": "public.OutboxEvents",
            "key.converter": JSON,
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {
            "key-is-type",
            "removed-option",
            "json-converter-on-text-payload",
            "json-key-converter",
            "timestamp-column",
            "schemas-enable-not-set",
        },
    ),
    "C13": Public(
        POSTGRES
        | routed(
            table__fields__additional__placement="type:envelope:eventType",
            debezium__expand__json__payload="true",
            table__expand__json__payload="true",
        )
        | {
            "topic.prefix": "app",
            "plugin.name": "pgoutput",
            "table.include.list": "public.outbox",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {"removed-option", "converter-not-set"},
    ),
    "C14": Public(
        POSTGRES
        | routed(
            table__field__event__source="source",
            collection__expanded__json__payload="true",
            table__fields__additional__placement="metadata:source",
        )
        | {
            "topic.prefix": "app",
            "plugin.name": "pgoutput",
            "table.include.list": "public.outbox",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {"nonexistent-option", "unknown-placement", "converter-not-set"},
    ),
    "C15": Public(
        POSTGRES
        | routed(
            predicate="isOutbox",
            table__expand__json__payload="true",
            table__field__event__timestamp="created_at",
            table__fields__additional__placement="type:header:eventType",
        )
        | {
            "topic.prefix": "orders",
            "plugin.name": "pgoutput",
            "slot.name": "orders_outbox",
            "publication.name": "orders_outbox",
            "table.include.list": "public.outbox",
            "snapshot.mode": "no_data",
            "skipped.operations": "u,d,t",
            "heartbeat.interval.ms": "10000",
            "heartbeat.action.query": "INSERT INTO public.debezium_heartbeat (id, at) VALUES (1, now()) "
            "ON CONFLICT (id) DO UPDATE SET at = now()",
            "predicates": "isOutbox",
            "predicates.isOutbox.type": f"{KAFKA}.transforms.predicates.TopicNameMatches",
            "predicates.isOutbox.pattern": "orders.public.outbox",
            "key.converter": STRING,
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
            "topic.creation.enable": "true",
            "topic.creation.default.partitions": "3",
            "topic.creation.default.replication.factor": "1",
        },
        {
            "heartbeat-table-not-captured",
            "heartbeat-update-skipped",
            "worker-option",
            "timestamp-column",
            "single-replica",
        },
        silent={
            "no-predicate",
            "default-slot-name",
            "default-publication-name",
            "decoderbufs",
            "snapshot-mode-initial",
        },
    ),
    "C16": Public(
        POSTGRES
        | routed(
            table__field__event__type="event_type",
            table__field__event__key="aggregate_id",
            route__by__field="destination_topic",
            route__topic__replacement="${routedByValue}",
        )
        | {
            "topic.prefix": "visits",
            "plugin.name": "pgoutput",
            "slot.name": "visits",
            "publication.name": "dbz_publication",
            "table.include.list": "public.outbox",
            "snapshot.mode": "initial",
            "key.converter": STRING,
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {
            "json-converter-on-text-payload",
            "option-without-effect",
            "no-type-header",
            "snapshot-mode-initial",
            "default-publication-name",
        },
    ),
    "C17": Public(
        POSTGRES
        | routed(table__field__payload="payload", table__field__payload__id__field="aggregate_id")
        | {
            "topic.prefix": "orders",
            "plugin.name": "pgoutput",
            "table.include.list": "public.outbox",
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
        },
        {"removed-option", "nonexistent-option", "json-converter-on-text-payload"},
    ),
    "C18": Public(
        routed(
            table__field__event__id="Id",
            table__field__payload="Payload",
            route__by__field="Topic",
        )
        | {
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "database.hostname": "sql",
            "database.user": "sa",
            "database.password": "secret",
            "database.dbname": "shop",
            "database.server.name": "shop",
            "database.trustServerCertificate": "true",
            "table.include.list": "dbo.Outbox",
            "topic.prefix": "shop",
        },
        {
            "removed-option",
            "required-option-missing",
            "default-topic-replacement",
            "plain-text-secret",
            "converter-not-set",
        },
    ),
    "C19": Public(
        routed(table__field__event__headers="headers", predicate="false")
        | {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": "mysql",
            "database.user": "debezium",
            "database.password": "dbz",
            "database.server.id": "184054",
            "database.server.name": "orders",
            "database.history.kafka.bootstrap.servers": "kafka:9092",
            "database.history.kafka.topic": "history.orders",
            "database.include.list": "orders",
            "table.include.list": "orders.outbox",
            "snapshot.mode": "schema_only_recovery",
        },
        {
            "predicate-not-declared",
            "invalid-value",
            "nonexistent-option",
            "removed-option",
            "required-option-missing",
            "common-server-id",
        },
    ),
    "C20": Public(
        routed(
            table__whitelist="outbox",
            table__field__event__id="envent_id",
            table__field__event__payload__id="aggregate_id",
            route__topic__replacement="orders",
        )
        | {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": "mysql",
            "database.user": "root",
            "database.password": "root",
            "database.dbname": "orders",
            "database.server.name": "orders",
            "value.converter": BYTE_BUFFER,
        },
        {"no-table-filter", "removed-class", "nonexistent-option", "removed-option", "required-option-missing"},
    ),
}
