#!/bin/sh
# usage: DB_HOST=... DB_PASSWORD=... ./install-freight-outbox.sh
CONNECT=${CONNECT:-http://localhost:8083}

curl -sf -X PUT "$CONNECT/connectors/freight-outbox/config" \
  -H 'Content-Type: application/json' \
  --data-binary @- <<JSON
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "${DB_HOST}",
  "database.port": "3306",
  "database.user": "freight_cdc",
  "database.password": "${DB_PASSWORD}",
  "database.server.id": "20417",
  "topic.prefix": "freight",
  "database.include.list": "freight",
  "table.include.list": "freight.outbox",
  "tombstones.on.delete": "false",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "freight.outbox.ddl",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregatetype",
  "transforms.outbox.route.topic.replacement": "freight.${routedByValue}.events"
}
JSON
echo "topics: freight.shipment.events, freight.carrier.events"
