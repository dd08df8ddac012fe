
curl -X POST http://localhost:8083/connectors \
-H "Content-Type: application/json" \
-d '{
  "name": "sensors-mongo",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": "mongodb://mongo1:27017/?replicaSet=rs1",
    "mongodb.name": "sensors",
    "database.include.list": "plant",
    "collection.include.list": "plant.readings",
    "topic.prefix": "sensors",
    "mongodb.change.stream.full.document": "updateLookup",
    "database.history.kafka.bootstrap.servers": "kafka:9092",
    "database.history.kafka.topic": "schema-changes.plant"
  }
}'
