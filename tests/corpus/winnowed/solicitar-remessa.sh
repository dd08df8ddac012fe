#!/usr/bin/env bash
# registra o conector da remessa solicitada
curl -X POST http://localhost:8083/connectors/ -H 'content-type: application/json' \
-d '{
      "name": "remessa-solicitada",
      "config": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": "1",
        "mongodb.hosts": "mongo-remessas:27017",
        "mongodb.user": "root",
        "mongodb.password": "root",
        "mongodb.name": "remessa-solicitada",
        "database.history.kafka.bootstrap.servers": "broker:29092",
        "database.include.list": "remessas",
        "collection.include.list": "remessas.solicitada",
        "include.schema.changes": "false",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
        "transforms.outbox.collection.expand.json.payload": "true"
      }
    }'

curl -s http://localhost:8083/connectors/remessa-solicitada/status
