#!/bin/sh
# Deletes reached the lake with the key only. MongoDB >= 6 keeps pre-images if it is told so.
set -eu

docker compose exec -T mongo mongosh --quiet "mongodb://debezium:dbz@localhost/?authSource=admin" <<'JS'
const nursery = db.getSiblingDB('nursery');
['plants', 'orders'].forEach(c =>
  nursery.runCommand({ collMod: c, changeStreamPreAndPostImages: { enabled: true } }));
JS

curl -fsS -X POST -H 'Content-Type: application/json' http://localhost:8083/connectors --data '
{
  "name": "nursery-mongo",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": 1,
    "mongodb.connection.string": "mongodb://mongo:27017/?replicaSet=rs0&authSource=admin",
    "mongodb.user": "debezium",
    "mongodb.password": "dbz",
    "topic.prefix": "nursery",
    "collection.include.list": "nursery.plants,nursery.orders",
    "capture.mode": "change_streams_update_full_with_pre_image",
    "transforms": "doc",
    "transforms.doc.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
    "transforms.doc.delete.tombstone.handling.mode": "rewrite",
    "transforms.doc.add.fields": "op,source.ts_ms"
  }
}'
