#!/bin/sh
# Seeds the demo: topics, connector, ksqlDB objects, then the data.
set -eu

CONNECT="${CONNECT:-http://connect:8083}"
log() { echo "[seed] $*"; }

log "Registering the outbox connector..."
curl -sf -X POST "$CONNECT/connectors" -H 'Content-Type: application/json' -d '{
  "name": "notifier-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "notifier_user",
    "database.password": "notifier_pw",
    "database.server.id": "184061",
    "topic.prefix": "notifier",
    "database.include.list": "notifier_db",
    "table.include.list": "notifier_db.OutboxMessages",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "_dbz-schema-history",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "Id",
    "transforms.outbox.table.field.event.key": "AggregateId",
    "transforms.outbox.table.field.event.payload": "Payload",
    "transforms.outbox.table.field.event.timestamp": "CreatedAt",
    "transforms.outbox.route.by.field": "Topic",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.expand.json.payload": true,
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": false
  }
}' > /dev/null && log "  registered." || log "  registration failed."

log "Creating ksqlDB streams and tables..."
while IFS= read -r stmt; do
  [ -z "$stmt" ] && continue
  ksql_exec "$stmt" || true
done < /seed/statements.sql
