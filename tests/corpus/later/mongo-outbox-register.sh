#!/bin/sh
# cria o conector das transferencias
curl -X POST http://localhost:8083/connectors/ -H 'content-type: application/json' \
-d '{
      "name": "transfers-requested-connector",
      "config": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": "1",
        "mongodb.hosts": "rs0/mongo:27017",
        "mongodb.user": "root",
        "mongodb.password": "password",
        "mongodb.name": "transfers-requested",
        "database.history.kafka.bootstrap.servers": "kafka:29092",
        "database.include.list": "transfers",
        "collection.include.list": "transfers.outbox",
        "include.schema.changes": "false",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.delegate.converter.type.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
        "transforms.outbox.collection.expand.json.payload": "true"
      }
    }'
