"""Renders KafkaConnector resources of the lake console from a source's form."""
import zlib

BROKERS = "lake-kafka-bootstrap:9093"
REGISTRY = "http://apicurio:8080/apis/registry/v2"


def _cred(source: str, key: str) -> str:
    return "${dir:/mnt/external-configuration/" + source + ":" + key + "}"


def _client(role: str) -> dict:
    p = f"schema.history.internal.{role}."
    return {p + "security.protocol": "SSL", p + "ssl.truststore.type": "PKCS12",
            p + "ssl.truststore.location": "/mnt/external-configuration/lake-ca/ca.p12",
            p + "ssl.truststore.password": _cred("lake-ca", "ca.password")}


def _route(target: str) -> dict:
    return {"transforms.route.type": "org.apache.kafka.connect.transforms.InsertField$Value",
            "transforms.route.static.field": "_target_table", "transforms.route.static.value": target}


def _errors(topic: str) -> dict:
    return {
        "errors.tolerance": "all",
        "errors.deadletterqueue.topic.name": f"{topic}.dlq",
        "errors.deadletterqueue.context.headers.enable": "true",
    }


def mysql(spec) -> dict:
    config = {
        "database.hostname": spec.host,
        "database.port": "3306",
        "database.user": _cred(spec.source, "user"),
        "database.password": _cred(spec.source, "pass"),
        # stable and distinct per source
        "database.server.id": str(1000 + zlib.crc32(spec.source.encode()) % 4_000_000),
        "database.include.list": spec.db,
        "topic.prefix": f"lake.{spec.source}",
        "table.include.list": f"{spec.db}.{spec.table}",
        "schema.history.internal.kafka.bootstrap.servers": BROKERS,
        "schema.history.internal.kafka.topic": f"ddl.{spec.source}",
        **_client("producer"), **_client("consumer"),
        "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
        "value.converter.apicurio.registry.url": REGISTRY,
        "value.converter.apicurio.registry.auto-register": "true",
        "transforms": "unwrap,route",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        # the silver merge deletes by __deleted = 'true'
        "transforms.unwrap.delete.handling.mode": "rewrite",
        "transforms.unwrap.drop.tombstones": "false",
        "transforms.unwrap.add.fields": "op,ts_ms,source.pos:lsn",
        **_route(spec.target), **_errors(f"lake.{spec.source}.{spec.db}.{spec.table}"),
    }
    return _resource(spec, "io.debezium.connector.mysql.MySqlConnector", config)


def mongo(spec) -> dict:
    config = {
        "mongodb.connection.string": spec.uri,
        "mongodb.user": _cred(spec.source, "user"),
        "mongodb.password": _cred(spec.source, "pass"),
        "topic.prefix": f"doc.{spec.db}",
        "collection.include.list": f"{spec.db}.{spec.table}",
        "capture.mode": "change_streams_update_full",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "transforms": "unwrap,route",
        "transforms.unwrap.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
        "transforms.unwrap.delete.handling.mode": "rewrite",
        "transforms.unwrap.drop.tombstones": "false",
        "transforms.unwrap.add.fields": "op,ts_ms",
        **_route(spec.target), **_errors(f"doc.{spec.db}.{spec.table}"),
    }
    return _resource(spec, "io.debezium.connector.mongodb.MongoDbConnector", config)


def _resource(spec, klass: str, config: dict) -> dict:
    return {"apiVersion": "kafka.strimzi.io/v1beta2", "kind": "KafkaConnector",
            "metadata": {"name": f"dbz-{spec.source}-{spec.table}", "labels": {"strimzi.io/cluster": "lake-connect"}},
            "spec": {"class": klass, "tasksMax": 1, "config": config}}
