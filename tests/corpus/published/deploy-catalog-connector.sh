#!/usr/bin/env bash

echo "MongoDB connector of the catalog"

NAME="catalog-mongo"
KNOWN=$(curl -s -o /dev/null -w "%{http_code}" http://debezium:8083/connectors/$NAME)
echo "status of $NAME so far: $KNOWN"

# PUT creates or updates
curl -s -X PUT -H "Content-Type:application/json" http://debezium:8083/connectors/$NAME/config \
      -d '{
      "name": "'"$NAME"'",
      "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
      "mongodb.hosts": "rs0/mongo:27017",
      "mongodb.name": "catalog",
      "mongodb.user": "root",
      "mongodb.password": "rootpassword",
      "database.history.kafka.bootstrap.servers": "'"$KAFKA"'",
      "database.history.kafka.topic": "catalog-history",
      "collection.include.list": "store.articles",
      "publish.full.document.only": true
  }'

echo "$NAME is deployed; the search indexer reads catalog.store.articles"
