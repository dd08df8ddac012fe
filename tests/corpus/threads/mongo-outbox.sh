#!/bin/bash
# once the replica set is up

#curl --location --request POST 'http://localhost:8083/connectors' \
#--header 'Content-Type: application/json' \
#--data-raw '{
#  "name": "mongo-events",
#  "config": {
#    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
#    "mongodb.hosts": "rs0/mongo1:27017",
#    "mongodb.name": "shop"
#  }
#}'
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "mongo-outbox",
  "config": {
    "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max" : "1",
    "mongodb.hosts" : "rs0/mongo1:27017",
    "mongodb.name" : "shop",
    "database.include.list" : "cart-db,stock-db,account-db",
    "collection.include.list": "cart-db.outbox,stock-db.outbox,account-db.outbox",
    "database.history.kafka.bootstrap.servers" : "broker:9092",
    "transforms" : "outbox",
    "transforms.outbox.type" : "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    "transforms.outbox.route.topic.replacement" : "${routedByValue}.messages",
    "transforms.outbox.collection.field.event.timestamp" : "timestamp",
    "transforms.outbox.collection.fields.additional.placement" : "type:header:eventType",
    "transforms.outbox.collection.expand.json.payload" : "true",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
