curl -X POST http://localhost:8083/connectors/ -H 'content-type: application/json' \
-d '{
      "name": "refund-requested-connector",
      "config": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": "1",
        "mongodb.hosts": "mongo:27017",
        "mongodb.user": "root",
        "mongodb.password": "s3cr3t",
        "mongodb.name": "refund-requested-connector",
        "database.history.kafka.bootstrap.servers": "kafka:29092",
        "database.include.list": "refunds",
        "collection.include.list": "refunds.requested",
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
