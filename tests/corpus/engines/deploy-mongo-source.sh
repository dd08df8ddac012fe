#!/usr/bin/env bash

echo "Deploying the Debezium connector of MongoDB"

NAME="catalog-mongodb"

# create or update
curl -s -X PUT -H "Content-Type:application/json" http://connect:8083/connectors/$NAME/config \
      -d '{
      "name": "'"$NAME"'",
      "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
      "mongodb.hosts": "rs0/mongodb:27017",
      "mongodb.name": "mongo",
      "mongodb.user": "root",
      "mongodb.password": "rootpassword",
      "database.history.kafka.bootstrap.servers": "'"$BROKERS"'",
      "database.history.kafka.topic": "mongodb-history",
      "collection.include.list": "catalog.articles",
      "publish.full.document.only": true
  }'

echo "$NAME is deployed."
