#!/bin/bash

echo "removing the source connector"

curl -X "DELETE" "http://$PLATFORM_IP:8083/connectors/returns.dbzsrc.outbox"

echo "creating the source connector on shop_returns.outbox"

# the payload as JSON would be the column payload_json and the converter of the worker;
# we send what the service has encoded itself with Avro
curl -X PUT \
  "http://$PLATFORM_IP:8083/connectors/returns.dbzsrc.outbox/config" \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json' \
  -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",

  "database.server.name": "postgresql",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "changeme",
  "database.dbname": "postgres",
  "schema.include.list": "shop_returns",
  "table.include.list": "shop_returns.outbox",
  "plugin.name": "pgoutput",
  "tombstones.on.delete": "false",
  "database.hostname": "postgresql",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "event_key",
  "transforms.outbox.table.field.event.payload": "payload_avro",
  "transforms.outbox.table.field.event.timestamp": "created_at",
  "transforms.outbox.route.by.field": "event_type",
  "transforms.outbox.route.topic.replacement": "priv.shop.returns.${routedByValue}.event.v1",
  "value.converter": "io.debezium.converters.ByteBufferConverter",
  "topic.creation.default.replication.factor": 3,
  "topic.creation.default.partitions": 8,
  "key.converter": "org.apache.kafka.connect.storage.StringConverter"
}'
