#{
#    "name": "stock-connector",
#    "config": {
#        "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
#        "tasks.max" : "1",
#        "mongodb.hosts" : "rs0/mongodb:27017",
#        "mongodb.name" : "dbserver1",
#        "mongodb.user" : "debezium",
#        "mongodb.password" : "dbz",
#        "database.whitelist" : "stock", # 要监听的库
#        "database.history.kafka.bootstrap.servers" : "kafka:9092"
#    }
#}
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "depot-mongo-connector",
  "config": {
    "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max" : "1",
    "mongodb.hosts" : "rs0/mongod:27017",
    "mongodb.name" : "depot",
    "database.include.list" : "intake-db,depot-db,ledger-db",
    "collection.include.list": "intake-db.outbox-event,depot-db.outbox-event,ledger-db.outbox-event",
    "database.history.kafka.bootstrap.servers" : "kafka:9092",
    "transforms" : "outbox",
    "transforms.outbox.type" : "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    "transforms.outbox.route.topic.replacement" : "${routedByValue}.events",
    "transforms.outbox.collection.expand.json.payload" : "true",
    "transforms.outbox.collection.field.event.timestamp" : "timestamp",
    "transforms.outbox.collection.fields.additional.placement" : "type:header:eventType",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
