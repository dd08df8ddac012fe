#!/bin/sh
# The sink crashed on deletes because they had no "before". Solved; needs MongoDB >= 6 and debezium/connect:2.4 or later.
# Each collection must keep its images:
mongosh mongodb://db-mongo:27017/depot --eval '
  for (const c of ["orders", "products", "customers"])
    db.runCommand({ collMod: c, changeStreamPreAndPostImages: { enabled: true } })'

curl -X POST -H 'Content-Type: application/json' http://localhost:8083/connectors --data '
{
  "name": "depot-mongo",
  "config": {
    "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": 1,
    "mongodb.connection.mode": "replica_set",
    "mongodb.connection.string": "mongodb://db-mongo:27017/?replicaSet=rs0",
    "mongodb.user" : "debezium",
    "mongodb.password" : "dbz",
    "topic.prefix" : "depot-mongo",
    "collection.include.list": "depot.products,depot.orders,depot.customers",
    "capture.mode": "change_streams_update_full_with_pre_image",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "true",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true"
  }
}'
