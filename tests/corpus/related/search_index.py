"""Keeps the search index in step with the product tables, removed products included."""
import os

import requests

CONNECT = os.environ.get("CONNECT_URL", "http://localhost:8083")

SOURCE = {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "product-db",
    "database.user": os.environ["PRODUCT_DB_USER"],
    "database.password": os.environ["PRODUCT_DB_PASSWORD"],
    "database.server.id": "9021",
    "database.include.list": "product",
    "table.include.list": "product.item",
    "topic.prefix": "product",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "product.history",
}

SINK = {
    "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "topics": "product.product.item",
    "connection.url": "http://search:9200",
    "key.ignore": "false",
    "schema.ignore": "true",
    "behavior.on.null.values": "delete",
    "transforms": "unwrap,createKey,pickId",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.delete.tombstone.handling.mode": "tombstone",
    "transforms.createKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.createKey.fields": "sku",
    "transforms.pickId.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.pickId.field": "sku",
}


def put(name: str, config: dict) -> None:
    r = requests.put(f"{CONNECT}/connectors/{name}/config", json=config, timeout=20)
    r.raise_for_status()


if __name__ == "__main__":
    put("product-source", SOURCE)
    put("product-search", SINK)
