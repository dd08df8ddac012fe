#!/usr/bin/env bash
# Registers the connector for the table which the debezium-quarkus-outbox extension
# creates (id uuid, aggregatetype, aggregateid, type, timestamp timestamp(6), payload).
set -e

CONNECT=${CONNECT:-http://localhost:8083}

body() {
cat <<'JSON'
{
  "name": "hangar-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "taskMax": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "localhost",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "hangar",
    "database.server.name": "hangar",
    "schema.include.list": "public",
    "table.include.list": "public.outboxevent",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.timestamp": "timestamp",
    "transforms.outbox.route.topic.replacement": "hangar-${routedByValue}",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
JSON
}

body | curl -sS -X POST -H 'Content-Type: application/json' -d @- "$CONNECT/connectors" | jq .
