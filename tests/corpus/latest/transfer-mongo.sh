curl -X POST http://localhost:8083/connectors/ -H 'content-type: application/json' \
-d '{
      "name": "transfer-requested-connector",
      "config": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": "1",
        "mongodb.hosts": "rs0/mongo:27017",
        "mongodb.user": "transfers",
        "mongodb.password": "secret",
        "mongodb.name": "transfer-requested",
        "database.history.kafka.bootstrap.servers": "kafka:29092",
        "database.include.list": "transfers",
        "collection.include.list": "transfers.requested",
        "include.schema.changes": "false",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
        "transforms.outbox.collection.expand.json.payload": "true"
      }
    }'
