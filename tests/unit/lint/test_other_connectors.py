"""Connectors that outbox-kit does not generate: what they refuse or ignore is reported, and what they take is not.

The expected results were read in the sources of the connectors.
"""

import json

import pytest

from outbox_kit.lint.run import check
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text

PARTITIONER = {"partitioner.class": "io.confluent.connect.storage.partitioner.TimeBasedPartitioner"}
PLAIN = {"value.converter": "org.apache.kafka.connect.json.JsonConverter", "value.converter.schemas.enable": "false"}
TEXT = "org.apache.kafka.connect.storage.StringConverter"
MYSQL = {"connection.url": "jdbc:mysql://db:3306/shop", "auto.create": "true"}
REPLICA = {"topics": "shop.public.orders", "primary.key.mode": "record_key", "schema.evolution": "basic"}
CLASSES = {
    "jdbc": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "jdbc source": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "search": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "jdbc of debezium": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "s3": "io.confluent.connect.s3.S3SinkConnector",
    "gcs": "io.confluent.connect.gcs.GcsSinkConnector",
    "s3 of aiven": "io.aiven.kafka.connect.s3.AivenKafkaConnectS3SinkConnector",
    "mongodb": "com.mongodb.kafka.connect.MongoSinkConnector",
    "mongodb source": "com.mongodb.kafka.connect.MongoSourceConnector",
    "iceberg": "org.apache.iceberg.connect.IcebergSinkConnector",
    "clickhouse": "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
    "bigquery": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
}


@pytest.mark.parametrize(
    ("kind", "options", "rule", "reported"),
    [
        ("search", PLAIN, "sink-without-schema", True),
        ("search", PLAIN | {"schema.ignore": "true"}, "sink-without-schema", False),
        ("search", PLAIN | {"value.converter.schemas.enable": "true"}, "sink-without-schema", False),
        ("search", {}, "sink-without-schema", False),
        ("search", {"connection.username": "a", "connection.password": "b"}, "combination-refused", False),
        ("search", {"connection.password": "${env:PASSWORD}"}, "combination-refused", True),
        ("search", {"data.stream.type": "none"}, "combination-refused", False),
        ("search", {"data.stream.type": "none"}, "foreign-option-missing", False),
        ("search", {"data.stream.type": "logs"}, "foreign-option-missing", True),
        ("search", {"data.stream.dataset": "shop"}, "foreign-option-missing", True),
        ("search", {"data.stream.type": "logs", "data.stream.dataset": "shop"}, "foreign-option-missing", False),
        ("search", {"key.ignore": "true", "topic.key.ignore": "a"}, "combination-refused", True),
        ("search", {"key.ignore": "false", "topic.key.ignore": "a"}, "combination-refused", False),
        ("search", {"elastic.https.ssl.keystore.location": "/a"}, "combination-refused", True),
        (
            "search",
            {"elastic.https.ssl.keystore.location": "/a", "elastic.security.protocol": "SSL"},
            "combination-refused",
            False,
        ),
        ("search", {"flush.timeout.ms": "10"}, "foreign-value-refused", True),
        ("search", {"index": "orders"}, "option-of-another-sink", True),
        ("search", {"indices": "orders"}, "unknown-option-of-sink", True),
        ("search", {"type.name": "_doc"}, "unknown-option-of-sink", False),
        ("search", {"errors.log.enable": "true"}, "unknown-option-of-sink", False),
        ("jdbc source", {"mode": "bulk"}, "combination-refused", True),
        ("jdbc source", {"mode": "bulk", "table.whitelist": "a"}, "combination-refused", False),
        ("jdbc source", {"mode": "bulk", "query": "select 1"}, "combination-refused", False),
        ("jdbc source", {"query": "select 1", "table.whitelist": "a"}, "combination-refused", True),
        ("jdbc", MYSQL | {"pk.mode": "kafka"}, "text-in-key", True),
        ("jdbc", MYSQL | {"pk.mode": "record_key", "key.converter": TEXT}, "text-in-key", True),
        ("jdbc", MYSQL | {"pk.mode": "record_key"}, "text-in-key", False),
        ("jdbc", MYSQL | {"pk.mode": "kafka", "auto.create": "false"}, "text-in-key", False),
        (
            "jdbc",
            MYSQL | {"pk.mode": "kafka", "connection.url": "jdbc:postgresql://db/shop"},
            "text-in-key",
            False,
        ),
        ("jdbc", {"connection.url": "jdbc:mysql://db:3306"}, "url-without-database", True),
        ("jdbc", {"connection.url": "jdbc:mysql://db:3306/shop"}, "url-without-database", False),
        ("jdbc", {"connection.url": "jdbc:mysql://db", "topics": "shop.orders"}, "url-without-database", False),
        ("jdbc", {"connection.url": "jdbc:postgresql://db/"}, "url-without-database", False),
        ("jdbc", {"connection.url": "${env:URL}"}, "url-without-database", False),
        ("jdbc", {"pk.field": "id"}, "unknown-option-of-sink", True),
        ("jdbc of debezium", REPLICA, "update-inserted-again", True),
        ("jdbc of debezium", REPLICA | {"insert.mode": "upsert"}, "update-inserted-again", False),
        ("jdbc of debezium", REPLICA | {"topics": "outbox.event.Order"}, "update-inserted-again", False),
        ("jdbc of debezium", REPLICA | {"topics": "orders"}, "update-inserted-again", False),
        ("jdbc of debezium", REPLICA | {"schema.evolution": "none"}, "update-inserted-again", False),
        ("s3", {"path.format": "YYYY"}, "sink-option-idle", True),
        ("s3", {"path.format": "YYYY", "partitioner.class": "com.example.OfOurOwn"}, "sink-option-idle", False),
        ("s3", PARTITIONER | {"path.format": "YYYY"}, "sink-option-idle", False),
        ("gcs", {"path.format": "'a='YYYY/${topic}"}, "sink-option-idle", True),
        ("gcs", {"timestamp.field": "a", "timestamp.extractor": "Record"}, "sink-option-idle", True),
        ("gcs", {"timestamp.field": "a", "timestamp.extractor": "RecordField"}, "sink-option-idle", False),
        ("s3", PARTITIONER | {"path.format": "dt=YYYY-MM-dd"}, "path-format-letters", True),
        ("s3", PARTITIONER | {"path.format": "'dt='YYYY-MM-dd/'hour='HH"}, "path-format-letters", False),
        ("s3", PARTITIONER | {"path.format": "YYYY/MM/dd"}, "path-format-letters", False),
        ("s3", {"path.format": "dt=YYYY"}, "path-format-letters", False),
        ("s3", {"s3.part.size": "1048576"}, "foreign-value-refused", True),
        ("s3", {"s3.part.size": "5242880"}, "foreign-value-refused", False),
        ("s3", {"s3.region": ""}, "foreign-value-refused", True),
        ("s3 of aiven", {"s3.bucket.name": "a"}, "option-of-another-sink", True),
        ("s3 of aiven", {"flush.size": "20"}, "unknown-option-of-sink", True),
        ("s3 of aiven", {"file.max.records": "20"}, "unknown-option-of-sink", False),
        ("mongodb", {"mongodb.delete.on.null.values": "true"}, "option-of-another-sink", True),
        ("mongodb", {"topic.override.a.collection": "b"}, "unknown-option-of-sink", False),
        ("mongodb source", {"value.converter": PLAIN["value.converter"]}, "json-in-text", True),
        ("mongodb source", {"value.converter": TEXT}, "json-in-text", False),
        (
            "mongodb source",
            {"value.converter": PLAIN["value.converter"], "output.format.value": "schema"},
            "json-in-text",
            False,
        ),
        ("mongodb source", {"topic.creation.default.partitions": "1"}, "unknown-option-of-sink", False),
        ("iceberg", {"iceberg.tables": "a.b,a.c"}, "record-in-all-tables", True),
        ("iceberg", {"iceberg.tables": "a.b"}, "record-in-all-tables", False),
        ("iceberg", {"iceberg.tables": "a.b,a.c", "iceberg.tables.route-field": "kind"}, "record-in-all-tables", False),
        ("iceberg", {"iceberg.control.commit-interval-ms": "1"}, "misspelt-option-of-connect", True),
        ("clickhouse", {"table": "orders"}, "option-of-another-sink", True),
        ("bigquery", {"project": "a", "datasets": ".*=a"}, "required-option-missing", True),
        ("bigquery", {"project": "a", "defaultDataset": "a"}, "required-option-missing", False),
    ],
)
def test_options_of_other_connectors(kind: str, options: dict[str, str], rule: str, *, reported: bool) -> None:
    config = {"connector.class": CLASSES[kind], "topics": "a"} | options
    findings = check(with_peers(from_text(json.dumps(config), "a.json", None)))
    assert any(rule in finding.facts["rules"] for finding in findings) is reported


@pytest.mark.parametrize(
    ("kind", "options", "reported"),
    [
        ("http", "", True),
        ("nats-jetstream", "", True),
        ("redis", "", True),
        ("pubsub", "", False),
        ("http", "debezium.transforms.row.delete.tombstone.handling.mode=rewrite", False),
        ("http", "debezium.source.skipped.operations=d", False),
    ],
)
def test_a_delete_without_a_value_is_not_sent_as_such(kind: str, options: str, *, reported: bool) -> None:
    settings = (
        "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
        f"debezium.sink.type={kind}\ndebezium.transforms=row\n"
        f"debezium.transforms.row.type=io.debezium.transforms.ExtractNewRecordState\n{options}\n"
    )
    findings = check(from_text(settings, "application.properties", None))
    assert any("delete-without-value" in finding.facts["rules"] for finding in findings) is reported
