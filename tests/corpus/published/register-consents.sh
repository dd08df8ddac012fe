#!/bin/bash

echo "waiting for Connect on localhost:8083"
while [ $(curl -s -o /dev/null -w %{http_code} http://localhost:8083/connectors) -ne 200 ]; do
  echo "not yet; again in 10 s"
  sleep 10
done

echo "creating the MongoDB source"
curl -X POST \
  -H "Content-Type: application/json" \
  --data '{
    "name": "consents-source",
    "config": {
      "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
      "mongodb.connection.string": "mongodb://mongodb:27017",
      "mongodb.name": "clinic1",
      "database.include.list": "clinic",
      "collection.include.list": "clinic.consent",
      "topic.prefix": "clinic",
      "tasks.max": "1",
      "tombstones.on.delete": "true",
      "provide.transaction.metadata": "true",
      "capture.mode": "change_streams_update_full_with_pre_image"
    }
  }' \
  http://localhost:8083/connectors

echo
curl -s http://localhost:8083/connectors/consents-source/status | jq
