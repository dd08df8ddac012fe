"""Keeps the table devicetype of the plant in step with the one of the office: inserts, updates and deletes."""
import os

import requests

CONNECT = os.environ.get("CONNECT", "http://localhost:8083")
AVRO = {
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry:8081",
}

source = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "office-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "office",
    "plugin.name": "pgoutput",
    "topic.prefix": "office",
    "table.include.list": "public.devicetype",
    "transforms": "Unwrap,Reroute",
    "transforms.Unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.Unwrap.delete.tombstone.handling.mode": "drop",
    "transforms.Reroute.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.Reroute.regex": "office\\.public\\.(.*)",
    "transforms.Reroute.replacement": "$1",
    **AVRO,
}

sink = {
    "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics": "devicetype",
    "connection.url": "jdbc:postgresql://plant-db:5432/plant",
    "connection.username": "postgres",
    "connection.password": "postgres",
    "insert.mode": "upsert",
    "delete.enabled": "true",
    "primary.key.mode": "record_key",
    "schema.evolution": "basic",
    **AVRO,
}

for name, config in (("office-source", source), ("plant-sink", sink)):
    requests.put(f"{CONNECT}/connectors/{name}/config", json=config, timeout=10).raise_for_status()
