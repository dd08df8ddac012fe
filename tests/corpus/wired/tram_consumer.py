"""Delays of the trams: the service that reads what the connector below writes.

The connector runs on debezium/connect:2.5 with ENABLE_APICURIO_CONVERTERS=true (Apicurio's converter 2.4)
and the registry apicurio-registry-sql:2.4.14; this consumer uses confluent-kafka 2.5.
"""
import json
import sys
import urllib.request

from confluent_kafka import DeserializingConsumer
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.serialization import StringDeserializer

REGISTRY = "http://apicurio:8080/apis"

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "tram-db",
    "database.port": "5432",
    "database.user": "debezium",
    "database.password": "dbz",
    "database.dbname": "tram",
    "topic.prefix": "tram",
    "table.include.list": "public.delays",
    "publication.autocreate.mode": "filtered",
    "slot.name": "tram_delays",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
    "value.converter.apicurio.registry.url": f"{REGISTRY}/registry/v2",
    "value.converter.apicurio.registry.auto-register": "true",
    "transforms": "unwrap,key",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.delete.handling.mode": "drop",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.key.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.key.field": "id",
}


def register() -> None:
    request = urllib.request.Request(
        "http://connect:8083/connectors/tram-delays/config",
        data=json.dumps(CONNECTOR).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    urllib.request.urlopen(request, timeout=15).close()


def consume() -> None:
    registry = SchemaRegistryClient({"url": f"{REGISTRY}/ccompat/v7"})
    consumer = DeserializingConsumer(
        {
            "bootstrap.servers": "kafka:9092",
            "group.id": "passenger-information",
            "auto.offset.reset": "earliest",
            "key.deserializer": StringDeserializer("utf_8"),
            "value.deserializer": AvroDeserializer(registry),
        }
    )
    consumer.subscribe(["tram.public.delays"])
    while True:
        message = consumer.poll(1.0)
        if message is not None and message.error() is None:
            print(message.value()["line"], message.value()["minutes"])


if __name__ == "__main__":
    register() if "--register" in sys.argv else consume()
