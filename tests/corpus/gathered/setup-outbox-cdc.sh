#!/bin/bash
# -----------------------------------------------------------------------
# Outbox connector of PayLane (replaces the polling relay).
#   needs: Kafka Connect on :8083, PostgreSQL with wal_level=logical
# -----------------------------------------------------------------------
set -euo pipefail

CONNECT="http://localhost:8083"

until curl -sf "${CONNECT}/connectors" > /dev/null 2>&1; do
    echo "  connect is not up yet"
    sleep 5
done

curl -sf -X POST "${CONNECT}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "paylane-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "topic.prefix": "paylane",
      "database.server.name": "paylane",
      "database.hostname": "paylane-pg",
      "database.port": "5432",
      "database.dbname": "paylane",
      "database.user": "paylane",
      "database.password": "paylane_local",

      "plugin.name": "pgoutput",
      "slot.name": "paylane_outbox_slot",
      "publication.autocreate.mode": "filtered",
      "table.include.list": "public.event_outbox",

      "heartbeat.interval.ms": "10000",
      "tombstones.on.delete": false,

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "routing_key",
      "transforms.outbox.route.topic.replacement": "paylane.${routedByValue}",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.fields.additional.placement": "aggregate_type:header,merchant_id:header,created_at:header",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false,

      "errors.tolerance": "all",
      "errors.deadletterqueue.topic.name": "paylane.connect.dlq",
      "errors.deadletterqueue.context.headers.enable": true
    }
  }' | python3 -m json.tool 2>/dev/null || echo "(exists)"

echo "events of event_outbox go to paylane.<aggregate type>"
