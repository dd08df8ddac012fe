#!/bin/bash

curl -X PUT \
  "http://$PLATFORM_HOST:8083/connectors/crm.dbz.outbox/config" \
  -H 'Accept: application/json' \
  -H 'Content-Type: application/json' \
  -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "topic.prefix": "crm",

  "database.hostname": "pgsql",
  "database.port": "5432",
  "database.server.name": "pgsql",
  "database.dbname": "crmdb",
  "database.user": "crm",
  "database.password": "demo123!",
  "schema.include.list": "public",
  "table.include.list": "public.outbox",
  "plugin.name": "pgoutput",
  "slot.name":"debezium",
  "publication.name":"debezium",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "event_type",
  "transforms.outbox.route.topic.replacement": "pub.crm.${routedByValue}.state.v1",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "event_key",
  "transforms.outbox.table.field.event.payload": "payload_avro",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "io.debezium.converters.BinaryDataConverter",
  "topic.creation.default.partitions": 4,
  "topic.creation.default.replication.factor": 3
}'
