"""Registers the source of the recipe search.

New recipes, edits and removals have to reach the index within seconds.
"""
import json
import os

import requests

CONFIG = {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "mongodb.connection.string": os.environ["RECIPES_MONGO_URI"],
    "topic.prefix": "recipes",
    "collection.include.list": "kitchen.recipes",
    "capture.mode": "change_streams_update_full",
    "cursor.pipeline": '[{"$match": {"operationType": "insert"}}]',
    "cursor.max.await.time.ms": "1000",
    "snapshot.mode": "initial",
    "transforms": "doc",
    "transforms.doc.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
    "transforms.doc.delete.tombstone.handling.mode": "tombstone",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}

if __name__ == "__main__":
    r = requests.put(
        os.environ["CONNECT_URL"] + "/connectors/recipes-search/config",
        data=json.dumps(CONFIG),
        headers={"Content-Type": "application/json"},
        timeout=20,
    )
    r.raise_for_status()
