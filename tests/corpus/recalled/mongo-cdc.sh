#!/bin/bash
# debezium/connect:1.6
docker exec -i mongodb bash -c '/usr/local/bin/init-inventory.sh'

curl -i -X POST http://localhost:8083/connectors/ -H "Content-Type: application/json" -d '{
  "name": "library-connector",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.hosts": "rs0/mongodb:27017",
    "mongodb.name": "dbserver1",
    "mongodb.user": "debezium",
    "mongodb.password": "dbz",
    "database.include.list": "library",
    "database.history.kafka.bootstrap.servers": "kafka:9092",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "drop"
  }
}'
