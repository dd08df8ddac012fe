#!/usr/bin/env bash
# MongoDB 6, debezium/connect:2.4 (see compose.yml): full documents before and after every change
set -euo pipefail

for c in orders parts clients; do
  mongosh "mongodb://mongo-depot:27017/depot?replicaSet=rs0" --quiet --eval \
    "db.runCommand({ collMod: '$c', changeStreamPreAndPostImages: { enabled: true } })"
done

curl -fsS -X POST -H 'Content-Type: application/json' http://localhost:8083/connectors --data '
{
  "name": "depot-mongo",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.mode": "replica_set",
    "mongodb.connection.string": "mongodb://mongo-depot:27017/?replicaSet=rs0",
    "mongodb.user": "debezium",
    "mongodb.password": "dbz",
    "topic.prefix": "depot",
    "collection.include.list": "depot.orders,depot.parts,depot.clients",
    "capture.mode": "change_streams_update_full_with_pre_image",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true"
  }
}'
